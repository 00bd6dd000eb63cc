import { UnavailableError } from '@agent-faculties/service-kit';

/** The server cannot be used as it is: no start, and no later attempt, helps before somebody mends it. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}

/** The connection broke after a statement was sent: whether it was committed, only the database can say. */
export class AnswerLostError extends UnavailableError {}

/** Codes of the system and of PostgreSQL for a server that is not there, is stopping or starting, or takes no writes (25006). */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);
/** The driver has no codes for these. */
const AWAY_WORDS =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

const FULL_CODES: Readonly<Record<string, string>> = {
  '53100': 'its disk is full: make room there',
  '53200': 'it is out of memory',
};

/** What only a person can mend. */
const MISFIT_CODES: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user: see its pg_hba.conf',
  '3D000': 'it has no such database: create it with CREATE DATABASE',
  '42501': 'the user lacks a right: grant it CREATE on the database',
};

/** Whether the server is away, or too busy: the same may work in a moment, perhaps at another host. */
export function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return AWAY_CODES.has(code) || code.startsWith('08');
  return typeof message === 'string' && AWAY_WORDS.test(message);
}

/** An error that a service reports on purpose, where the fault is the server's; else the error itself. It names no password. */
export function faultInWords(error: unknown, { name, wasSent }: { name: string; wasSent: boolean }): unknown {
  const { code } = error as { code?: string };
  const options = { code: 'storage_unavailable', cause: error };
  if (isAway(error)) {
    if (!wasSent)
      return new UnavailableError(`The database ${name} does not answer: nothing was changed. Try again.`, options);
    return new AnswerLostError(
      `The database ${name} broke off: what was sent may have happened. Read before you send it again, or send an idempotency key.`,
      options,
    );
  }
  const why = FULL_CODES[code ?? ''];
  if (why) return new UnavailableError(`The database ${name} refuses: ${why}. Nothing was changed.`, options);
  const misfit = MISFIT_CODES[code ?? ''];
  return misfit ? new PostgresError(`The database ${name} cannot be used: ${misfit}.`, { cause: error }) : error;
}
