import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCursor, parseCursor } from '../../src/wire/page-cursor.ts';
import { refusalOf } from '../domain/refusal-of.ts';

describe('a cursor', () => {
  test('is the base64url of time and sequence, and none at the end', () => {
    // printf 1795253400123456.42 | base64
    expect(formatCursor({ timeUs: 1_795_253_400_123_456, sequence: 42 })).toBe('MTc5NTI1MzQwMDEyMzQ1Ni40Mg');
    expect(parseCursor('MTc5NTI1MzQwMDEyMzQ1Ni40Mg')).toEqual({ timeUs: 1_795_253_400_123_456, sequence: 42 });
    expect(formatCursor(null)).toBeNull();
    expect(parseCursor(undefined)).toBeNull();
  });

  test('comes back as it was for every position that can be stored', () => {
    const position = fc.record({
      timeUs: fc.integer({ min: -1e16, max: 1e16 }),
      sequence: fc.integer({ min: 0, max: 1e14 }),
    });
    fc.assert(
      fc.property(position, (one) => {
        const cursor = formatCursor(one) as string;
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(parseCursor(cursor)).toEqual({ timeUs: one.timeUs + 0, sequence: one.sequence });
      }),
      { seed: 66, numRuns: 300 },
    );
  });

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    '',
    'x',
    encoded('1'),
    encoded('1.'),
    encoded('.1'),
    encoded('1.2.3'),
    encoded('1.-2'),
    encoded('1e3.2'),
    encoded(' 1.2'),
    encoded('1.2\n'),
    encoded('123456789012345678.1'),
    encoded('1.1234567890123456'),
    // One character too many, of which the decoder says nothing.
    `${encoded('1.2')}x`,
    `${encoded('1.2')}"`,
    `${encoded('1.2')}\n`,
  ])('%j is refused with what to send', async (text) => {
    expect(await refusalOf(() => parseCursor(text))).toEqual({
      name: 'InvalidInputError',
      code: 'invalid_input',
      message: 'query/cursor is not a cursor of this service: send next_cursor of the page before, or leave it out.',
    });
  });
});
