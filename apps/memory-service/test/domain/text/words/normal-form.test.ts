import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalForm } from '../../../../src/domain/text/words/normal-form.ts';

const FORMS = ['NFKC', 'NFKD'] as const;
const mark = fc.constantFrom('\u0301', '\u0323', '\u0315', '\u05b0', '\u0327', '\uff9e', '\u{1d165}', '\u{1e8d0}');
const other = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 2 }), fc.string({ unit: 'binary', maxLength: 2 }));

/** A row of marks that a normalisation has to sort. */
function longestRun(text: string): number {
  const runs =
    text
      .normalize('NFKD')
      .replaceAll('\u034f', ' ')
      .match(/\p{M}+/gu) ?? [];
  return Math.max(0, ...runs.map((run) => [...run].length));
}

describe('the normal form of a text', () => {
  test('is that of Unicode where no more than 30 marks stand behind one another', () => {
    const text = fc
      .array(
        fc.oneof(
          other,
          fc.array(mark, { maxLength: 5 }).map((marks) => `e${marks.join('')} `),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(...FORMS), (one, form) => normalForm(one, form) === one.normalize(form)),
    );
    const most = `e${'\u0301\u0323'.repeat(15)}`;
    for (const form of FORMS) expect(normalForm(most, form)).toBe(most.normalize(form));
  });

  test('has no longer run than that to sort, whatever the marks', () => {
    const text = fc.array(
      fc.oneof({ weight: 9, arbitrary: mark }, { weight: 1, arbitrary: fc.constantFrom('e', 'é', '漢') }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...FORMS), (parts, form) => longestRun(normalForm(parts.join(''), form)) <= 62),
    );
    expect(longestRun(`a${'\u0301\u0323'.repeat(1_000)}`)).toBe(2_000);
    expect(longestRun(normalForm(`a${'\u0301\u0323'.repeat(1_000)}`, 'NFKD'))).toBe(30);
  });

  test('keeps every character but the breaks', () => {
    const long = `a${'\u0301\u0323\uff9e'.repeat(100)}b`;
    const sorted = (text: string) => [...text.replaceAll('\u034f', '')].sort();
    expect(sorted(normalForm(long, 'NFKD'))).toEqual(sorted(long.normalize('NFKD')));
  });
});
