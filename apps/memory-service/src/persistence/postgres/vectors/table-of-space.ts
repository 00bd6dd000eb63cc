import type { Postgres } from '@agent-faculties/postgres-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { Client } from '../memory-database.ts';
import { dropTable } from './vector-table.ts';

// Which table has the vectors of a space: a row of `memory.vector_table`, one at most for each space.

/**
 * How long dropping a table waits for who uses it: a killed process leaves the server making an index for minutes, and nobody can write
 * to the space meanwhile. Long enough for the server to break off a vacuum that is in the way.
 */
const DROP_WAITS = '2s';

export interface TableOfSpace {
  readonly number: number;
  /** Id of the model of its vectors. */
  readonly model: string;
  /** Whether the checkpoint of the space relies on it. */
  readonly isReady: boolean;
}

interface Row extends Record<string, unknown> {
  readonly number: string;
  readonly model: string;
  readonly ready: boolean;
}

const WITH_CHECKPOINT = {
  name: 'memory-vector-table',
  text: `SELECT number, model, ready, checkpoint FROM memory.vector_table JOIN memory.space ON name = space
    WHERE space = $1`,
};

/**
 * The table of a space, with the number of the last change of the checkpoint. Both are of one moment: a checkpoint that has its vectors
 * in files may come next.
 */
export async function tableWithCheckpoint(
  postgres: Postgres,
  space: string,
): Promise<(TableOfSpace & { readonly checkpoint: number }) | null> {
  const { rows } = await postgres.query<Row & { checkpoint: string }>({ ...WITH_CHECKPOINT, values: [space] });
  const [row] = rows;
  return row ? { ...tableIn(row), checkpoint: Number(row.checkpoint) } : null;
}

/** The table of a space, which nobody else changes before the transaction ends. */
export async function lockedTable(client: Client, space: string): Promise<TableOfSpace | null> {
  const text = 'SELECT number, model, ready FROM memory.vector_table WHERE space = $1 FOR UPDATE';
  const { rows } = await client.query<Row>(text, [space]);
  return rows[0] ? tableIn(rows[0]) : null;
}

/** Gives a space a table, which has to be made. @returns its number; null where it has one */
export async function newTable(
  client: Client,
  { space, model }: { space: string; model: VectorModel },
): Promise<number | null> {
  const { rows } = await client.query<{ number: string }>(
    'INSERT INTO memory.vector_table (space, model) VALUES ($1, $2) ON CONFLICT (space) DO NOTHING RETURNING number',
    [space, model.id],
  );
  return rows[0] ? Number(rows[0].number) : null;
}

/** Notes whether the checkpoint of a space relies on its table. */
export async function setReady(client: Client, { space, isReady }: { space: string; isReady: boolean }): Promise<void> {
  await client.query('UPDATE memory.vector_table SET ready = $2 WHERE space = $1', [space, isReady]);
}

/**
 * Removes the table of a space. @param unlessReady keeps one that the checkpoint relies on; absent: it does not
 * @throws where somebody uses the table for longer than this waits
 */
export async function dropTableOf(
  client: Client,
  { space, unlessReady = false }: { space: string; unlessReady?: boolean },
): Promise<void> {
  const text = 'DELETE FROM memory.vector_table WHERE space = $1 AND NOT (ready AND $2) RETURNING number';
  const { rows } = await client.query<{ number: string }>(text, [space, unlessReady]);
  const [row] = rows;
  await client.query(`SET LOCAL lock_timeout = '${DROP_WAITS}'`);
  if (row) await dropTable(client, Number(row.number));
}

function tableIn({ number, model, ready }: Row): TableOfSpace {
  return { number: Number(number), model, isReady: ready };
}
