import { ConflictError, InvalidInputError } from '@agent-faculties/service-kit';
import { isStorable, isYetToCome, toMicroseconds } from './instant.ts';
import type { PairingDecision, Task } from './task.ts';

/** A time that a caller tells. @throws InvalidInputError for one before 1970, or still to come */
export function toldTime(toldMs: number, nowMs: number): number {
  if (!isStorable(toldMs)) throw invalidTimestamp('lies before 1970 or after 2255: leave it out for now');
  if (isYetToCome(toldMs, nowMs)) {
    const now = new Date(nowMs).toISOString();
    throw invalidTimestamp(
      `lies in the future, it is ${now} here: leave it out for now, name the offset of your time zone, or correct the clock`,
    );
  }
  return toldMs;
}

/**
 * An end that tells when it was: not before the start, and where the task has ended, then.
 * @throws InvalidInputError, ConflictError
 */
export function requireToldEnd(decision: PairingDecision, toldMs: number): void {
  if ('replay' in decision) requireSameEnd(decision.replay, toldMs);
  else requireAfterStart(decision.write, toldMs);
}

function requireSameEnd({ correlationId, endedMs }: Task, toldMs: number): void {
  if (endedMs === null || toMicroseconds(toldMs) === toMicroseconds(endedMs)) return;
  throw new ConflictError(
    `The task '${correlationId}' is known to have ended at ${new Date(endedMs).toISOString()}, and nothing was changed: ` +
      'leave the timestamp out to be answered with that end.',
    { code: 'already_ended' },
  );
}

function requireAfterStart({ startedMs }: Task, toldMs: number): void {
  if (toMicroseconds(toldMs) >= toMicroseconds(startedMs)) return;
  const started = new Date(startedMs).toISOString();
  throw invalidTimestamp(
    `lies before the start of the task (${started}): send it with start and end or with neither, from one clock`,
  );
}

function invalidTimestamp(message: string): InvalidInputError {
  return InvalidInputError.at('body/timestamp', message);
}
