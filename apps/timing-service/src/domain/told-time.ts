import { InvalidInputError } from '@agent-faculties/service-kit';
import { isStorable, isYetToCome, toMicroseconds } from './instant.ts';
import type { PairingDecision } from './task.ts';

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

/** A replay is answered with the first end. @throws InvalidInputError for an end that is told to lie before its start */
export function requireAfterStart(decision: PairingDecision, toldMs: number): void {
  if ('replay' in decision || toMicroseconds(toldMs) >= toMicroseconds(decision.write.startedMs)) return;
  const started = new Date(decision.write.startedMs).toISOString();
  throw invalidTimestamp(
    `lies before the start of the task (${started}): send it with start and end or with neither, from one clock`,
  );
}

function invalidTimestamp(message: string): InvalidInputError {
  const where = 'body/timestamp';
  return new InvalidInputError(`${where} ${message}.`, { faults: [{ where, message }] });
}
