import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FaissRestart } from '../../../../src/search/vectors/faiss/faiss-restart.ts';

let restart: FaissRestart;
let starts: number;
beforeEach(() => {
  jest.useFakeTimers();
  starts = 0;
  restart = new FaissRestart(() => {
    starts++;
  });
});
afterEach(() => {
  jest.useRealTimers();
});

/** The waits of some failures in a row. */
function waits(count: number): (number | null)[] {
  return Array.from({ length: count }, () => {
    const wait = restart.schedule();
    jest.advanceTimersByTime(wait ?? 0);
    return wait;
  });
}

test('waits twice as long after each failure, up to half a minute', () => {
  expect(waits(11)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  expect(starts).toBe(11);
});

test('waits briefly again once FAISS has answered', () => {
  waits(4);
  restart.noteAnswer();
  expect(waits(2)).toEqual([100, 200]);
});

test('starts once, when the wait is over, however many failures are reported meanwhile', () => {
  expect([restart.schedule(), restart.schedule()]).toEqual([100, null]);
  expect(restart.isWaiting).toBe(true);
  jest.advanceTimersByTime(99);
  expect(starts).toBe(0);
  jest.advanceTimersByTime(1);
  expect([starts, restart.isWaiting]).toEqual([1, false]);
});

test('starts nothing after it was cancelled', () => {
  restart.schedule();
  restart.cancel();
  expect([restart.isWaiting, restart.schedule()]).toEqual([false, null]);
  jest.runAllTimers();
  expect(starts).toBe(0);
});
