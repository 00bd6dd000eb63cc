import { existsSync, mkdirSync } from 'node:fs';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import SqliteDatabase from 'better-sqlite3';
import { type Database, openDatabase } from '../sqlite/database.ts';
import { inspect } from '../sqlite/database-file.ts';
import { transactions } from '../sqlite/faults.ts';
import { spaceNames, spacePath, spacesFolder } from '../sqlite/space-files.ts';
import {
  type CopyPlace,
  type CopySource,
  type CopyTarget,
  columnsOf,
  NUMBERED,
  type Numbered,
  type Row,
  WHOLE,
  type Whole,
} from './copied-rows.ts';
import { CopyError } from './copy-spaces.ts';

const TABLES = { event: 'events', task: 'tasks', stopwatch: 'stopwatches', agent: 'agents', task_type: 'task_types' };

class SqliteRows implements CopySource {
  readonly #client: SqliteDatabase.Database;

  constructor(client: SqliteDatabase.Database) {
    this.#client = client;
  }

  async after(table: Numbered, sequence: number, limit: number): Promise<Row[]> {
    return this.#rows(table, 'WHERE sequence > ? ORDER BY sequence LIMIT ?', sequence, limit);
  }

  async of(table: Numbered, sequences: readonly number[]): Promise<Row[]> {
    const list = JSON.stringify(sequences);
    return this.#rows(table, 'WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence', list);
  }

  async newest(table: Numbered, limit: number): Promise<Row[]> {
    return this.#rows(table, 'ORDER BY sequence DESC LIMIT ?', limit);
  }

  async openAfter(sequence: number, limit: number): Promise<Row[]> {
    return this.#rows('task', "WHERE state <> 'ended' AND sequence > ? ORDER BY sequence LIMIT ?", sequence, limit);
  }

  async sequencesAfter(table: Numbered, sequence: number, limit: number): Promise<number[]> {
    const text = `SELECT sequence FROM ${TABLES[table]} WHERE sequence > ? ORDER BY sequence LIMIT ?`;
    return this.#client.prepare(text).pluck().all(sequence, limit) as number[];
  }

  async count(table: Numbered): Promise<number> {
    return this.#client.prepare(`SELECT count(*) FROM ${TABLES[table]}`).pluck().get() as number;
  }

  async lastGiven(): Promise<Record<Numbered, number>> {
    const given = this.#client.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
    const lastEnd = this.#client.prepare('SELECT max(end_sequence) FROM tasks WHERE end_sequence IS NOT NULL').pluck();
    return {
      event: Number(given.get(TABLES.event) ?? 0),
      task: Math.max(Number(given.get(TABLES.task) ?? 0), Number(lastEnd.get() ?? 0)),
    };
  }

  async all(table: Whole): Promise<Row[]> {
    return this.#rows(table, `ORDER BY ${WHOLE[table][0]}`);
  }

  #rows(table: Numbered | Whole, rest: string, ...values: (string | number)[]): Row[] {
    return this.#client
      .prepare(`SELECT ${columnsOf(table).join(', ')} FROM ${TABLES[table]} ${rest}`)
      .all(...values) as Row[];
  }
}

class WritableSqliteRows extends SqliteRows implements CopyTarget {
  readonly #database: SqliteDatabase.Database;
  readonly #inTransaction: ReturnType<typeof transactions>;

  constructor({ db }: Database) {
    super(db.$client);
    this.#database = db.$client;
    this.#inTransaction = transactions(db);
  }

  async add(table: Numbered, rows: readonly Row[]): Promise<void> {
    this.#inTransaction(() => this.#insert(table, rows));
  }

  async change(rows: readonly Row[]): Promise<void> {
    const values = NUMBERED.task.map((column) => `${column} = @${column}`).join(', ');
    const update = this.#database.prepare(`UPDATE tasks SET ${values} WHERE sequence = @sequence`);
    this.#inTransaction(() => {
      for (const row of rows) update.run(row);
    });
  }

  async remove(table: Numbered, sequences: readonly number[]): Promise<void> {
    const text = `DELETE FROM ${TABLES[table]} WHERE sequence IN (SELECT value FROM json_each(?))`;
    this.#inTransaction(() => this.#database.prepare(text).run(JSON.stringify(sequences)));
  }

  async finish(
    whole: Readonly<Record<Whole, readonly Row[]>>,
    last: Readonly<Record<Numbered, number>>,
  ): Promise<void> {
    this.#inTransaction(() => {
      for (const table of Object.keys(WHOLE) as Whole[]) {
        this.#database.prepare(`DELETE FROM ${TABLES[table]}`).run();
        this.#insert(table, whole[table]);
      }
      for (const table of Object.keys(NUMBERED) as Numbered[]) {
        const name = TABLES[table];
        const { changes } = this.#database
          .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
          .run(last[table], name);
        if (changes === 0)
          this.#database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last[table]);
      }
    });
  }

  #insert(table: Numbered | Whole, rows: readonly Row[]): void {
    const columns = columnsOf(table);
    const values = columns.map((column) => `@${column}`).join(', ');
    const insert = this.#database.prepare(`INSERT INTO ${TABLES[table]} (${columns.join(', ')}) VALUES (${values})`);
    for (const row of rows) insert.run(row);
  }
}

/** The files of a service, which may run. @throws DatabaseOpenError, CopyError */
export function sqliteSource(path: string): CopyPlace<CopySource> {
  const open: SqliteDatabase.Database[] = [];
  if (!existsSync(path))
    throw new CopyError(`${path} is not there: name the database, as --db-path of the service does.`);
  return {
    name: path,
    spaces: async () => spaceNames(path),
    open: async (space) => {
      const file = spacePath(path, space);
      inspect(file);
      const client = new SqliteDatabase(file, { readonly: true });
      open.push(client);
      const columns = client.prepare("SELECT name FROM pragma_table_info('tasks')").pluck().all();
      if (NUMBERED.task.every((column) => columns.includes(column))) return new SqliteRows(client);
      throw new CopyError(`${file} was written by an older version: start this version of the service on it once.`);
    },
    close: async () => {
      for (const client of open) client.close();
    },
  };
}

/** Files that no service has open; made where there are none. */
export function sqliteTarget(path: string): CopyPlace<CopyTarget> {
  const open: Database[] = [];
  return {
    name: path,
    spaces: async () => spaceNames(path),
    open: async (space) => {
      if (space !== DEFAULT_SPACE) mkdirSync(spacesFolder(path), { recursive: true, mode: 0o700 });
      const database = openDatabase({ path: spacePath(path, space), synchronous: 'full' });
      open.push(database);
      return new WritableSqliteRows(database);
    },
    close: async () => {
      for (const database of open) database.close();
    },
  };
}
