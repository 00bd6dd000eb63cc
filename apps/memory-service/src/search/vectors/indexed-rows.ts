import { join } from 'node:path';
import { inPassingFolder } from '@agent-faculties/service-kit';
import { HEADER_BYTES, writeFlatIndex } from './faiss/faiss-file.ts';
import type { FaissIndex, FaissPool } from './faiss/faiss-pool.ts';
import { FiledRows } from './filed-rows.ts';
import type { IndexPlan } from './index-plan.ts';
import type { VectorMatrix } from './vector-matrix.ts';

/** Kind of the folders that FAISS loads rows from. */
export const VECTORS_FOLDER = 'memory-vectors';

/** Vectors added in one request: 5 ms at 384 dimensions, which is as long as a search may have to wait for it. */
const BATCH_ROWS = 64;

/** From here on rows go through a file: faiss-node takes 40 to 80 us for a vector by value, 2 us from a file. */
const BULK_ROWS = 2_000;

/** So many rows stay in that file, which this process then reads them from. A recall among fewer would take a tenth longer and save little. */
const DEFAULT_FILED_FROM_ROWS = 50_000;

export interface FoundRows {
  /** Unsorted. */
  readonly rows: Int32Array;
  /** The row behind the last one that was looked at. */
  readonly upTo: number;
}

/** An index of FAISS and the rows of a matrix that it was given, in rising order without the dead ones. */
export class IndexedRows {
  readonly index: FaissIndex;
  readonly plan: IndexPlan;
  readonly #matrix: VectorMatrix;
  readonly #isDead: (row: number) => boolean;
  /** Row at each position of the index, from 0 on; grows by doubling. */
  #rowAt = new Int32Array(BULK_ROWS);
  #sent = 0;
  #nextRow = 0;
  #feeding: Promise<void> | undefined;
  #mayLoadInBulk: boolean;
  readonly #filedFromRows: number;

  private constructor(index: FaissIndex, { matrix, isDead, plan, filedFromRows = DEFAULT_FILED_FROM_ROWS }: Rows) {
    this.index = index;
    this.#filedFromRows = filedFromRows;
    this.plan = plan;
    this.#mayLoadInBulk = plan.lists === 0;
    this.#matrix = matrix;
    this.#isDead = isDead;
  }

  /** Starts an index without rows; to be trained before the first where its plan has lists. @throws FaissError */
  static async start({ pool, before, ...rows }: Start): Promise<IndexedRows> {
    const { lists, probes } = rows.plan;
    return new IndexedRows(await pool.open({ dimension: rows.matrix.dimension, lists, probes }, before), rows);
  }

  /** Rows that it was sent; some of them may have died since. */
  get size(): number {
    return this.#sent;
  }

  /** Rows that were looked at for it: those sent and those dead already. */
  get reach(): number {
    return this.#nextRow;
  }

  /** Finds the centres of the lists from rows all over the matrix; takes seconds. @throws FaissError */
  async train(): Promise<void> {
    const living: number[] = [];
    for (let row = 0; row < this.#matrix.length; row++) if (!this.#isDead(row)) living.push(row);
    const step = Math.max(1, living.length / this.plan.sampleRows);
    for (let next = 0; next < living.length; ) {
      const rows: number[] = [];
      for (; rows.length < BATCH_ROWS && next < living.length; next += step)
        rows.push(living[Math.floor(next)] as number);
      await this.index.ask({ do: 'sample', values: this.#values(rows) });
    }
    await this.index.ask({ do: 'train' });
  }

  /** Sends all rows that are new in the matrix. @throws FaissError */
  catchUp(): Promise<void> {
    this.#feeding ??= this.#feed().finally(() => {
      this.#feeding = undefined;
    });
    return this.#feeding;
  }

  /** Resolves when no rows are being sent, whether they arrived or not. */
  async fed(): Promise<void> {
    await this.#feeding?.catch(() => {});
  }

  /**
   * The nearest `count` of the rows that it holds, nearly so with lists; all of them when it holds fewer.
   * @throws FaissError
   */
  async search(query: Float32Array, count: number): Promise<FoundRows> {
    const { held, positions = new Int32Array(0) } = await this.index.ask({ do: 'search', query, count });
    return { rows: positions.map((position) => this.#row(position)), upTo: held === 0 ? 0 : this.#row(held - 1) + 1 };
  }

  #row(position: number): number {
    return this.#rowAt[position] as number;
  }

  async #feed(): Promise<void> {
    while (this.#matrix.isWhole && this.#nextRow < this.#matrix.length) {
      const isFarBehind = this.#matrix.length - this.#nextRow >= BULK_ROWS;
      if (isFarBehind && this.#mayLoadInBulk) await this.#loadInBulk();
      else await this.#addBatch();
    }
  }

  async #addBatch(): Promise<void> {
    const rows = this.#take(BATCH_ROWS);
    if (rows.length > 0) await this.index.ask({ do: 'add', values: this.#values(rows) });
  }

  #values(rows: ArrayLike<number>): Float32Array {
    const { dimension } = this.#matrix;
    const values = new Float32Array(rows.length * dimension);
    for (let i = 0; i < rows.length; i++) values.set(this.#matrix.row(rows[i] as number), i * dimension);
    return values;
  }

  /** Through a temporary file that only this user can read. Where that does not work, batches have to do. */
  async #loadInBulk(): Promise<void> {
    const before = { sent: this.#sent, nextRow: this.#nextRow };
    const rows = this.#take(this.#matrix.length);
    let isLoaded = false;
    try {
      await inPassingFolder(VECTORS_FOLDER, async (folder) => {
        const path = join(folder, 'rows.faiss');
        await writeFlatIndex(path, { matrix: this.#matrix, rows, durable: false });
        await this.index.ask({ do: 'load', path });
        isLoaded = true;
        await this.#keepInFile(path, rows.length);
      });
    } catch {
      this.#mayLoadInBulk = false;
      // FAISS would have them twice.
      if (isLoaded) return;
      this.#sent = before.sent;
      this.#nextRow = before.nextRow;
    }
  }

  /** The matrix reads its rows from there, where there are many and the file has the first ones without a gap. */
  async #keepInFile(path: string, count: number): Promise<void> {
    if (count < this.#filedFromRows || this.#sent !== count || this.#row(count - 1) !== count - 1) return;
    const { dimension } = this.#matrix;
    const filed = await FiledRows.open(path, { offset: HEADER_BYTES, dimension, count }).catch(() => null);
    if (!filed) return;
    this.#matrix.keepInFile(filed);
    // Those that died since they were written.
    for (let row = 0; row < count; row++) if (this.#isDead(row)) this.#matrix.forget(row, 1);
  }

  /** The next living rows, noted as sent. */
  #take(atMost: number): Int32Array {
    const start = this.#sent;
    while (this.#nextRow < this.#matrix.length && this.#sent - start < atMost) {
      const row = this.#nextRow++;
      if (this.#isDead(row)) continue;
      if (this.#sent === this.#rowAt.length) {
        const larger = new Int32Array(2 * this.#sent);
        larger.set(this.#rowAt);
        this.#rowAt = larger;
      }
      this.#rowAt[this.#sent++] = row;
    }
    return this.#rowAt.slice(start, this.#sent);
  }
}

interface Rows {
  readonly matrix: VectorMatrix;
  readonly isDead: (row: number) => boolean;
  readonly plan: IndexPlan;
  /** Absent: 50,000. */
  readonly filedFromRows?: number | undefined;
}

interface Start extends Rows {
  readonly pool: FaissPool;
  /** The one that this is to replace. */
  readonly before: FaissIndex | null;
}
