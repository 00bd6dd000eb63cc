import { describe, expect, test } from '@jest/globals';
import { pauseAfter } from '../../src/webhooks/retry.ts';

const MINUTE_MS = 60_000;

describe('the pause before the next try', () => {
  test('doubles up to 15 minutes', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2_000].map((failures) => pauseAfter(failures, 1, null));
    expect(longest).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000],
      ...[15 * MINUTE_MS, 15 * MINUTE_MS, 15 * MINUTE_MS],
    ]);
  });

  test('is spread over its upper half', () => {
    expect([0, 0.5, 0.999].map((random) => pauseAfter(4, random, null))).toEqual([4_000, 6_000, 7_996]);
  });

  test('is at least what the receiver asks for, up to 15 minutes', () => {
    expect([pauseAfter(1, 0, 30), pauseAfter(9, 0, 30), pauseAfter(1, 0, 86_400)]).toEqual([
      30_000,
      128_000,
      15 * MINUTE_MS,
    ]);
  });
});
