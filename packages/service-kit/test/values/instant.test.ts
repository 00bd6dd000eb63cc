import { describe, expect, test } from '@jest/globals';
import { InvalidInputError, parseInstant } from '../../src/index.ts';

/** RFC 3339 has four digits for a year; Date writes `+010000` and `-000001` beyond that, which no client reads. */
describe('an instant', () => {
  test.each([
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0000-01-01T14:00:00+14:00', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T11:59:59-12:00', '9999-12-31T23:59:59.000Z'],
  ])('%s is of a year with four digits in UTC', (text, written) => {
    expect(new Date(parseInstant(text, 'body/at')).toISOString()).toBe(written);
  });

  test.each(['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999999-00:01'])(
    '%s is refused, because UTC has no four digits for its year',
    (text) => {
      expect(() => parseInstant(text, 'body/at')).toThrow(InvalidInputError);
      expect(() => parseInstant(text, 'body/at')).toThrow(
        `body/at: '${text}' is not an instant: send ISO 8601 such as 2026-11-21T09:30:00Z`,
      );
    },
  );
});
