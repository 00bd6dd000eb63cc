import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { marksOf } from '../../../../src/domain/text/sentences/text-marks.ts';

test.each([
  ['How are you?', true],
  ['"How are you?"', true],
  ['Look, is it not nice? [a photo of a cat]', true],
  ['元気ですか？', true],
  ['Is it? Yes.', false],
  ['Is it (really?) so', false],
  [`${'?'.repeat(1_000)} no`, false],
  ['', false],
])('"%s" is a question: %s', (text, isQuestion) => {
  expect(marksOf(text).isQuestion).toBe(isQuestion);
});

test.each([
  ['I went there yesterday', true],
  ['We met in May', true],
  ['since 2019', true],
  ['two weeks ago', true],
  ['Sam swims on Mondays', true],
  ['the 28th then', true],
  ['he works Tue and Wed', true],
  ['away 26 Mar to 6 Apr', true],
  ['due Sept. 3', true],
  ['the marked seat is free', false],
  ['in 28 then', false],
  ['They left early', false],
  ['room 12019', false],
  ['Dana is 41 years old', false],
  ['it lasts 3 years', true],
])('"%s" tells a time: %s', (text, tellsTime) => {
  expect(marksOf(text).tellsTime).toBe(tellsTime);
});

test.each([
  ['The backup runs at 2:00', true],
  ['open from 9 am', true],
  ["at 7 o'clock", true],
  ['lunch is at noon', true],
  ['due after 14 days', true],
  ['it takes 90 mins', true],
  ['a score of 2:1', false],
  ['those days', false],
  ['I am 9', false],
])('"%s" tells a time of day or a span: %s', (text, tellsClockOrSpan) => {
  expect(marksOf(text).tellsClockOrSpan).toBe(tellsClockOrSpan);
});

test('words of any script are counted', () => {
  expect(marksOf('Two words, три слова!').words).toBe(4);
});

test('words of a long text are counted once, wherever it is read in parts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.array(fc.constantFrom('a', 'слово', '𐐀𐐀', '12', '—', "'"), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('', ' '),
      (shift, words, between) => {
        const text = `${' '.repeat(shift)}${words.join(between).concat(between).repeat(6_000)}`;
        // The count by one regular expression over the whole text.
        expect(marksOf(text).words).toBe(text.split(/[^\p{L}\p{N}]+/u).filter(Boolean).length);
      },
    ),
    { numRuns: 40 },
  );
});
