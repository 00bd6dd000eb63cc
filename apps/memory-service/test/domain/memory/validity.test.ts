import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FOR_GOOD, type Validity } from '../../../src/domain/memory/memory.ts';
import {
  checkExpiry,
  checkSpan,
  holdTogether,
  isEnded,
  isExpired,
  isForGood,
} from '../../../src/domain/memory/validity.ts';

const LAST = 8;
const moment = fc.option(fc.integer({ min: 0, max: LAST }), { nil: null });
const validity: fc.Arbitrary<Validity> = fc.record({ validFrom: moment, validUntil: moment, expiresAt: moment });
/** By the definition: from its beginning on, and before its end. */
const holdsAt = ({ validFrom, validUntil }: Validity, at: number) =>
  (validFrom === null || validFrom <= at) && (validUntil === null || at < validUntil);

describe('validity', () => {
  test('two hold together exactly when there is a moment from now on at which each holds', () => {
    fc.assert(
      fc.property(validity, validity, fc.integer({ min: 0, max: LAST }), (one, other, now) => {
        const moments = Array.from({ length: 2 * LAST }, (_, index) => now + index);
        const expected = moments.some((at) => holdsAt(one, at) && holdsAt(other, at));
        expect(holdTogether(one, other, now)).toBe(expected);
        expect(holdTogether(other, one, now)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the instant of the end is not in it', () => {
    expect([9, 10, 11].map((at) => isEnded({ validUntil: 10 }, at))).toEqual([false, true, true]);
    expect([9, 10, 11].map((at) => isExpired({ expiresAt: 10 }, at))).toEqual([false, true, true]);
    expect([isEnded(FOR_GOOD, 1e15), isExpired(FOR_GOOD, 1e15), isForGood(FOR_GOOD)]).toEqual([false, false, true]);
  });

  test('a span that holds at no moment is refused, and so is an expiry that is past', () => {
    const span = (validFrom: number | null, validUntil: number | null) => () =>
      checkSpan({ validFrom, validUntil }, 'body');
    expect(span(5, 5)).toThrow('body/valid_until must be later than valid_from.');
    expect(span(6, 5)).toThrow('later');
    for (const sound of [span(5, 6), span(null, 1), span(9, null), span(null, null)]) expect(sound).not.toThrow();
    const expiry = (expiresAt: number | null) => () => checkExpiry({ expiresAt }, { nowMs: 100, where: 'body' });
    expect(expiry(100)).toThrow('body/expires_at lies in the past');
    for (const sound of [expiry(101), expiry(null)]) expect(sound).not.toThrow();
  });
});
