import { UnavailableError } from '@agent-faculties/service-kit';
import { type Db, faultOfSqlite, transactions } from './faults.ts';

/** Operations of one transaction: a millisecond or two of work, or a tenth of a second with many clients. */
const LARGEST_GROUP = 64;

interface Waiting {
  readonly operation: () => unknown;
  /** Runs in the turn of the commit. */
  readonly committed: (result: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Ended = { readonly result: unknown } | { readonly error: unknown };

type Group = <Result>(operation: () => Result, committed: (result: Result) => void) => Promise<Result>;

const groups = new WeakMap<Db, Group>();

/**
 * Runs the operations of one turn of the event loop as one transaction, because most of the cost of a commit is in pages that all of
 * them change. Each is answered after the commit. An operation that throws is rolled back alone; a fault of the disk rolls back all.
 * An operation may run twice, and counts once.
 */
export function grouped(db: Db): Group {
  const known = groups.get(db) ?? newGroup(db);
  groups.set(db, known);
  return known;
}

function newGroup(db: Db): Group {
  const inTransaction = transactions(db);
  // Inside of a transaction it is a savepoint.
  const alone = db.$client.transaction((operation: () => unknown) => operation());
  let waiting: Waiting[] = [];
  const attempt = (operation: () => unknown): Ended => {
    try {
      return { result: alone(operation) };
    } catch (error) {
      // SQLite may have taken back everything.
      if (faultOfSqlite(error)) throw error;
      return { error };
    }
  };
  const endedTogether = (group: readonly Waiting[]): Ended[] => {
    try {
      return inTransaction(() => group.map(({ operation }) => ({ result: operation() })));
    } catch (error) {
      if (group.length === 1 || error instanceof UnavailableError || faultOfSqlite(error)) throw error;
      // One of them throws, which is seldom: only then is each worth a savepoint.
      return inTransaction(() => group.map(({ operation }) => attempt(operation)));
    }
  };
  const run = (group: readonly Waiting[]): void => {
    const ended = endedTogether(group);
    for (const [index, { committed }] of group.entries()) {
      const end = ended[index] as Ended;
      if ('result' in end) committed(end.result);
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const end = ended[index] as Ended;
      if ('result' in end) resolve(end.result);
      else reject(end.error);
    }
  };
  const flush = (): void => {
    const group = waiting.slice(0, LARGEST_GROUP);
    waiting = waiting.slice(LARGEST_GROUP);
    if (waiting.length > 0) setImmediate(flush);
    try {
      run(group);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return <Result>(operation: () => Result, committed: (result: Result) => void) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ operation, committed, resolve, reject } as Waiting);
      if (waiting.length === 1) setImmediate(flush);
    });
}
