import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import { NONE } from '../columns/slot-table.ts';
import { type NearRows, TopRows } from '../columns/top-rows.ts';
import {
  type ChunkId,
  type DistantVectors,
  GatheredRows,
  HeldRows,
  type MemoryText,
  type NearChunk,
} from './distant-vectors.ts';
import type { RowSource } from './fitting-rows.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VectorMatrix } from './vector-matrix.ts';
import type { RowRange, VectorRows } from './vector-rows.ts';

/** So many rows that fit are compared without the index: 5 to 8 ms here; elsewhere, in PostgreSQL, about 20 ms. */
const COMPARED = { here: 20_000, elsewhere: 5_000 };

/** Rows copied, or compared, in one turn of the event loop: 2 ms, and up to 10 ms where they are read from a file. */
const ROWS_PER_TURN = 4_000;

/** If rows of deleted and changed memories crowd out the others, the search asks again for this many times as many rows. */
const WIDENING = 4;

/** A matrix with an index over it. */
export interface IndexedMatrix {
  readonly matrix: VectorMatrix;
  readonly index: VectorIndex;
}

/** Which row belongs to which memory. */
export interface RowOwners {
  /** Null for a row that no memory has any more. */
  chunkOf(row: number): ChunkId | null;
  /** NONE where the memory has none for that chunk. */
  rowOf(chunk: ChunkId): number;
  /** Of the text that a memory has now; null where there is no such memory. */
  textOf(id: string): MemoryText | null;
}

interface RowAndCosine {
  readonly row: number;
  readonly cosine: number;
}

/**
 * The vectors of a space, by row. Rows are numbered over the life of the process and never change. Those from `first` on are
 * here, in a matrix with an index; those before are kept elsewhere, where there is such a place, and are fetched for each request.
 */
export class SpaceVectors implements VectorRows, RowSource {
  readonly #another: () => Promise<IndexedMatrix>;
  #held: HeldRows;
  #index: VectorIndex;
  #distant: DistantVectors | null = null;
  #owners: RowOwners | null = null;

  private constructor({ matrix, index }: IndexedMatrix, another: () => Promise<IndexedMatrix>) {
    this.#held = new HeldRows(matrix, 0);
    this.#index = index;
    this.#another = another;
  }

  /** Without rows. @param another makes an empty matrix, as often as it is called */
  static async open(another: () => Promise<IndexedMatrix>): Promise<SpaceVectors> {
    return new SpaceVectors(await another(), another);
  }

  get matrix(): VectorMatrix {
    return this.#held.matrix;
  }

  get index(): VectorIndex {
    return this.#index;
  }

  /** The rows that are here at this moment. */
  get held(): HeldRows {
    return this.#held;
  }

  /** Whether some of them are elsewhere. */
  get areElsewhere(): boolean {
    return this.#distant !== null;
  }

  /** The first row that is here. */
  get first(): number {
    return this.#held.first;
  }

  /** Every row is below. */
  get length(): number {
    return this.first + this.matrix.length;
  }

  get mostCompared(): number {
    return this.#distant ? COMPARED.elsewhere : COMPARED.here;
  }

  /** For the indexes over it, before the first row. */
  tellOwners(owners: RowOwners): void {
    this.#owners = owners;
  }

  /** Of a row that is here. */
  dot(query: Float32Array, row: number): number {
    return this.#held.dot(query, row);
  }

  /** Of rows that are here. */
  dots(query: Float32Array, rows: ArrayLike<number>, products: Float64Array): void {
    this.#held.dots(query, rows, products);
  }

  /** Of rows that are here. */
  dotRows(a: number, b: number): number {
    return this.#held.dotRows(a, b);
  }

  /** One that is here. */
  row(row: number): Float32Array {
    return this.#held.row(row);
  }

  /** The rows before `first` are kept there, and none is here yet. For a start. */
  beginAfter(first: number, distant: DistantVectors): void {
    this.#held = new HeldRows(this.matrix, first);
    this.#distant = distant;
  }

  /**
   * Lets go of the rows before `first`: those that a memory has are kept there from now on. Requests under way go on with what they
   * have. Not to be called again before it resolves.
   */
  async keepElsewhere(first: number, distant: DistantVectors): Promise<void> {
    if (first <= this.first) return;
    await this.matrix.whole();
    const { matrix, index } = await this.#another();
    for (let next = first; next < this.length; next = first + matrix.length) {
      this.#copyTo(matrix, { from: next, to: Math.min(next + ROWS_PER_TURN, this.length) });
      await nextTurn();
    }
    // What came in that turn: from here on nothing comes between.
    this.#copyTo(matrix, { from: first + matrix.length, to: this.length });
    const before = this.#index;
    this.#held = new HeldRows(matrix, first);
    this.#index = index;
    this.#distant = distant;
    if (matrix.length > 0) index.noteAppended();
    for (let row = first; row < this.length; row++) if (!this.#owners?.chunkOf(row)) index.remove(row - first, 1);
    await before.close();
  }

  /** Ends the use of distant vectors: every row of a memory is in this process now. */
  keepHere(): void {
    this.#distant = null;
  }

  #copyTo(matrix: VectorMatrix, { from, to }: { from: number; to: number }): void {
    if (from < to) matrix.append(this.matrix.row(from - this.first, to - from));
  }

  /** For good. */
  async close(): Promise<void> {
    await this.#index.close();
    this.matrix.close();
  }

  /** Takes vectors in as the next rows; null where there is no room, which a start makes, because it leaves dead rows out. */
  append(vectors: readonly Float32Array[]): RowRange | null {
    const { matrix, first } = this.#held;
    if (!matrix.hasRoomFor(vectors.length)) return null;
    const start = matrix.length;
    for (const vector of vectors) matrix.append(vector);
    this.#index.noteAppended();
    return { first: first + start, count: vectors.length };
  }

  /** Their numbers stay until the next start; no search finds them any more. */
  remove({ first, count }: RowRange): void {
    if (first < this.first) return;
    this.matrix.forget(first - this.first, count);
    this.#index.remove(first - this.first, count);
  }

  /** For what a request reads, where some rows may be elsewhere; null: all are held. */
  gather(): GatheredRows | null {
    return this.#distant && this.#gatherFrom(this.#distant);
  }

  /** These rows, wherever they are. */
  async rowsOf(rows: readonly number[]): Promise<HeldRows | GatheredRows> {
    const distant = this.#distant;
    if (!distant) return this.#held;
    const gathered = this.#gatherFrom(distant);
    for (let missing = gathered.missing(rows); missing.length > 0; missing = gathered.missing(rows)) {
      await gathered.fetch(missing);
    }
    return gathered;
  }

  #gatherFrom(distant: DistantVectors): GatheredRows {
    return new GatheredRows({ heldNow: () => this.#held, fetch: (rows) => this.#fetch(distant, rows) });
  }

  /** As `VectorIndex.search`; of the rows that are elsewhere nearly all that are near. */
  async search(query: Float32Array, count: number): Promise<NearRows> {
    const { first } = this.#held;
    const distant = this.#distant;
    if (first === 0) return await this.#index.search(query, count);
    const [here, there] = await Promise.all([
      this.#index.search(query, count),
      distant ? this.#nearestElsewhere(distant, query, { count, first }) : [],
    ]);
    const top = new TopRows(count);
    here.rows.forEach((row, place) => {
      top.offer(first + row, here.cosines[place] as number);
    });
    for (const { row, cosine } of there) top.offer(row, cosine);
    return top.take();
  }

  async #nearestElsewhere(
    distant: DistantVectors,
    query: Float32Array,
    { count, first }: { count: number; first: number },
  ): Promise<RowAndCosine[]> {
    for (let asked = count; ; asked *= WIDENING) {
      const near = await distant.nearest(query, asked);
      const living = this.#livingAmong(near, first);
      if (living.length >= count || near.length < asked) return living;
    }
  }

  /** Those that still have a row below `first`: not of a former text, and not held in this process. */
  #livingAmong(near: readonly NearChunk[], first: number): RowAndCosine[] {
    const found = near.map((chunk) => ({ row: this.#rowOf(chunk), cosine: chunk.cosine }));
    return found.filter(({ row }) => row !== NONE && row < first);
  }

  #rowOf(chunk: NearChunk): number {
    return this.#owners?.textOf(chunk.id)?.digest === chunk.digest ? this.#owners.rowOf(chunk) : NONE;
  }

  /** The nearest of these rows, exactly. */
  async nearestAmong(rows: readonly number[], query: Float32Array, count: number): Promise<NearRows> {
    const held = this.#held;
    const top = new TopRows(count);
    const elsewhere = new Set<string>();
    for (const [index, row] of rows.entries()) {
      if ((index + 1) % ROWS_PER_TURN === 0) await nextTurn();
      const chunk = row < held.first ? this.#owners?.chunkOf(row) : null;
      if (row >= held.first) top.offer(row, held.dot(query, row));
      else if (chunk) elsewhere.add(chunk.id);
    }
    const distant = this.#distant;
    if (!distant || elsewhere.size === 0) return top.take();
    const found = await distant.nearestAmong([...elsewhere], query, count);
    for (const { row, cosine } of this.#livingAmong(found, held.first)) top.offer(row, cosine);
    return top.take();
  }

  async #fetch(distant: DistantVectors, rows: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
    const chunks = new Map<number, ChunkId>();
    for (const row of rows) {
      const chunk = this.#owners?.chunkOf(row);
      if (chunk) chunks.set(row, chunk);
    }
    const ids = [...new Set([...chunks.values()].map(({ id }) => id))];
    const texts = ids.flatMap((id) => this.#owners?.textOf(id) ?? []);
    const vectors = texts.length > 0 ? await distant.fetch(texts) : new Map<string, readonly Float32Array[]>();
    const found = new Map<number, Float32Array>();
    for (const [row, { id, chunk }] of chunks) {
      const vector = vectors.get(id)?.[chunk];
      if (vector) found.set(row, vector);
      else distant.missed(id);
    }
    return found;
  }
}
