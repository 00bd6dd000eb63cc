import { UnavailableError } from '@agent-faculties/service-kit';
import { nextTurn } from '../../../domain/concurrency/next-turn.ts';
import type { HeldRows } from '../../../search/vectors/distant-vectors.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import type { LogPosition } from '../log/change-log.ts';
import type { VectorRow, VectorTable } from './vector-table.ts';

/** Rows written at a time: about 15 ms of the event loop. */
const ROWS_AT_ONCE = 200;
/** How often a batch is sent again because others have made a checkpoint meanwhile. */
const ATTEMPTS = 10;

/** Where the process is in the log; there once the space is loaded. */
export interface Follower {
  readonly position: LogPosition;
  /** Applies what others have written. */
  catchUp(): Promise<void>;
}

/** Rows of one moment. */
export interface CapturedRows {
  readonly held: HeldRows;
  /** Every row is below; absent: all that there are. */
  readonly length?: number;
}

interface FillDeps {
  readonly space: string;
  readonly indexes: Pick<MemoryIndexes, 'rows'>;
  readonly follower: Follower;
  readonly isClosed: () => boolean;
}

/** Puts the rows that memories have now into a table. @throws UnavailableError where others save all the time, or the space is closed */
export async function fillTable(table: VectorTable, { held, length }: CapturedRows, deps: FillDeps): Promise<void> {
  const end = length ?? held.first + held.matrix.length;
  for (let from = held.first; from < end; from += ROWS_AT_ONCE) {
    await fillBatch(table, { held, from, to: Math.min(from + ROWS_AT_ONCE, end) }, deps);
    await nextTurn();
  }
}

interface Batch {
  readonly held: HeldRows;
  readonly from: number;
  readonly to: number;
}

async function fillBatch(
  table: VectorTable,
  batch: Batch,
  { space, indexes, follower, isClosed }: FillDeps,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (isClosed()) throw new UnavailableError('The space is closed: its vectors stay where they are.');
    const { position } = follower;
    const rows = await table.lacking(rowsIn(batch, indexes));
    if (rows.length === 0 || (await table.put(rows, { space, position }))) return;
    await follower.catchUp();
  }
  throw new UnavailableError('Other replicas save this space all the time: send it again in a moment.');
}

function rowsIn({ held, from, to }: Batch, { rows }: FillDeps['indexes']): VectorRow[] {
  const found: VectorRow[] = [];
  for (let row = from; row < to; row++) {
    const owner = rows.chunkOf(row);
    const text = owner && rows.textOf(owner.id);
    if (text) found.push({ ...text, chunk: owner.chunk, vector: held.row(row) });
  }
  return found;
}
