import type { StoreUrl } from '@agent-faculties/postgres-kit';
import { createLog } from '@agent-faculties/service-kit';
import { openMigrated } from '../postgres/open-migrated.ts';
import { spaceNamesOf } from '../postgres/postgres-engine.ts';
import { SpaceDatabase, type SpaceTransaction } from '../postgres/space-database.ts';
import {
  type CopyPlace,
  type CopyTarget,
  columnsOf,
  NUMBERED,
  type Numbered,
  REALS,
  type Row,
  TEXTS,
  WHOLE,
  type Whole,
} from './copied-rows.ts';
import { CopyError } from './copy-spaces.ts';

/** Whoever copies hears of faults by their errors. */
const SILENT = createLog({ name: 'timing-service', level: 'silent' });
const UNIQUE_VIOLATION = '23505';
/** What SQLite does not number. A replica reads its samples anew after a copy, so these only have to be of the past. */
const TASK_NUMBERS = {
  changed: 'greatest(copied.sequence, copied.end_sequence)',
  abandoned_sequence: "CASE WHEN copied.state = 'abandoned' THEN copied.sequence END",
};

class PostgresRows implements CopyTarget {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async after(table: Numbered, sequence: number, limit: number): Promise<Row[]> {
    return await this.#rows(table, `AND ${table}.sequence > $2 ORDER BY ${table}.sequence LIMIT $3`, sequence, limit);
  }

  async of(table: Numbered, sequences: readonly number[]): Promise<Row[]> {
    return await this.#rows(table, `AND ${table}.sequence = ANY($2) ORDER BY ${table}.sequence`, sequences);
  }

  async openAfter(sequence: number, limit: number): Promise<Row[]> {
    const rest = "AND kept_us = 0 AND state <> 'ended' AND task.sequence > $2 ORDER BY task.sequence LIMIT $3";
    return await this.#rows('task', rest, sequence, limit);
  }

  async sequencesAfter(table: Numbered, sequence: number, limit: number): Promise<number[]> {
    const rows = await this.#space.rows<{ number: number }>(
      `SELECT sequence::float8 AS number FROM timing.${table} WHERE space = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [sequence, limit],
    );
    return rows.map(({ number }) => number);
  }

  async count(table: Numbered): Promise<number> {
    const text = `SELECT count(*)::float8 AS count FROM timing.${table} WHERE space = $1`;
    const { postgres, name } = this.#space;
    // Counting many takes longer than an answer may.
    const { rows } = await postgres.direct((client) => client.query<{ count: number }>(text, [name]));
    return rows[0]?.count ?? 0;
  }

  async newest(table: Numbered, limit: number): Promise<Row[]> {
    return await this.#rows(table, `ORDER BY ${table}.sequence DESC LIMIT $2`, limit);
  }

  /** All that is written takes numbers of one row. */
  async lastGiven(): Promise<Record<Numbered, number>> {
    const text = 'SELECT head::float8 AS head FROM timing.space WHERE name = $1';
    const head = (await this.#space.row<{ head: number }>(text))?.head ?? 0;
    return { event: head, task: head };
  }

  async all(table: Whole): Promise<Row[]> {
    return await this.#rows(table, `ORDER BY ${table}.${WHOLE[table][0]}`);
  }

  async add(table: Numbered, rows: readonly Row[]): Promise<void> {
    const last = rows.at(-1)?.sequence as number;
    await this.#write(async (space) => {
      await reserve(space, last);
      const more = table === 'task' ? TASK_NUMBERS : {};
      await insert(space, { table: `${table}_by_row`, columns: NUMBERED[table], more }, rows);
    });
  }

  async change(rows: readonly Row[]): Promise<void> {
    const copied = NUMBERED.task.map((column) => [column, `copied.${column}`]);
    const set = [...copied, ...Object.entries(TASK_NUMBERS)]
      .map(([column, value]) => `${column} = ${value}`)
      .join(', ');
    await this.#write(async (space) => {
      await reserve(space, 0);
      await space.rows(
        `UPDATE timing.task_by_row task SET ${set}
         FROM ${recordset(NUMBERED.task)} WHERE task.space = $1 AND task.sequence = copied.sequence`,
        [JSON.stringify(rows)],
      );
    });
  }

  async remove(table: Numbered, sequences: readonly number[]): Promise<void> {
    await this.#space.rows(`DELETE FROM timing.${table} WHERE space = $1 AND sequence = ANY($2)`, [sequences]);
  }

  async finish(
    whole: Readonly<Record<Whole, readonly Row[]>>,
    last: Readonly<Record<Numbered, number>>,
  ): Promise<void> {
    await this.#write(async (space) => {
      await reserve(
        space,
        Math.max(last.event, last.task, ...whole.stopwatch.map(({ sequence }) => sequence as number)),
      );
      for (const table of Object.keys(WHOLE) as Whole[]) {
        await space.rows(`DELETE FROM timing.${table} WHERE space = $1`);
        await insert(space, { table, columns: WHOLE[table] }, whole[table]);
      }
      await space.dropSamples();
    });
  }

  async #write(work: (space: SpaceTransaction) => Promise<void>): Promise<void> {
    try {
      await this.#space.transaction(work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
      throw new CopyError(
        `Somebody writes to the space '${this.#space.name}' while it is copied: keep clients away from it until the copy is done, empty it, and begin anew.`,
      );
    }
  }

  async #rows(table: Numbered | Whole, rest: string, ...values: unknown[]): Promise<Row[]> {
    const columns = columnsOf(table).map((column) =>
      TEXTS.has(column) || REALS.has(column) ? `${table}.${column}` : `${table}.${column}::float8 AS ${column}`,
    );
    return await this.#space.rows<Row>(
      `SELECT ${columns.join(', ')} FROM timing.${table} WHERE space = $1 ${rest}`,
      values,
    );
  }
}

/** Makes the space, holds its row until the end of the transaction, and gives out no number up to this one. */
async function reserve(space: SpaceTransaction, number: number): Promise<void> {
  await space.rows(
    `INSERT INTO timing.space AS here (name, head) VALUES ($1, $2::bigint)
     ON CONFLICT (name) DO UPDATE SET head = greatest(here.head, $2::bigint)`,
    [number],
  );
}

interface Target {
  readonly table: string;
  /** Those that the rows have. */
  readonly columns: readonly string[];
  /** Those that they do not have, each with its expression. */
  readonly more?: Readonly<Record<string, string>>;
}

async function insert(
  space: SpaceTransaction,
  { table, columns, more = {} }: Target,
  rows: readonly Row[],
): Promise<void> {
  await space.rows(
    `INSERT INTO timing.${table} (${['space', ...columns, ...Object.keys(more)].join(', ')})
     SELECT ${['$1', ...columns, ...Object.values(more)].join(', ')} FROM ${recordset(columns)}`,
    [JSON.stringify(rows)],
  );
}

/** The rows of $2. */
function recordset(columns: readonly string[]): string {
  const typed = columns.map((column) => {
    const type = TEXTS.has(column) ? 'text' : REALS.has(column) ? 'float8' : 'bigint';
    return `${column} ${type}`;
  });
  return `json_to_recordset($2::json) AS copied(${typed.join(', ')})`;
}

/** A database, which replicas may use. @throws PostgresError */
export async function postgresPlace(url: StoreUrl): Promise<CopyPlace<CopyTarget>> {
  const postgres = await openMigrated({ url, log: SILENT });
  return {
    name: url.name,
    spaces: async () => await spaceNamesOf(postgres),
    open: async (space) => new PostgresRows(new SpaceDatabase(postgres, space)),
    close: () => postgres.close(),
  };
}
