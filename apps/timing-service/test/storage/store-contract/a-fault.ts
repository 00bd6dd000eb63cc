import { expect } from '@jest/globals';

/**
 * What a store throws. SQLite's errors keep the class of the first test file of their process, in which Error was another one, so
 * that toThrow does not know them.
 */
export const A_FAULT: unknown = expect.objectContaining({ message: expect.any(String) });
