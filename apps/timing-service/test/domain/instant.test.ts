import { expect, test } from '@jest/globals';
import { secondsBetween } from '../../src/domain/instant.ts';

test('seconds are subtracted in whole microseconds and never negative', () => {
  expect(secondsBetween(1_795_253_400_123.456, 1_795_253_400_123.457)).toBe(0.000001);
  expect(secondsBetween(1_795_253_400_000, 1_795_253_401_500)).toBe(1.5);
  expect(secondsBetween(1_795_253_401_500, 1_795_253_400_000)).toBe(0);
});
