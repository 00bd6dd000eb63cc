import { describe, expect, test } from '@jest/globals';
import { seedFromText } from '../src/index.ts';

describe('seedFromText', () => {
  // The 32-bit FNV-1a test vectors of its authors.
  test.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('hashes %j as FNV-1a does', (text, hash) => {
    expect(seedFromText(text)).toBe(hash);
  });
});
