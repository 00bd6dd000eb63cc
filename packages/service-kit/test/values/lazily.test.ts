import { expect, test } from '@jest/globals';
import { lazily } from '../../src/values/lazily.ts';

test('what is made lazily is made once, when it is asked for first', () => {
  let count = 0;
  const made = lazily(() => ({ number: ++count }));
  expect(count).toBe(0);
  expect(made()).toBe(made());
  expect(count).toBe(1);
});
