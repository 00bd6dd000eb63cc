/// <reference lib="es2024.string" />

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { patternMessage, wholePattern } from '../../src/contract/contract-patterns.ts';

const NAME = '^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';
const TEXT = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';

/** Blanks, controls, halves and whole pairs are rare in arbitrary strings. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\t', '\n', '\u0000', '\u001f', '\u007f', '\u0085', '\u009f', '\u00a0', '\u3000', '\ufeff'),
      fc.constantFrom('\u200b', '\u00ad'),
      fc.constantFrom('\ud800', '\udfff', '\ud83d\ude00', 'a', 'é', '漢'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const isInvisible = (value: string) => /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}]*$/u.test(value);

describe('a pattern of the contract', () => {
  test.each([
    [NAME, (value: string) => value.isWellFormed() && !isInvisible(value)],
    [TEXT, (value: string) => value.isWellFormed()],
  ])('says with its whole rule what it says itself, without halves of pairs: %s', (shown, isWhole) => {
    const whole = new RegExp(wholePattern(shown), 'u');
    // As a reader without the u flag has it, too.
    for (const read of [new RegExp(shown), new RegExp(shown, 'u')]) {
      fc.assert(fc.property(text, (value) => whole.test(value) === (read.test(value) && isWhole(value))));
    }
  });

  test('of names refuses what is blank or invisible, and what holds a control character or half of a pair', () => {
    const whole = new RegExp(wholePattern(NAME), 'u');
    expect(['a', ' a ', '\u00a0ü', '\ud83d\ude00'].filter((name) => !whole.test(name))).toEqual([]);
    expect(['', '  ', '\u3000', '\u200b', 'a\n', '\u0085a', 'a\ud800'].filter((name) => whole.test(name))).toEqual([]);
  });

  test('of texts refuses one of blanks and invisible characters alone', () => {
    const whole = new RegExp(wholePattern('\\S'), 'u');
    expect(['a', '\u200b?', '\u2764\ufe0f', '\u0301'].filter((said) => !whole.test(said))).toEqual([]);
    const blank = ['', ' \n', '\u200b', '\ufeff', ' \u200d\u2060 ', '\u00ad', '\u3164', '\u{e0041}'];
    expect(blank.filter((said) => whole.test(said))).toEqual([]);
  });

  test('is told in words', () => {
    const fault = (pattern: string) => patternMessage(`must match pattern "${wholePattern(pattern)}"`);
    expect(fault(NAME)).toBe('must not be blank and must hold no control characters');
    expect(fault(TEXT)).toBe('must hold no control characters');
    expect(fault('\\S')).toBe('must not be blank');
    expect(fault('^[0-9]+$')).toBe('must match pattern "^[0-9]+$"');
  });
});
