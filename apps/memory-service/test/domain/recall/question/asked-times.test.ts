import { expect, test } from '@jest/globals';
import { timesAsked } from '../../../../src/domain/recall/question/asked-times.ts';

/** A Sunday. */
const NOW = Date.UTC(2026, 10, 29, 12);
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
/** The first and the last day. */
const spanOf = (text: string) => {
  const { ahead } = timesAsked(text, NOW);
  return ahead && `${dayOf(ahead.from)} ${dayOf(ahead.until - 1)}`;
};

test.each([
  ['What is on today?', '2026-11-29 2026-11-29'],
  ['What is on tomorrow?', '2026-11-30 2026-11-30'],
  ['What is on on Friday?', '2026-12-04 2026-12-04'],
  ['Who is on call on Monday the 7th?', '2026-12-07 2026-12-07'],
  ['Is Dana here next week?', '2026-11-30 2026-12-06'],
  ['What is in the diary for the week after next?', '2026-12-07 2026-12-13'],
  ['What does the weekend look like?', '2026-11-28 2026-11-29'],
  ['What is on next weekend?', '2026-12-05 2026-12-06'],
  ['What happens on the 12th?', '2026-12-12 2026-12-12'],
  ['What is due by Tuesday?', '2026-11-29 2026-12-01'],
  ['Who comes by the side door on Tuesday?', '2026-12-01 2026-12-01'],
  ['What is planned for late January?', '2027-01-21 2027-01-31'],
  ['What is planned for March?', '2027-03-01 2027-03-31'],
  ['Anything from 14 to 18 December?', '2026-12-14 2026-12-18'],
  ['What was planned for tomorrow?', '2026-11-30 2026-11-30'],
  ['What is due in the next two weeks?', '2026-11-29 2026-12-13'],
  ['Any deadlines within 10 days?', '2026-11-29 2026-12-09'],
  ['What happens over the coming weeks?', '2026-11-29 2026-12-20'],
  ['Is anybody away in the following two days?', '2026-11-29 2026-12-01'],
  ['What is planned for the next fortnight?', '2026-11-29 2026-12-13'],
  ['What is on for the rest of the week?', '2026-11-29 2026-11-29'],
  ['What is planned for next quarter?', '2027-01-01 2027-03-31'],
  ['What has to happen by the end of the year?', '2026-11-29 2026-12-31'],
  ['What is due before Christmas?', '2026-11-29 2026-12-25'],
  ['What is due by EOW?', '2026-11-27 2026-11-29'],
  ['What was planned for Friday?', '2026-12-04 2026-12-04'],
  ['What did we book for Saturday?', '2026-12-05 2026-12-05'],
  ['What is on on 15/12?', '2026-12-15 2026-12-15'],
  ['What is due by 12/15?', '2026-11-29 2026-12-15'],
  ['What is on Monday week?', '2026-12-07 2026-12-07'],
  ['Who is here two weeks from Friday?', '2026-12-18 2026-12-18'],
  ['Who has the phone sat 5 and sun 6 dec?', '2026-12-05 2026-12-06'],
  ['What is coming up?', '2026-11-29 2026-12-29'],
  ["What is on Ann's calendar?", '2026-11-29 2026-12-29'],
])('%j asks for %s ahead', (text, span) => {
  expect(spanOf(text)).toBe(span);
});

test.each([
  'What did we decide on Friday?',
  'What did we plan on Friday?',
  'What did we buy for Friday?',
  'What happened in March?',
  'Which backups failed on Friday?',
  'What does Ann say on Friday?',
  "What's new today?",
  'Any news this week?',
  'What was on yesterday?',
  'Which database do we use?',
  'How often has Mel gone there in 2023?',
])('%j asks for none ahead', (text) => {
  expect(spanOf(text)).toBeNull();
});

/** What speaks of a day, and what happens on each such day. */
const named = (day: string) => [`on=${day}`, `not=${day}`];
const FRIDAY = [...named('2026-12-04'), 'every=5', 'monthly=4', 'fortnight=1', 'nth=1/5'];

test('a question about the past asks for the days of the past, and one about a month for the last one and the next', () => {
  expect(timesAsked('What did we decide on Friday?', NOW).days).toEqual(named('2026-11-27'));
  expect(timesAsked('Who is on call on Friday?', NOW).days).toEqual(FRIDAY);
  const { days } = timesAsked('What is planned for March?', NOW);
  expect(days.filter((day) => day.startsWith('in='))).toEqual(['in=2026-03', 'in=2027-03']);
  expect(timesAsked('Which database do we use?', NOW).days).toEqual([]);
});

test('what was planned for or on a weekday asks for the last one and the next', () => {
  expect(timesAsked('What did we plan for Friday?', NOW).days).toEqual([...named('2026-11-27'), ...FRIDAY]);
  expect(timesAsked('What is planned for Friday?', NOW).days).toEqual(FRIDAY);
  expect(timesAsked('What did we agree on Friday?', NOW).days).toEqual([
    ...named('2026-11-27'),
    ...named('2026-12-04'),
  ]);
});

test('a question about this quarter in its first days has no time', () => {
  const asked = timesAsked('What broke this quarter?', Date.UTC(2026, 9, 2));
  expect(asked).toMatchObject({ past: null, ahead: null, days: [] });
  expect(timesAsked('What broke this quarter?', Date.UTC(2026, 9, 16)).past).not.toBeNull();
});

test.each([
  ['I was ill last week. What broke on 14 November? They want it by Monday.', '2026-11-14', null],
  ['Yesterday I cleaned up. What is planned for 3 December? I may be late.', '2025-12-03', '2026-12-03'],
  ['My train leaves at noon today. How much does the parcel weigh? Then I can go.', null, null],
  ['Who is off?\nI have to know by Friday.', null, null],
])('in %j the times are those of what it asks, and none of the rest', (text, past, ahead) => {
  const times = timesAsked(text, NOW);
  expect(times.past && dayOf(times.past.from)).toBe(past);
  expect(times.ahead && dayOf(times.ahead.from)).toBe(ahead);
});
