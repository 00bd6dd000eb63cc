import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_MS = 2;
const LONGEST_MS = 200;

/**
 * Waits before an attempt after the first, so that those who failed together do not meet again: up to 2, 4, 8, ... 200 ms.
 * @param attempt counted from 1 @param random between 0 and 1
 */
export async function pauseWithJitter(attempt: number, random: () => number): Promise<void> {
  await pause(random() * Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(attempt, 10)));
}
