import { describe, expect, jest, test } from '@jest/globals';
import { en } from 'chrono-node';
import { periodNamed } from '../../../../src/domain/text/times/period-named.ts';

/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 18, 12);
const day = (text: string) => Date.parse(text);

describe('the time that a question names', () => {
  test.each([
    ['What did we decide yesterday?', '2026-03-17', '2026-03-18', 'day'],
    ['What did we decide today, or yesterday?', '2026-03-18', '2026-03-19', 'day'],
    ['What broke yesterday morning?', '2026-03-17', '2026-03-18', 'day'],
    ['What broke the day before yesterday?', '2026-03-16', '2026-03-17', 'day'],
    ['what did we decide last Monday', '2026-03-16', '2026-03-17', 'day'],
    ['What was planned on Friday?', '2026-03-13', '2026-03-14', 'day'],
    ['What happened on 8 May, 2023?', '2023-05-08', '2023-05-09', 'day'],
    ['what did Ann say on 2023-05-08', '2023-05-08', '2023-05-09', 'day'],
    ['What did she paint in May 2023?', '2023-05-01', '2023-06-01', 'month'],
    ['What did she paint in 5/2023?', '2023-05-01', '2023-06-01', 'month'],
    ['What did she paint in 2023-05?', '2023-05-01', '2023-06-01', 'month'],
    ['What did she paint on 2023-05.12?', '2023-05-12', '2023-05-13', 'day'],
    ['What did she paint in 2023/05.', '2023-05-01', '2023-06-01', 'month'],
    ['What was shipped from 2023-05 to 2023-07?', '2023-05-01', '2023-08-01', 'month'],
    ['When did we camp in June?', '2025-06-01', '2025-07-01', 'month'],
    ['What broke on Tuesday last week?', '2026-03-10', '2026-03-11', 'day'],
    ['What broke last week on Tue?', '2026-03-10', '2026-03-11', 'day'],
    ['Who was in this week on Monday?', '2026-03-16', '2026-03-17', 'day'],
    ['What broke this week?', '2026-03-16', '2026-03-23', 'week'],
    ['What broke last week?', '2026-03-09', '2026-03-16', 'week'],
    ['What broke in the last 3 days?', '2026-03-15', '2026-03-19', 'week'],
    ['What did she do the weekend before April 10, 2023?', '2023-04-10', '2023-04-11', 'day'],
    ['What was paid on 12-MAY-2025?', '2025-05-12', '2025-05-13', 'day'],
    ['What was paid in SEP-2025?', '2025-09-01', '2025-10-01', 'month'],
    ['What was paid in 2025.', '2025-01-01', '2026-01-01', 'year'],
    ['How did sales go in 2023?', '2023-01-01', '2024-01-01', 'year'],
    ['Where did he move from 4 years ago?', '2022-01-01', '2023-01-01', 'year'],
    ['What was said between August 11 and August 15 2023?', '2023-08-11', '2023-08-16', 'day'],
    ['What was said from the 11th to the 15th of August 2023?', '2023-08-11', '2023-08-16', 'day'],
    ['What was said from the 28th to the 3rd of January 2026?', '2025-12-28', '2026-01-04', 'day'],
    ['What was said between the lines on 11 May 2023?', '2023-05-11', '2023-05-12', 'day'],
    ['What was shipped on 03.04.2025?', '2025-04-03', '2025-04-04', 'day'],
    ['What was shipped on 23.4.2025?', '2025-04-23', '2025-04-24', 'day'],
    ['What broke in the evening of 4 May 2025?', '2025-05-04', '2025-05-05', 'day'],
    ['What broke two days ago?', '2026-03-16', '2026-03-17', 'day'],
    ['What broke in the week of 4 May 2025?', '2025-04-28', '2025-05-05', 'week'],
    ['How many came at the beginning of May 2025?', '2025-05-01', '2025-05-11', 'week'],
    ['How many came in mid-May 2025?', '2025-05-11', '2025-05-21', 'week'],
    ['How many came in late February 2024?', '2024-02-21', '2024-03-01', 'week'],
    ['How many came at the end of April?', '2025-04-21', '2025-05-01', 'week'],
    ['How many came at the end of February?', '2026-02-21', '2026-03-01', 'week'],
    ['How many came in the second week of May, 2025?', '2025-05-08', '2025-05-15', 'week'],
    ['How many came in the 3rd week of May 2025?', '2025-05-15', '2025-05-22', 'week'],
    ['How many came in the last week of May 2025?', '2025-05-25', '2025-06-01', 'week'],
    ['What broke in the week before last?', '2026-03-02', '2026-03-09', 'week'],
    ['What broke the month before last?', '2026-01-01', '2026-02-01', 'month'],
    ['What broke the day before?', '2026-03-17', '2026-03-18', 'day'],
    ['What did Ann say two days before about it?', '2026-03-16', '2026-03-17', 'day'],
    ['What broke last week before the release?', '2026-03-09', '2026-03-16', 'week'],
    ['What broke yesterday before the release?', '2026-03-17', '2026-03-18', 'day'],
    ['What broke on Friday before lunch?', '2026-03-13', '2026-03-14', 'day'],
    ['What broke in the last week of the project in May 2025?', '2025-05-01', '2025-06-01', 'month'],
    ['What broke in the last month of 2025?', '2025-01-01', '2026-01-01', 'year'],
    ['What broke the day before 5 May 2025?', '2025-05-04', '2025-05-05', 'day'],
    ['What broke in the first half of February?', '2026-02-01', '2026-02-16', 'week'],
    ['What broke in the second half of February?', '2026-02-16', '2026-03-01', 'week'],
    ['What broke in the first days of May 2025?', '2025-05-01', '2025-05-11', 'week'],
    ['What broke on the first day of May 2025?', '2025-05-01', '2025-05-02', 'day'],
    ['What broke on the 2nd day of May 2025?', '2025-05-02', '2025-05-03', 'day'],
    ['What broke in the first week of this month?', '2026-03-01', '2026-03-08', 'week'],
    ['What broke early last month?', '2026-02-01', '2026-02-11', 'week'],
    ['What broke on the 9th of last month?', '2026-02-09', '2026-02-10', 'day'],
    ['What broke between 5 and 9 May 2025?', '2025-05-05', '2025-05-10', 'day'],
    ['What broke between the 5th and the 9th of May 2025?', '2025-05-05', '2025-05-10', 'day'],
    ['What broke from the 5th to the 9th of May 2025?', '2025-05-05', '2025-05-10', 'day'],
    ['What did we decide on the 9th?', '2026-03-09', '2026-03-10', 'day'],
    ['Who was there in the week of the 9th?', '2026-03-09', '2026-03-16', 'week'],
    ['What did we do at the weekend?', '2026-03-14', '2026-03-16', 'week'],
    ['What did we do last weekend?', '2026-03-14', '2026-03-16', 'week'],
    ['What broke last quarter?', '2025-10-01', '2026-01-01', 'quarter'],
    ['What broke this quarter?', '2026-01-01', '2026-04-01', 'quarter'],
    ['What broke in Q3?', '2025-07-01', '2025-10-01', 'quarter'],
    ['What broke in Q3 2024?', '2024-07-01', '2024-10-01', 'quarter'],
    ['What broke in the first quarter of 2025?', '2025-01-01', '2025-04-01', 'quarter'],
    ['What broke in the first half of the year?', '2026-01-01', '2026-07-01', 'year'],
    ['What broke in the second half of 2025?', '2025-07-01', '2026-01-01', 'year'],
    ['What broke at the end of last week?', '2026-03-13', '2026-03-16', 'week'],
    ['What broke at the end of last month?', '2026-02-21', '2026-03-01', 'week'],
    ['What broke at the end of last year?', '2025-12-01', '2026-01-01', 'month'],
    ['What broke on the first Monday of February?', '2026-02-02', '2026-02-03', 'day'],
    ['What broke on the last Friday of May 2025?', '2025-05-30', '2025-05-31', 'day'],
    ['What broke at Christmas?', '2025-12-25', '2025-12-26', 'day'],
    ["What broke on New Year's Eve?", '2025-12-31', '2026-01-01', 'day'],
    ['What did Ann say last week about this quarter?', '2026-03-09', '2026-03-16', 'week'],
    ['What did Ann say on 3 February about the end of the week?', '2026-02-03', '2026-02-04', 'day'],
    ['Who was off Mon-Wed?', '2026-03-16', '2026-03-19', 'day'],
    ['Who was on call on Fri?', '2026-03-13', '2026-03-14', 'day'],
    ['Who swept the floor on the Friday?', '2026-03-13', '2026-03-14', 'day'],
    ['What did we decide on the 31st?', '2026-01-31', '2026-02-01', 'day'],
    ['What did Ann say on Monday the 9th about it?', '2026-03-09', '2026-03-10', 'day'],
    ['What happened last night?', '2026-03-17', '2026-03-19', 'day'],
    ['What did Ann say this morning?', '2026-03-18', '2026-03-19', 'day'],
    ['What broke two weeks ago?', '2026-03-02', '2026-03-09', 'week'],
    ['What broke a fortnight ago?', '2026-03-02', '2026-03-09', 'week'],
    ['What broke over the last fortnight?', '2026-03-04', '2026-03-19', 'week'],
    ['What broke in the past 48 hours?', '2026-03-16', '2026-03-19', 'week'],
    ['What broke in the last couple of days?', '2026-03-16', '2026-03-19', 'week'],
  ])('in "%s" is %s until %s', (text, from, until, unit) => {
    expect(periodNamed(text, NOW)).toMatchObject({ from: day(from), until: day(until), unit });
  });

  test.each(['  ', ' \t', '\r\n', ' '.repeat(5)])('is the same where words stand %j apart', (blanks) => {
    const apart = (text: string) => text.replaceAll(' ', blanks);
    for (const text of ['What happened on 8 May, 2023?', 'What broke last week?', 'in May 2023']) {
      expect(periodNamed(apart(text), NOW)).toEqual(periodNamed(text, NOW));
    }
    // With all these blanks the parser would work for half a second.
    expect(periodNamed('a year  '.repeat(40), NOW)).toEqual(periodNamed('a year '.repeat(42), NOW));
  });

  test('is of any year where it names a month without one', () => {
    const texts = [
      'in June',
      'late in June',
      'early June',
      'early June 2025',
      '3 to 5 May 2025',
      'on 3 May',
      'in May 2023',
      'last month',
      'yesterday',
      'in 2023',
      'on Friday',
    ];
    expect(texts.map((text) => periodNamed(text, NOW)?.ofAnyYear)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test.each([
    'Which framework was chosen?',
    'Sat down with the team about it',
    'It may rain on the march',
    'v1.2.3 at 5',
    'The meeting at 10:30',
    'On which weekday do we deploy?',
    'How many days does it take now?',
    'Now how many days does it take?',
    'What comes next month?',
    'What is due at the end of the queue?',
    'What comes in late May 2026?',
    'Port 2023 is taken',
    'What did she dislike in MAR-301?',
    'Who closed DEC-4?',
    'What came in 2025.12.0?',
    'Which file is CVE-2023-05 in?',
    'What does 2023-05-x mean?',
    'Who called this number: 0151 23456',
    'What broke the day before the release?',
    'What broke in the week before we moved?',
    'What broke two days before the demo?',
    'What broke the Friday before the release?',
    'What broke on the Friday of the fair?',
    'What broke in the last week of the holiday?',
    'What broke in the last two weeks of term?',
    'What broke in the last week before the release?',
    'Last day of the sprint',
    'Who lived on the 9th floor?',
    'Which one was the 9th?',
    'What is due on the 30th?',
    'What did we decide on the 32nd?',
    'What comes in the week of the 30th?',
    "Who took Ann's weekend?",
    'Who pays for our weekend in the hills?',
    'How high is the weekend rate?',
    'Who broke the Friday rule?',
    'What did we sell on Black Friday?',
    'Who likes Monday.com?',
    'Who drives by sat nav?',
    'Who came on the first Sunday in Advent?',
    'What did we buy for Christmas?',
    'Who paid for the Christmas party?',
    'Who waited a quarter of an hour?',
    'What is next quarter about?',
    'Which question is Q3?',
    'What is left for the rest of the week?',
    '',
  ])('is none in "%s"', (text) => {
    expect(periodNamed(text, NOW)).toBeNull();
  });

  test.each([
    ['What is on today?', '2026-03-18', '2026-03-19'],
    ['What is on on Monday?', '2026-03-23', '2026-03-24'],
    ['What is on in March?', '2026-03-01', '2026-04-01'],
    ['What is on in February?', '2027-02-01', '2027-03-01'],
    ['What is on in late February?', '2027-02-21', '2027-03-01'],
    ['What is on in mid March?', '2026-03-11', '2026-03-21'],
    ['What is on in early March?', '2027-03-01', '2027-03-11'],
    ['What is on on 17 March?', '2027-03-17', '2027-03-18'],
    ['What is on on 3 May 2026?', '2026-05-03', '2026-05-04'],
    ['What is on in two weeks?', '2026-03-30', '2026-04-06'],
    ['What is on this weekend?', '2026-03-21', '2026-03-23'],
    ['What is on at the weekend?', '2026-03-21', '2026-03-23'],
    ['What is due on the 30th?', '2026-03-30', '2026-03-31'],
    ['What is due on the 17th?', '2026-04-17', '2026-04-18'],
    ['What is left for the rest of the week?', '2026-03-18', '2026-03-23'],
    ['What is due later this week?', '2026-03-18', '2026-03-23'],
    ['What is due next quarter?', '2026-04-01', '2026-07-01'],
    ['What is due in Q1?', '2026-01-01', '2026-04-01'],
    ['What is due at the end of the year?', '2026-12-01', '2027-01-01'],
    ['What is due on the 7th of next month?', '2026-04-07', '2026-04-08'],
    ['What is due on the last Friday of February?', '2027-02-26', '2027-02-27'],
    ['What is due by Christmas?', '2026-12-25', '2026-12-26'],
    ['What is due by next Christmas?', '2026-12-25', '2026-12-26'],
  ])('ahead in "%s" is %s until %s', (text, from, until) => {
    expect(periodNamed(text, NOW, 'ahead')).toMatchObject({ from: day(from), until: day(until) });
  });

  test.each([
    'What was on yesterday?',
    'What was on last week?',
    'What was on 2 days ago?',
    'on 3 May 2025',
    'Who asked for 21 days?',
    'Do we keep logs for a month?',
    'What ran within 2 hours?',
  ])('ahead is none in "%s"', (text) => {
    expect(periodNamed(text, NOW, 'ahead')).toBeNull();
  });

  test('is looked for at the beginning of a long text only', () => {
    expect(periodNamed(`${'word '.repeat(40_000)} yesterday`, NOW)).toBeNull();
  });

  test.each([
    ['dates', 'on 3 May at 5 pm '.repeat(12_000)],
    ['blanks, which the parser is slow in', 'a year  \t '.repeat(20_000)],
    ['dots, which are written out', '1.1.2023 '.repeat(20_000)],
    ['letters', `3 May ${'a'.repeat(200_000)}`],
  ])('has the parser read 300 characters of 200,000, once, without blanks in a row: %s', (_name, text) => {
    const parse = jest.spyOn(en.Chrono.prototype, 'parse');
    periodNamed(text, NOW);
    const read = parse.mock.calls.map(([given]) => given);
    parse.mockRestore();
    expect(read).toHaveLength(1);
    // Each date with dots becomes two characters longer.
    expect(read[0]?.length).toBeLessThanOrEqual(300 + 2 * 34);
    expect(read[0]).not.toMatch(/\s\s/);
  });
});
