import { constants, isContext } from 'node:vm';
import { expect, test } from '@jest/globals';

const canBePlain = constants?.DONT_CONTEXTIFY !== undefined;

(canBePlain ? test : test.skip)('a test has its globals of V8 itself, not of an object that stands before them', () => {
  expect(isContext(globalThis)).toBe(true);
});
