import { atOnce } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayExpressionsIn } from '../../../../src/domain/text/days/day-expressions.ts';
import { recurringTermsOn, termsOfAsked } from '../../../../src/domain/text/days/day-terms.ts';
import { namedDaysInSteps } from '../../../../src/domain/text/days/named-days.ts';
import { periodNamed } from '../../../../src/domain/text/times/period-named.ts';

/** Characters. */
const LONGEST_MESSAGE = 200_000;
/** A Sunday. */
const SAID = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 86_400_000;
const named = (text: string, saidAt = SAID) => atOnce(namedDaysInSteps(text, saidAt));
const days = (from: string, until: string) => {
  const count = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, day) => on(Date.parse(from) + day * DAY_MS));
};
const every = (weekday: number) => `every=${weekday}`;
const on = (instant: number) => `on=${new Date(instant).toISOString().slice(0, 10)}`;

describe('the days that a text names', () => {
  test.each([
    ['Dentist tomorrow at 9.', ['on=2026-11-30']],
    [
      'Retro every other Tuesday from 1 December, not on the 15th.',
      ['fortnight=12', 'not=2026-12-15', 'on=2026-12-01'],
    ],
    ['I ran a race yesterday.', ['on=2026-11-28']],
    ['Our class goes there on wed 9 dec and needs a packed lunch.', ['on=2026-12-09']],
    ['Luis has the phone on sat 28 and sun 6 dec', ['on=2026-11-28', 'on=2026-12-06']],
    ['Luis has the phone sat 28 and sun 29 nov', days('2026-11-28', '2026-11-29')],
    ['Ann comes on the 7th and the 9th of December.', ['on=2026-12-07', 'on=2026-12-09']],
    ['Ann comes on the 3rd, 10th and 17th.', ['on=2026-12-03', 'on=2026-12-10', 'on=2026-12-17']],
    ['Closed on 7 and 9 December, Mon 14 and Wed 16 Dec', [7, 9, 14, 16].map((day) => on(Date.UTC(2026, 11, day)))],
    [
      'Rehearsals: 7, 9 and 11 December; Jan 5, 12 and 19',
      ['12-07', '12-09', '12-11', '01-05', '01-12', '01-19'].map((day) => `on=${day < '06' ? 2027 : 2026}-${day}`),
    ],
    ['Wednesday 9 and 10 December, 24/25 December', [9, 10, 24, 25].map((day) => on(Date.UTC(2026, 11, day)))],
    ['Seats on Dec 7 and 9 tables', ['on=2026-12-07']],
    ['Room 7, 9 December', ['on=2026-12-09']],
    ['1 and 31 January are free', ['on=2027-01-01', 'on=2027-01-31']],
    ['We sat there on wed 9 sept', ['on=2026-09-09']],
    ['Closed on 26 December', ['on=2026-12-26']],
    ['We closed it on 26 December', ['on=2025-12-26']],
    ['The release is on Friday.', ['on=2026-12-04']],
    ['We met on Friday.', ['on=2026-11-27']],
    ['The party was moved to Friday.', ['on=2026-12-04']],
    ['The party was moved from Friday to Monday 7 December.', ['on=2026-12-04', 'on=2026-12-07']],
    ['We moved to Bergen in January.', ['in=2026-01']],
    ['We decided on 12 November to use pnpm.', ['on=2026-11-12']],
    ['We decided on Friday to use pnpm.', ['on=2026-11-27', 'on=2026-12-04']],
    ['The launch is planned: 4 December', ['on=2026-12-04']],
    ['The certificate ends at 2026-12-03T10:00:00Z.', ['on=2026-12-03']],
    ['Lease signed, from April 2027', ['in=2027-04']],
    ['Roadmap: June 2027 beta, Sept. 2027 release', ['in=2027-06', 'in=2027-09']],
    ['dentist 10 may at 9', ['on=2027-05-10']],
    ['We had to be done by Fri.', ['on=2026-12-04']],
    ['Since Monday the build fails.', ['on=2026-11-23']],
    ['Since 3 May we use pnpm.', ['on=2026-05-03']],
    ['The party was moved from December 3 to the 9th.', ['on=2026-12-03', 'on=2026-12-09']],
    ['The party was moved from 3 to 5 December.', ['on=2026-12-03', 'on=2026-12-05']],
    ['The party is from 3 to 5 December.', days('2026-12-03', '2026-12-05')],
    ['The party is from the 3rd to the 5th of December.', days('2026-12-03', '2026-12-05')],
    ['I am off the 28th until the 3rd of January.', days('2026-12-28', '2027-01-03')],
    ['I was off from the 28th through the 3rd of November.', days('2026-10-28', '2026-11-03')],
    ['The party was moved from the 3rd to the 5th of December.', ['on=2026-12-03', 'on=2026-12-05']],
    [
      'The fair slipped from 1 to 2 December to 8 to 9 December.',
      ['01', '02', '08', '09'].map((day) => `on=2026-12-${day}`),
    ],
    ["Friday's review moved to Monday.", ['on=2026-12-04', 'on=2026-11-30']],
    ['Last weekend we went skiing.', ['on=2026-11-21', 'on=2026-11-22']],
    ['Over the weekend the server will be down.', ['on=2026-11-28', 'on=2026-11-29']],
    ['Vacation 2026-12-01/2026-12-05.', days('2026-12-01', '2026-12-05')],
    ['Free on Friday/Monday.', ['on=2026-12-04', 'on=2026-11-30']],
    ['I move in a fortnight.', days('2026-12-07', '2026-12-13')],
    ['Retro each Tuesday, on the last Friday of November too', ['every=2', 'on=2026-11-27']],
    ['The board meets on the first Monday in December.', ['on=2026-12-07']],
    ['The board meets on the first Friday in May. Rent is due on the 8th.', ['on=2027-05-07', 'on=2026-12-08']],
    ['The first Friday in Jan. 2027 or the last Friday in Jan.', ['on=2027-01-01', 'on=2027-01-29']],
    ['We launched on the second Tuesday of March.', ['on=2026-03-10']],
    ['It is on the last Friday of next month.', ['on=2026-12-25']],
    ['due 2026/12/15, 16-Dec-2026, 12/17/2026 and 18/12/2026', days('2026-12-15', '2026-12-18')],
    ['Monday the 7th, Tuesday 8th', ['on=2026-12-07', 'on=2026-12-08']],
    ['Pay it on the 7th of next month, or by December the 9th.', ['on=2026-12-07', 'on=2026-12-09']],
    ['The report is due by EOW.', days('2026-11-27', '2026-11-29')],
    ['The draft is due at the end of next week.', days('2026-12-04', '2026-12-06')],
    ['Invoices by the end of the month', ['on=2026-11-30']],
    ['Party March the 9th.', ['on=2027-03-09']],
    ['We launched on March the 9th.', ['on=2026-03-09']],
    ['Back on 7 January, on March the 9th Tom flies', ['on=2027-01-07', 'on=2027-03-09']],
    ['Invoices by the end of next month, plans by the end of the year', ['on=2026-12-31']],
    ['The audit is this quarter, the hiring in Q2 2027.', ['in=2026-Q4', 'in=2027-Q2']],
    ['We are closed on Christmas Day and on Boxing Day.', ['on=2026-12-25', 'on=2026-12-26']],
    ['It has to be done before Christmas.', ['on=2026-12-25']],
    ['Last Christmas we were in Oslo.', ['on=2025-12-25']],
    ["The office is closed on New Year's Eve and New Year’s Day.", ['on=2026-12-31', 'on=2027-01-01']],
    ['Halloween is over, see you next Halloween!', ['on=2027-10-31']],
    ['Stand-up every weekday at 9:15', [1, 2, 3, 4, 5].map(every)],
    ['Support is there Mon-Fri, at weekends nobody is.', [1, 2, 3, 4, 5, 6, 0].map(every)],
    ['Yoga every Tuesday and Thursday', ['every=2', 'every=4']],
    ['Daily stand-up Mon-Thu', [1, 2, 3, 4].map(every)],
    ['Weekly sync Mon-Tue', [1, 2].map(every)],
    ['The weekly sync is Monday to Tuesday at 9:00.', [1, 2].map(every)],
    ['Weekly planning moves from Monday to Tuesday, the bi-weekly one is Mon-Tue.', days('2026-11-30', '2026-12-01')],
    ['The weekly sync is Wed-Thu next week.', days('2026-12-02', '2026-12-03')],
    ['The stand-up is daily, Monday to Thursday, except Tuesday.', [1, 3, 4].map(every)],
    ['We are always closed Sat-Mon.', [6, 0, 1].map(every)],
    ['Open every day Tue–Thu, each Mon-Wed until 9, every Saturday to Sunday until 3', [2, 3, 4, 1, 6, 0].map(every)],
    ['The call moved from every Monday to Thursday.', ['every=1', 'on=2026-12-03']],
    ['Daily stand-up Mon-Wed next week', days('2026-11-30', '2026-12-02')],
    ['Next week is a daily call Mon-Wed.', days('2026-11-30', '2026-12-06')],
    ['The daily is off Mon-Wed. I am in Oslo Mon-Wed', days('2026-11-30', '2026-12-02')],
    ['The daily stand-up Mon-Wed is cancelled. No daily stand-up Mon-Wed', days('2026-11-30', '2026-12-02')],
    ['We had daily calls Mon-Wed.', days('2026-11-23', '2026-11-25')],
    ['The workshop on 3 December won’t take place.', ['on=2026-12-03']],
    ['The backup runs daily at 3:00.', [0, 1, 2, 3, 4, 5, 6].map(every)],
    ['Rent on the 1st of each month, wages every month on the 28th', ['monthly=1', 'monthly=28']],
    ['We are closed on 24 and 25 December.', days('2026-12-24', '2026-12-25')],
    ['Ann comes between the 3rd and 5th of December.', days('2026-12-03', '2026-12-05')],
    ['Chapters 1 and 3 December', ['on=2026-12-03']],
    ['The audit is in the week of 7 December.', days('2026-12-07', '2026-12-13')],
    ['On leave until 1 March', ['on=2027-03-01']],
    ['The audit is on Wednesday next week.', ['on=2026-12-02']],
    ['The audit is next week on Wednesday.', ['on=2026-12-02']],
    ['Next week on Fri it begins, the week after next on Monday it ends.', ['on=2026-12-04', 'on=2026-12-07']],
    ['Last week on Friday we met, and this week on Thu.', ['on=2026-11-20', 'on=2026-11-26']],
    ['We met on Friday of last week.', ['on=2026-11-20']],
    ['Next week on Thursday and Friday', days('2026-12-03', '2026-12-04')],
    ['Next week, on Friday, we launch.', ['on=2026-12-04']],
    [
      'The visa ends a week from now, the lease a week from Friday.',
      [...days('2026-11-30', '2026-12-06'), 'on=2026-12-11'],
    ],
    ['We launch next week, on Friday.', ['on=2026-12-04']],
    ['I am in Oslo next week from Monday to Wednesday.', days('2026-11-30', '2026-12-02')],
    ['The week after next on Tue, Wed and on Fri', ['on=2026-12-08', 'on=2026-12-09', 'on=2026-12-11']],
    ['Next week Mon-Wed I am off.', days('2026-11-30', '2026-12-02')],
    ['We meet next week on Tuesday and every Friday.', ['on=2026-12-01', 'every=5']],
    ['See you next weekend.', ['on=2026-12-05', 'on=2026-12-06']],
    ['My birthday is on 3 March.', ['on=2027-03-03']],
    ['We launched on 3 March.', ['on=2026-03-03']],
    ['Booked the hotel for Dec 3rd.', ['on=2026-12-03']],
    ['Notes of 24 Nov: shipped it.', ['on=2026-11-24']],
    ['Dentist 3 Dec, 8:15', ['on=2026-12-03']],
    ['The grant report is due by the 12th.', ['on=2026-12-12']],
    ['He leaves in 3 days.', ['on=2026-12-02']],
    ['In January we move offices.', ['in=2027-01']],
    ['The invoice of October was paid.', ['in=2026-10']],
    ['Standup every Monday at 9:30, retro on Thursdays', ['every=1', 'every=4']],
    ['due 2026-12-15, and 5.1.2027 at the latest', ['on=2026-12-15', 'on=2027-01-05']],
    ['Wednesday or Thursday', ['on=2026-12-02', 'on=2026-12-03']],
  ])('%j tells are %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test.each([
    ['Next week on Thursday and Friday', days('2026-12-03', '2026-12-04')],
    ['We are off next week, on Thursday we are back.', days('2026-11-30', '2026-12-06')],
    ['We meet next week on Tuesday, then on Friday.', ['on=2026-12-01', 'on=2026-11-27']],
  ])('said in the middle of a week, the days that %j tells are %j', (text, expected) => {
    expect(named(text, Date.UTC(2026, 10, 25, 12))).toEqual(expected);
  });

  test.each([
    ['Kenji is off from 3 to 5 December.', '2026-12-03', '2026-12-05'],
    ['Kenji is off from Monday 30 Nov to Wednesday 2 Dec.', '2026-11-30', '2026-12-02'],
    ['On call: 30 Nov – 6 Dec Ann', '2026-11-30', '2026-12-06'],
    ['Dana is on call Monday to Wednesday.', '2026-11-30', '2026-12-02'],
    ['The shop is closed from 24 December until 3 January.', '2026-12-24', '2027-01-03'],
    ['I am away until Thursday.', '2026-11-29', '2026-12-03'],
    ['We are away from 27 November to 4 December.', '2026-11-27', '2026-12-04'],
    ['Kenji is off Mon 7 to Wed 9 Dec.', '2026-12-07', '2026-12-09'],
    ['Kenji is off Mon 30 to Wed 2 Dec.', '2026-11-30', '2026-12-02'],
    ['Next week is the audit.', '2026-11-30', '2026-12-06'],
    ['I am off Mon-Wed.', '2026-11-30', '2026-12-02'],
    ['I am off Tue to Thu.', '2026-12-01', '2026-12-03'],
    ['I am off Fri – Mon', '2026-12-04', '2026-12-07'],
    ['We are away from Friday to Monday.', '2026-12-04', '2026-12-07'],
    ['I was off from Monday to Wednesday.', '2026-11-23', '2026-11-25'],
    ['I am in Oslo Mon-Fri next week.', '2026-11-30', '2026-12-04'],
    ['I am off Saturday to Monday next week.', '2026-11-28', '2026-11-30'],
    ['We are away Dec 3 to the 9th.', '2026-12-03', '2026-12-09'],
    ['Kenji is off January 3rd until the 9th, 2028', '2028-01-03', '2028-01-09'],
    ['Kenji is off Jan. 28 to the 3rd', '2027-01-28', '2027-02-03'],
    ['I was off from November 3 to the 9th.', '2026-11-03', '2026-11-09'],
    ['The rest of the month is quiet.', '2026-11-29', '2026-11-30'],
    ['The weekend after next we go skiing.', '2026-12-12', '2026-12-13'],
    ['The week after next I work from Lisbon.', '2026-12-07', '2026-12-13'],
  ])('%j tells are those from %s to %s', (text, from, until) => {
    expect(named(text).toSorted()).toEqual(days(from, until));
  });

  test('are those of their time before 1970 too', () => {
    expect(named('I am away until Friday.', Date.UTC(1969, 11, 30, 12))).toEqual(days('1969-12-30', '1970-01-02'));
  });

  test('may be on both sides where the sentence tells of both', () => {
    expect(named('We finished on Friday, and the demo is on Tuesday.').toSorted()).toEqual([
      'on=2026-11-24',
      'on=2026-11-27',
      'on=2026-12-01',
      'on=2026-12-04',
    ]);
    expect(named('We finished on Friday. The demo is on Tuesday.')).toEqual(['on=2026-11-27', 'on=2026-12-01']);
  });

  test.each([
    ['Yoga on Tuesdays except 1 December', ['every=2', 'not=2026-12-01']],
    [
      'Yoga on Tuesdays and Thursdays, except on 1, 8 and 10 December',
      ['every=2', 'not=2026-12-01', 'not=2026-12-08', 'every=4', 'not=2026-12-10'],
    ],
    ['Lunch every Friday but not on 11 December.', ['every=5', 'not=2026-12-11']],
    ['Lunch every Friday. Not on 11 December though.', ['every=5', 'not=2026-12-11']],
    ['Except on 1 December, yoga is every Tuesday.', ['every=2', 'not=2026-12-01']],
    ['Rent is due monthly on the 1st, but not in January.', ['monthly=1', 'not=2027-01-01']],
    ['Stand-up every weekday except Wednesday', [1, 2, 4, 5].map(every)],
    ['Open daily at 9 but not on Sundays and Mondays', [2, 3, 4, 5, 6].map(every)],
    [
      'Away from 30 November to 3 December except 1 December',
      ['on=2026-11-30', 'on=2026-12-02', 'on=2026-12-03', 'not=2026-12-01'],
    ],
    ['The office is open except on 24 December.', ['on=2026-12-24']],
    ['Why not Friday, or not until 3 December', ['on=2026-12-04', 'on=2026-12-03']],
  ])('%j leaves out exceptions: %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test.each([
    ['Yoga every Tuesday until 15 December', ['on=2026-12-01', 'on=2026-12-08', 'on=2026-12-15']],
    ['Yoga every Tuesday from 8 to 22 December', ['on=2026-12-08', 'on=2026-12-15', 'on=2026-12-22']],
    ['Cake every Monday in December, except on 14 December', ['on=2026-12-07', 'on=2026-12-21', 'on=2026-12-28']],
    ['Gym daily at 7 this week', days('2026-11-23', '2026-11-29')],
    [
      'Yoga every Tuesday and Thursday, starting on 8 December',
      ['every=2', 'not=2026-12-01', 'every=4', 'not=2026-12-03', 'on=2026-12-08'],
    ],
    ['From 8 December on yoga is every Tuesday.', ['on=2026-12-08', 'every=2', 'not=2026-12-01']],
    ['Since 3 November we meet every Tuesday.', ['on=2026-11-03', 'every=2']],
    [
      'Rent is due monthly on the 15th from February.',
      ['monthly=15', 'not=2026-12-15', 'not=2027-01-15', 'in=2027-02'],
    ],
    ['Yoga every Tuesday, away until 1 December', ['every=2', ...days('2026-11-29', '2026-12-01')]],
    ['From Monday I am in Oslo, yoga is every Tuesday.', ['on=2026-11-30', 'every=2']],
    ['Yoga every Tuesday and a trip from 8 to 9 December', ['every=2', 'on=2026-12-08', 'on=2026-12-09']],
    ['Yoga every Tuesday until 1 March 2029', ['every=2']],
    ['From 3 December on the stand-up is at 9:15.', ['on=2026-12-03']],
  ])('%j has what recurs from and until a day: %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test.each([
    ['Yoga every other Tuesday from 3 November', '2026-11-03'],
    ['Every two weeks on Tuesday, from 24 November', '2026-11-24'],
    ['Choir every second Friday, starting 1 December', '2026-12-04'],
    ['Choir every second Friday. The next one is on 11 December.', '2026-12-11'],
    ['Choir biweekly on Mondays (last on 23 November)', '2026-11-23'],
    ['Fortnightly on Mondays since 5 January 1970', '1970-01-05'],
  ])('%j names every other week from a day of it: %s', (text, day) => {
    const [first] = named(text);
    const isOn = (later: number) => recurringTermsOn(Date.parse(day) + later * DAY_MS).includes(first as string);
    expect([0, 14, 140, -14].map(isOn)).toEqual([true, true, true, true]);
    expect([1, 6, 7, 8, 21, -7].some(isOn)).toBe(false);
  });

  test.each([
    ['Yoga every other Tuesday', ['every=2']],
    ['Yoga on Tuesdays, biweekly. Ann comes on 3 December.', ['every=2', 'on=2026-12-03']],
    ['Choir every other Tuesday until 15 December', ['on=2026-12-01', 'on=2026-12-08', 'on=2026-12-15']],
  ])('%j names each of these weekdays, since nothing tells which week: %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test('on a weekday of each month are its first, second, third, fourth or last one', () => {
    expect(named('We meet on the first Monday of every month.')).toEqual(['nth=1/1']);
    expect(named('Board: every second Friday of the month, except on 11 December')).toEqual([
      'nth=2/5',
      'not=2026-12-11',
    ]);
    expect(named('The last Thursday of each month')).toEqual(['nth=-1/4']);
    const onDay = (day: string) => recurringTermsOn(Date.parse(day)).filter((term) => term.startsWith('nth='));
    expect(onDay('2026-12-07')).toEqual(['nth=1/1']);
    expect(onDay('2026-12-11')).toEqual(['nth=2/5']);
    expect(onDay('2026-12-24')).toEqual(['nth=4/4']);
    expect(onDay('2026-12-31')).toEqual(['nth=5/4', 'nth=-1/4']);
    expect(onDay('2026-11-26')).toEqual(['nth=4/4', 'nth=-1/4']);
  });

  test.each([
    ['Lunch w/ Sofia thurs 12:30, Sprint ends Fri', ['on=2026-12-03', 'on=2026-12-04']],
    ['See you Thu or Fri, back Mon', ['on=2026-12-03', 'on=2026-12-04', 'on=2026-11-30']],
    ['The vet is moved to next tues 4pm.', ['on=2026-12-01']],
    ['Piano every Wed 17:00, swimming Sat 9:30', ['every=3', 'on=2026-12-05']],
    ['Thu, Dec 10 and Wed Dec 9th', ['on=2026-12-10', 'on=2026-12-09']],
    ['Office closed Mon 30 Nov', ['on=2026-11-30']],
    ['Flight on 7 Jan, back on the 11th', ['on=2027-01-07', 'on=2027-01-11']],
    ['Tom had surgery and is back on the 9th.', ['on=2026-12-09']],
    [
      'Tom got sick, and he will be back on the 9th. They said that we come back on Friday.',
      ['on=2026-12-09', 'on=2026-12-04'],
    ],
    ['We ordered the sofa and it arrives on the 9th, the rest due on the 28th.', ['on=2026-12-09', 'on=2026-12-28']],
    [
      'He was back on the 9th, had to come back on the 28th, and the rent was due on the 11th.',
      ['09', '28', '11'].map((day) => `on=2026-11-${day}`),
    ],
    ['We met on the 9th and it went well.', ['on=2026-11-09']],
    ['The rent fell due on the 9th, the tax came due on the 11th.', ['on=2026-11-09', 'on=2026-11-11']],
    ['Choir is on the last Friday in May, not on the 8th.', ['on=2027-05-28', 'on=2027-05-08']],
    ['The audit is on 4 January, not on the 3rd or by the 2nd.', ['on=2027-01-04', 'on=2027-01-03', 'on=2026-12-02']],
    ['It was on 20 October and not on the 8th.', ['on=2026-10-20', 'on=2026-10-08']],
    ['Moved to 30 November, not on the 3rd', ['on=2026-11-30', 'on=2026-12-03']],
    [
      'Yoga every Tuesday until 5 January, not on the 1st',
      [8, 15, 22, 29].map((day) => on(Date.UTC(2026, 11, day))).concat('on=2027-01-05'),
    ],
    ["Ana's birthday is Dec 1, mine is the 3rd.", ['on=2026-12-01', 'on=2026-12-03']],
    ["Olek's last day is the 30th.", ['on=2026-11-30']],
    ["Rent's due on the 1st as always, tickets for the 12th are sold out.", ['on=2026-12-01', 'on=2026-12-12']],
    ['The 14th works for me.', ['on=2026-12-14']],
    ['Exam day after tomorrow', ['on=2026-12-01']],
    ['I am in Berlin the first week of December.', days('2026-12-01', '2026-12-07')],
    ['Due at the end of January', ['on=2027-01-31']],
    ['We are closed between Christmas and New Year.', days('2026-12-25', '2027-01-01')],
    [
      'The audit is the month after next, the review on Tuesday in the week after next.',
      ['in=2027-01', 'on=2026-12-08'],
    ],
    ['The party is the Saturday after next, or tomorrow week.', ['on=2026-12-12', 'on=2026-12-07']],
    [
      'Rescheduled to Dec 3 (was Dec 2), slipped from Dec 4 to Dec 15',
      ['12-03', '12-02', '12-04', '12-15'].map((day) => `on=2026-${day}`),
    ],
    ['Holiday: 21.12.–3.1., now Mon 30.11. 14:00', [...days('2026-12-21', '2027-01-03'), 'on=2026-11-30']],
    ['No call until Monday', ['on=2026-11-30']],
    ['It was paid on the 7th, and Tom has an interview on the 16th, told nobody.', ['on=2026-11-07', 'on=2026-12-16']],
    ['From feb on, in march', ['in=2027-02', 'in=2027-03']],
    ['I finished it for this Friday.', ['on=2026-12-04']],
  ])('%j, as people write it, tells are %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test.each([
    'The sat nav is broken and the sun was out, mon ami.',
    'They wed in secret, Thu Nguyen said.',
    'He is the 2nd of three, she was the 5th.',
    'It is for the 3rd party, it was the 12th one on the list.',
    'tue-bot at fri.example.com',
    'Every sun lounger and every sat phone',
    'Party the Saturday before',
    'We made changes from 1.2. to 1.3., sections 2.1.–2.4.',
  ])('are none in %j, which has other words', (text) => {
    expect(named(text)).toEqual([]);
  });

  test.each([
    ['The report is due 12/15.', ['on=2026-12-15']],
    ['Away from 12/14 to 12/18', days('2026-12-14', '2026-12-18')],
    ['Dentist Tue 12/15 2pm, or on 16/12', ['on=2026-12-15', 'on=2026-12-16']],
    ['Fri 12/4 and Fri 4/12', ['on=2026-12-04', 'on=2026-12-04']],
    ['Draft by 12/4, final by 12/15', ['on=2026-12-04', 'on=2026-12-15']],
    ['Call on 2.12. at 10, oder am 3.12., Mi 9.12.', ['on=2026-12-02', 'on=2026-12-03', 'on=2026-12-09']],
    ['Urlaub vom 2.12. bis 4.12.', days('2026-12-02', '2026-12-04')],
    ['Dentist Monday week, a week on Tuesday the fitting', ['on=2026-12-07', 'on=2026-12-08']],
    ['We move two weeks from tomorrow.', ['on=2026-12-14']],
  ])('%j tells are %j, though its form may be another thing', (text, expected) => {
    expect(named(text)).toEqual([...new Set(expected)]);
  });

  test.each([
    'Support is on 24/7.',
    '12/15 tests pass, it runs on 12/15 servers, the ratio is 12/15',
    'We meet on 3/4.',
    'A bolt since 9/16 inch',
    'We are on 2.12.',
    'Wed 2/15',
    'Mo 2.12.',
    'on 31/31 and by 0/15',
  ])('are none in %j, which is no day for sure', (text) => {
    expect(named(text)).toEqual([]);
  });

  test.each([
    'The meeting room on the 12th floor',
    'We did it in 3 days.',
    'It may rain on the march.',
    'Node 20 may be too old.',
    'v1.2.3 runs on port 2026',
    'the weekday of the month',
    'steps 3 and 4 may fail before Friday of the week',
    'CVE-2026-11-29x and foo2026-11-29',
    'We sold 40 on Black Friday and 30 on Cyber Monday.',
    'Happy Friday!',
    'On a quiet Sunday all was as it should be.',
    'The Sunday roast was in the Sunday Times.',
    'We plan with Monday.com.',
    'Was it a Tuesday?',
    'Fridays for Future',
    'We find it by sat nav.',
    'Gym Mon-Wed-Fri',
    'Candles on the first Sunday in Advent, and yoga every third Monday',
    'The Christmas party, the Halloween menu, happy New Year',
    'In the new year we grow.',
    'The week before Christmas is full.',
    'The backup runs daily.',
    'a quarter of an hour, Q3 of the survey, the end of the queue',
    'logs/2026/12/15/app.log',
    '3/4/2026',
    'March to the office, May is on call',
    '',
  ])('are none in %j', (text) => {
    expect(named(text)).toEqual([]);
  });

  test('are those of a date in any common form, and a question about it asks for the same', () => {
    const forms = [
      (at: number) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at),
      (at: number) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at),
      (at: number) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(at),
      (at: number) => new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' }).format(at),
      (at: number) => new Date(at).toISOString().slice(0, 10),
    ];
    const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2089, 11, 31) });
    fc.assert(
      fc.property(instant, fc.constantFrom(...forms), (at, form) => {
        const text = `It is on ${form(at)}.`;
        expect(named(text)).toEqual([on(at)]);
        const side = at > SAID ? 'ahead' : 'past';
        const period = periodNamed(text, SAID, side);
        expect(period && termsOfAsked(period, { recurring: false })).toContain(on(at));
      }),
    );
  });

  test('are looked for in all of a long text, the first 400, in one piece of work each', () => {
    const steps = namedDaysInSteps('on 3 May '.repeat(20_000), SAID);
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBe(400);
    expect(named(`${'word '.repeat(39_000)} tomorrow`)).toEqual(['on=2026-11-30']);
  });

  test.each([
    'Mon-',
    'Mon to ',
    'Monday to ',
    'the first Monday of the ',
    'end of the ',
    '12/12/',
    'every month on the ',
    'back Mon, Fri and ',
    'no call until Monday from Monday ',
    'on 12/15 Mon 1.2. ',
    'a week from ',
    'except on Monday, every Tuesday from ',
    '7, ',
    'Mon 7, ',
    '7 and 8/9, the 7th, ',
  ])(
    'are looked for in time that grows with the length of %j as often as a message has room for it, not with its square',
    (piece) => {
      const text = piece.repeat(LONGEST_MESSAGE / piece.length);
      expect(dayExpressionsIn(text).every(({ start, end }) => start < end)).toBe(true);
      expect(named(text).length).toBeLessThan(100);
    },
  );
});

describe('a question', () => {
  const asked = (from: string, until: string, unit: 'day' | 'month' | 'year', recurring: boolean) =>
    termsOfAsked({ from: Date.parse(from), until: Date.parse(until), unit, ofAnyYear: false }, { recurring });

  test('about a day asks for that day, and may ask for what happens on each such weekday or day of the month', () => {
    const named = ['on=2026-11-30', 'not=2026-11-30'];
    const recurring = ['every=1', 'monthly=30', 'fortnight=11', 'nth=5/1', 'nth=-1/1'];
    expect(asked('2026-11-30', '2026-12-01', 'day', true)).toEqual([...named, ...recurring]);
    expect(asked('2026-11-30', '2026-12-01', 'day', false)).toEqual(named);
  });

  test('about a month asks for it and for its days', () => {
    expect(asked('2026-12-01', '2027-01-01', 'month', true)).toEqual([
      'in=2026-12',
      ...days('2026-12-01', '2026-12-31'),
    ]);
  });

  test('about a quarter asks for it and for its months', () => {
    const quarter = { from: Date.UTC(2026, 9), until: Date.UTC(2027, 0), unit: 'quarter', ofAnyYear: false } as const;
    expect(termsOfAsked(quarter, { recurring: true }).toSorted()).toEqual(
      ['in=2026-10', 'in=2026-11', 'in=2026-12', 'in=2026-Q4', ...days('2026-10-01', '2026-12-31')].toSorted(),
    );
  });

  test('about a year asks for no days', () => {
    expect(asked('2026-01-01', '2027-01-01', 'year', false)).toEqual([]);
  });
});
