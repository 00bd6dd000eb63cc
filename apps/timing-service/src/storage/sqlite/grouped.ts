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

type Grouped = <Result>(operation: () => Result, committed: (result: Result) => void) => Promise<Result>;

const groups = new WeakMap<Db, WriteGroups>();

/**
 * Runs the operations of one turn of the event loop as one transaction, because most of the cost of a commit is in pages that all of
 * them change. Each is answered after the commit. An operation that throws is rolled back alone; a fault of the disk rolls back all.
 * An operation may run twice, and counts once.
 */
export function grouped(db: Db): Grouped {
  const known = groups.get(db) ?? new WriteGroups(db);
  groups.set(db, known);
  return known.add;
}

/** The operations of one database that wait for the end of the turn. */
class WriteGroups {
  readonly #inTransaction: ReturnType<typeof transactions>;
  /** Within a transaction it is a savepoint. */
  readonly #inSavepoint: (operation: () => unknown) => unknown;
  #waiting: Waiting[] = [];

  constructor(db: Db) {
    this.#inTransaction = transactions(db);
    this.#inSavepoint = db.$client.transaction((operation: () => unknown) => operation());
  }

  readonly add: Grouped = (operation, committed) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ operation, committed, resolve, reject } as Waiting);
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });

  #flush(): void {
    const group = this.#waiting.slice(0, LARGEST_GROUP);
    this.#waiting = this.#waiting.slice(LARGEST_GROUP);
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
    try {
      this.#run(group);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  #run(group: readonly Waiting[]): void {
    const ended = this.#endedTogether(group);
    for (const [index, { committed }] of group.entries()) {
      const end = ended[index] as Ended;
      if ('result' in end) committed(end.result);
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const end = ended[index] as Ended;
      if ('result' in end) resolve(end.result);
      else reject(end.error);
    }
  }

  #endedTogether(group: readonly Waiting[]): Ended[] {
    try {
      return this.#inTransaction(() => group.map(({ operation }) => ({ result: operation() })));
    } catch (error) {
      if (group.length === 1 || error instanceof UnavailableError || faultOfSqlite(error)) throw error;
      // One of them throws, which is seldom: only then is each worth a savepoint.
      return this.#inTransaction(() => group.map(({ operation }) => this.#endedAlone(operation)));
    }
  }

  #endedAlone(operation: () => unknown): Ended {
    try {
      return { result: this.#inSavepoint(operation) };
    } catch (error) {
      // SQLite may have taken back everything.
      if (faultOfSqlite(error)) throw error;
      return { error };
    }
  }
}
