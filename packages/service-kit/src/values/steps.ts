import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in steps of a few milliseconds. It yields between them, so that its driver can let other requests run. */
export type Steps<T> = Generator<void, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Each step in a turn of the event loop of its own. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
