import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { UnavailableError } from '@agent-faculties/service-kit';
import { ChangeFeed } from '../../domain/change-feed.ts';
import type { Engine, StoredSpace } from '../../domain/space.ts';
import { SampleMemory } from '../samples/sample-memory.ts';
import { events, stopwatches, tasks } from '../tables/schema.ts';
import { type Database, type DatabaseOptions, openDatabase, openDatabaseInTurns } from './database.ts';
import { DatabaseOpenError, IN_MEMORY, openError } from './database-file.ts';
import { spaceFile, spaceNames, spacePath, spacesFolder } from './space-files.ts';
import { sqliteStores } from './sqlite-stores.ts';

/** Room for a space other than the default one, of which many may be open; the page cache of the system serves the rest. */
const CACHE_KIB = 4 * 1024;
/** Of one database, in the order in which they are removed: page sums without their database would count as damage. */
const FILES = ['.sums.new', '.sums', '-wal', '-shm', '', '.lock'];
/** Where one of these is there, so is a database, or was. */
const CONTENTS = ['', '.sums', '-wal'];
/** Why a space cannot be opened, and what to do. */
const LACKING = {
  room: ', because the disk is full: nothing was written. Make room and send it again.',
  writes: ', because the disk is read-only: nothing was written. Make it writable and send it again.',
};

type SqliteEngineOptions = Pick<DatabaseOptions, 'path' | 'synchronous' | 'checkpointThread'>;

/** A database for each space. One process has all of them: the lock of the default one keeps others out. */
export class SqliteEngine implements Engine {
  readonly home: StoredSpace;
  /** Of the default space. */
  readonly database: Database;
  readonly samples = new SampleMemory();
  readonly #options: SqliteEngineOptions;
  readonly #names: Set<string>;
  /** Spaces in memory would be lost when they are closed, so they stay. */
  readonly #kept = new Map<string, StoredSpace>();
  #empty: StoredSpace | undefined;

  /** Opens the default space. @throws DatabaseOpenError */
  constructor(options: SqliteEngineOptions) {
    this.#options = options;
    this.database = openDatabase(options);
    this.home = this.#stored(this.database);
    this.#names = new Set(spaceNames(options.path));
  }

  placeOf(name: string): string {
    return spaceFile(this.#options.path, name);
  }

  exists(name: string): boolean {
    return this.#names.has(name);
  }

  names(): string[] {
    return [...this.#names];
  }

  async open(name: string): Promise<StoredSpace> {
    const { path, synchronous, checkpointThread } = this.#options;
    const kept = this.#kept.get(name);
    if (kept) return kept;
    let isNew = false;
    try {
      isNew = path !== IN_MEMORY && !this.#hasContents(name);
      if (path !== IN_MEMORY) mkdirSync(spacesFolder(path), { recursive: true, mode: 0o700 });
      const database = await openDatabaseInTurns({
        path: spacePath(path, name),
        synchronous,
        cacheKiB: CACHE_KIB,
        checkpointThread,
      });
      this.#names.add(name);
      const stored = this.#stored(database);
      if (path !== IN_MEMORY) return { ...stored, discard: () => this.#discard(name, database, stored) };
      this.#kept.set(name, { ...stored, close: () => {} });
      return this.#kept.get(name) as StoredSpace;
    } catch (cause) {
      // What is made in part would be a space after the next start, which a full disk keeps from being read.
      if (isNew) this.#remove(name);
      if (!(cause instanceof DatabaseOpenError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause;
      const { lacks } = openError(spacesFolder(path), cause);
      const why = lacks ? LACKING[lacks] : ': nothing was written. Its operator finds the reason in the log.';
      throw new UnavailableError(`The database of the space '${name}' cannot be opened${why}`, {
        code: 'database_unavailable',
        cause,
      });
    }
  }

  /** An empty database serves all of them, because nobody writes to one. */
  standIn(): StoredSpace {
    this.#empty ??= this.#stored(openDatabase({ path: IN_MEMORY, synchronous: 'normal' }));
    return { ...this.#empty, feed: new ChangeFeed(), close: () => {} };
  }

  /** One process has the file. */
  async claim(): Promise<boolean> {
    return true;
  }

  async turnPeriods(): Promise<{ events: number; tasks: number }> {
    return { events: 0, tasks: 0 };
  }

  async close(): Promise<void> {}

  #discard(name: string, { db }: Database, { close }: StoredSpace): void {
    const isEmpty = [events, tasks, stopwatches].every((table) => db.select().from(table).limit(1).all().length === 0);
    close();
    if (!isEmpty) return;
    this.#names.delete(name);
    this.#remove(name);
  }

  #hasContents(name: string): boolean {
    return CONTENTS.some((ending) => existsSync(spacePath(this.#options.path, name) + ending));
  }

  #remove(name: string): void {
    for (const ending of FILES) rmSync(spacePath(this.#options.path, name) + ending, { force: true });
  }

  #stored(database: Database): StoredSpace {
    const stores = sqliteStores(database, this.samples);
    return {
      stores,
      feed: new ChangeFeed(),
      condition: database,
      samplesHeld: () => stores.history.held,
      close: () => {
        stores.history.dropAll();
        database.close();
      },
    };
  }
}
