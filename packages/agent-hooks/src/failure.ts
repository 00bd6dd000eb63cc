import type { Outcome } from './hook-event.ts';

/**
 * How tools of hosts report a timeout: "Command timed out after 2m 0s", "timeout: killed", "exceeded the timeout of 120000 ms", "after
 * exceeding timeout 1500 ms"; programs in Go "context deadline exceeded", and the command `timeout 60 npm test` by its exit code alone.
 * An option of that name, as in "unknown option '--timeout'", is none.
 */
const TIMED_OUT =
  /(?<!-)\b(?:timed?[ -]?out|timeout (?:of|exceeded|expired|reached)|exceeded (?:the|its) (?:time|timeout)|exceeding timeout|deadline exceeded|(?:exit|exited with) code:? 124)\b/i;
const CANCELLED =
  /\b(?:interrupted|cancel+ed|aborted|rejected|denied) by (?:the )?user\b|\buser (?:aborted|cancel+ed|interrupted|rejected)\b/i;
/** Characters of a message that are read. The output of a program comes later and may mention other timeouts. */
const READ_CHARACTERS = 400;

/** The outcome that a failure message stands for. */
export function failureOf(message: unknown): Outcome {
  const text = typeof message === 'string' ? message.slice(0, READ_CHARACTERS) : '';
  if (TIMED_OUT.test(text)) return 'timeout';
  return CANCELLED.test(text) ? 'cancelled' : 'error';
}
