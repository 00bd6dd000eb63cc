import { UnavailableError } from '@agent-faculties/service-kit';

/** The server cannot be used as it is: no start, and no later attempt, helps before somebody mends it. A request gets 503. */
export class PostgresError extends UnavailableError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { code: 'storage_unavailable', ...options });
    this.name = 'PostgresError';
  }
}

/** The connection broke after a statement was sent: whether it was committed, only the database can say. */
export class AnswerLostError extends UnavailableError {}

/** The code of a server that only reads. */
export const TAKES_NO_WRITES = '25006';

/** Codes of the system and of PostgreSQL for a server that is not there, is stopping or starting, takes no writes, or has
 * cut off a transaction that paused (25P03, 25P04). */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  TAKES_NO_WRITES,
  '25P03',
  '25P04',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);
/** The driver has no codes for these. */
const AWAY_WORDS =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** What is used up. */
const FULL_CODES: Readonly<Record<string, string>> = {
  '53100': 'its disk is full: make room there',
  '53200': 'it is out of memory',
  '53300':
    'it has no connection left: allow the services more, 10 for each replica (max_connections, or the limit of the user)',
};

/** A full disk, and one that fails. */
const DISK_CODES = new Set<unknown>(['53100', '58030']);

/** Where a whole class of codes says that the database is the cause, and nothing was changed. The first two characters of a code. */
const REFUSAL_CLASSES: Readonly<Record<string, string>> = {
  '40': 'it broke a deadlock, or a conflict with another transaction: try again',
  '53': 'it lacks something that it needs: its log says what',
  '54': 'a limit of it is exceeded: its log says which',
  '55': 'something is locked, or in use by its maintenance: try again, and look for long locks in pg_stat_activity',
  '58': 'its disk or its system fails: its log says how',
  F0: 'its configuration has a fault: its log says which',
  XX: 'it has met damage or a fault of its own: see its log, and restore a backup where data are damaged',
};

/** Two transactions have changed the same row of its catalog, as where a table is dropped whose index another one has just made. It has no state of its own, and is never translated. */
const CATALOG_CONFLICT = /^tuple concurrently (?:updated|deleted)$/;

/** Classes of conflicts, of what is lacking or locked, and of what an operator does. */
const PASSING_CLASSES = new Set(['40', '53', '55', '57']);

/** PgBouncer has one code for all of its own faults; what follows is by its words. */
const POOLER_CODE = '08P01';
/** It has no connection of the server to give, or takes no more clients; what was asked for was not sent on. */
const POOLER_FULL = /^(?:query_wait_timeout|no more connections allowed)/;
const POOLER_FULL_WORDS =
  'its pooler has no connection left: raise max_client_conn and default_pool_size of PgBouncer, 10 for each replica, and look whether it is paused';
/** What only a person can mend, as `MISFIT_CODES`. */
const POOLER_MISFITS: readonly (readonly [RegExp, string])[] = [
  [
    /^transaction blocks not allowed/,
    'its pooler gives each statement another connection: set pool_mode of PgBouncer to transaction or session',
  ],
  [
    /^unsupported startup parameter/,
    'its pooler refuses a parameter of the address: leave it out, or name it in ignore_startup_parameters of PgBouncer',
  ],
  [/authentication failed/, 'its pooler refuses the user: see auth_file and auth_query of PgBouncer'],
  [/^(?:no such database|database .* does not exist)/, 'its pooler has no such database: see [databases] of PgBouncer'],
];

/** What only a person can mend. */
const MISFIT_CODES: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user: see its pg_hba.conf',
  '3D000': 'it has no such database: create it with CREATE DATABASE',
  '42501':
    'the user lacks a right: grant it CREATE on the database, and make it the owner of the schema of the service and of what is in it',
  '42P01':
    'a table is missing: start one replica of this version anew, which makes those that are, or restore a backup',
  '42703': 'a column is missing: start one replica of this version anew, which makes it',
  '3F000': 'the schema is missing: start one replica of this version anew, which makes it, or restore a backup',
};

/** Whether the server is away, or too busy: the same may work in a moment, perhaps at another host. */
export function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (poolerMisfitOf(error)) return false;
  if (typeof code === 'string') return AWAY_CODES.has(code) || code.startsWith('08');
  return typeof message === 'string' && AWAY_WORDS.test(message);
}

/** Whether what fails may work by itself later, as when the server is away, a lock is held or somebody has cancelled the statement. */
export function isPassing(error: unknown): boolean {
  const { code } = error as { code?: string };
  return isAway(error) || isCatalogConflict(error) || (isState(code) && PASSING_CLASSES.has(code.slice(0, 2)));
}

/** Whether what a service reports is that the disk of the server is full, or fails: it goes on to read, and only a write finds out that there is room again. */
export function isDiskFault(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return DISK_CODES.has(cause?.code);
}

/** Why a server that is there does nothing, and what to do; undefined where it says nothing of that. */
export function refusalOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message: string };
  if (code === POOLER_CODE && POOLER_FULL.test(message)) return POOLER_FULL_WORDS;
  if (isCatalogConflict(error)) return REFUSAL_CLASSES['40'];
  return FULL_CODES[code ?? ''] ?? (isState(code) ? REFUSAL_CLASSES[code.slice(0, 2)] : undefined);
}

/** An error that a service reports on purpose, where the fault is the server's; else the error itself. It names no password. */
export function faultInWords(error: unknown, { name, wasSent }: { name: string; wasSent: boolean }): unknown {
  const { code } = error as { code?: string };
  const options = { code: 'storage_unavailable', cause: error };
  const why = refusalOf(error);
  if (why) return new UnavailableError(`The database ${name} refuses: ${why}. Nothing was changed.`, options);
  // A statement that was cancelled while it waited for a standby has happened.
  if (isAway(error) || code === '57014') {
    if (!wasSent) {
      const what =
        code === TAKES_NO_WRITES ? 'takes no writes (a standby, or default_transaction_read_only)' : 'does not answer';
      return new UnavailableError(`The database ${name} ${what}: nothing was changed. Try again.`, options);
    }
    return new AnswerLostError(
      `The database ${name} broke off: what was sent may have happened. Read before you send it again, or send an idempotency key.`,
      options,
    );
  }
  const misfit = poolerMisfitOf(error) ?? MISFIT_CODES[code ?? ''];
  return misfit ? new PostgresError(`The database ${name} cannot be used: ${misfit}.`, { cause: error }) : error;
}

function isCatalogConflict(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message: string };
  return code === 'XX000' && CATALOG_CONFLICT.test(message);
}

function poolerMisfitOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message: string };
  return code === POOLER_CODE ? POOLER_MISFITS.find(([words]) => words.test(message))?.[1] : undefined;
}

/** Whether a code is PostgreSQL's, and not one of the system or of the driver. */
function isState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
}
