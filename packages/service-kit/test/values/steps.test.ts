import { expect, test } from '@jest/globals';
import { atOnce, inTurns, type Steps } from '../../src/values/steps.ts';

function* counting(count: number, counted: string[]): Steps<string> {
  for (let step = 1; step <= count; step++) {
    counted.push(`step ${step}`);
    yield;
  }
  return 'done';
}

test('steps at once let nobody else in between', () => {
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  expect(atOnce(counting(3, order))).toBe('done');
  expect(order).toEqual(['step 1', 'step 2', 'step 3']);
});

test('steps in turns let others in between', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  expect(await inTurns(counting(2, order))).toBe('done');
  expect(order).toEqual(['step 1', 'another', 'step 2']);
});
