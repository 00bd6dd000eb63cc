import { describe, expect, jest, test } from '@jest/globals';
import * as en from 'chrono-node/en';
import fc from 'fast-check';
import { dateParser } from '../../../../src/domain/text/times/date-parser.ts';

const NOW = new Date(Date.UTC(2026, 2, 18, 12));
const PARTS = ['year', 'month', 'day', 'weekday', 'hour', 'minute'] as const;
const WORDS =
  'on in at the a for from since between and , - / . ? ( 3 May 12 march Mar 2024 2024-05-03 3/4/2024 3/2024 5pm am 10:30 UTC EST tomorrow yesterday today tonight last next this past week month years days two half few six ago before later noon morning weekend Monday tue fri 1st third BC quarter early meeting é 漢';
/** Words with and without blanks between them. */
const TEXTS = fc
  .array(fc.tuple(fc.constantFrom(...WORDS.split(' ')), fc.constantFrom(' ', ' ', ' ', '')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((words) => words.map(([word, blank]) => word + blank).join(''));

describe('the parser of dates', () => {
  test('reads what Chrono reads', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(read(dateParser, text)).toEqual(read(en.casual, text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives its expressions wide text alone, which the engine compiles sooner', () => {
    const [parser] = en.casual.parsers as [en.Parser];
    const seen: string[] = [];
    const pattern = {
      exec: (text: string) => {
        seen.push(text);
        return null;
      },
    } as RegExp;
    const asked = jest.spyOn(parser, 'pattern').mockReturnValue(pattern);
    dateParser.parse('on 3 May', NOW);
    asked.mockRestore();
    expect(seen).toEqual([expect.stringMatching(/^on 3 May[^\0-\xff\w]$/)]);
  });
});

function read(parser: en.Chrono, text: string) {
  const partsOf = (of: en.ParsingComponents | undefined) =>
    of && [of.date().getTime(), ...PARTS.map((part) => [of.isCertain(part), of.get(part)])];
  const results = parser.parse(text, { instant: NOW, timezone: 0 }) as en.ParsingResult[];
  return results.map((result) => [result.index, result.text, partsOf(result.start), partsOf(result.end)]);
}
