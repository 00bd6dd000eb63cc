import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@agent-faculties/service-kit';
import { isAway, PostgresError, refusalOf } from './faults.ts';

const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 250;

export interface Waiting {
  /** Of the database, for log and error. */
  readonly name: string;
  readonly log: Logger;
  /** From the first attempt to the last, milliseconds; absent: 30 s. */
  readonly waitMs?: number | undefined;
  /** Whether the work is done again after this fault; absent: where the server is away. */
  readonly isPassing?: (cause: Error) => boolean;
}

/**
 * For a start: does what may be done again until the server is there and the connection holds.
 * @throws PostgresError that says what to do where it is away all that time, and what the work throws for another reason
 */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  { name, log, waitMs = WAIT_MS, isPassing = isAway }: Waiting,
): Promise<Result> {
  const began = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      // What has no words of its own stands for itself.
      const cause = ((error as Error).cause ?? error) as Error;
      if (!isPassing(cause)) throw error;
      if (performance.now() - began >= waitMs) {
        const refusal = refusalOf(cause);
        const what = refusal ? 'still refuses' : 'does not answer';
        const advice = refusal ?? 'start it, or correct the address of the store';
        const message = `The database ${name} ${what} after ${waitMs / 1000} s (${cause.message}): ${advice}.`;
        throw new PostgresError(message, { cause });
      }
      if (tries === 1) log.warn({ database: name, why: cause.message }, 'waiting for the database');
    }
    await pause(LOOK_AGAIN_MS);
  }
}
