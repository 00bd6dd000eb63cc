import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inexactIntegers } from '../../src/http/inexact-integers.ts';

describe('an integer', () => {
  // IEEE 754: a double has 53 bits of precision, so 2^53 + 1 is the first integer that it has not.
  test.each([
    ['9007199254740991', false],
    ['9007199254740992', false],
    ['9007199254740993', true],
    ['-9007199254740993', true],
    ['1234567890123456789', true],
    ['100000000000000000000', false],
    ['1e20', false],
    ['0.12345678901234567890', false],
    ['12345678901234567890.5', false],
    ['"9007199254740993"', false],
    [String.raw`"\"9007199254740993"`, false],
    [String.raw`"\\",9007199254740993`, true],
    [String.raw`"\u00e9 9007199254740993",1`, false],
    ['"x', false],
    ['"9007199254740993', false],
  ])('such as in [%s] is not kept exactly: %s', (text, isInexact) => {
    expect(inexactIntegers(Buffer.from(`[${text}]`)).size > 0).toBe(isInexact);
    expect(inexactIntegers(`{"a":${text}}`).size > 0).toBe(isInexact);
  });

  test('of any size is told by whether it would be written as it was sent, wherever it stands', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '9007199254740993', ',', 'é', '\n'), maxLength: 6 });
    const around = fc.array(fc.oneof(text, fc.double(), fc.integer()), { maxLength: 4 });
    fc.assert(
      fc.property(around, fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), around, (before, integer, after) => {
        const list = (values: unknown[]) => JSON.stringify(values);
        const json = `{"a":${list(before)},"é":${integer},"b":${list(after)}}`;
        const isExact = JSON.stringify(Number(integer)) === `${integer}`;
        expect([...inexactIntegers(Buffer.from(json))]).toEqual(isExact ? [] : [Number(integer)]);
      }),
    );
  });
});

test('a megabyte of escapes and digits is looked through at once', () => {
  const text = String.raw`\"${'1'.repeat(16)}`.repeat(60_000);
  expect(inexactIntegers(Buffer.from(`["${text}"]`)).size).toBe(0);
});
