import { directionOf } from '../../domain/embedding/direction.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import { grown } from '../../search/columns/grown.ts';
import { NONE } from '../../search/columns/slot-table.ts';
import { type ChunkId, GatheredRows, type MemoryText } from '../../search/vectors/distant-vectors.ts';
import type { SpaceVectors } from '../../search/vectors/space-vectors.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { Records } from '../records/records.ts';
import { RowRanges } from './row-ranges.ts';
import { textDigest } from './text-digest.ts';

/** Which rows of the vectors of a space belong to which memory, and which memories wait for theirs. */
export class MemoryVectors {
  /** Null without embeddings. */
  readonly vectors: SpaceVectors | null;
  readonly #records: Records;
  /** By ordinal. */
  readonly #rows = new RowRanges();
  #ordinalOfRow = new Int32Array(0);
  #count = 0;
  #publicCount = 0;
  /** Ordinals. */
  readonly #waiting = new Set<number>();
  /** Null: nobody asks for them. */
  #outdated: Set<string> | null = null;

  constructor(vectors: SpaceVectors | null, records: Records) {
    this.vectors = vectors;
    this.#records = records;
    vectors?.tellOwners({
      chunkOf: (row) => this.chunkOf(row),
      rowOf: (chunk) => this.#rowOf(chunk),
      textOf: (id) => this.textOf(id),
    });
  }

  /** How many vectors the memories have, wherever they are. */
  get count(): number {
    return this.#count;
  }

  /** How many of them are of memories that are not PRIVATE. */
  get publicCount(): number {
    return this.#publicCount;
  }

  /** Ordinals of the memories that wait for their vectors; those that have waited longest first. */
  get waiting(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** Ids of memories that have lost their vectors or their text, from the first call on. The caller removes those that it has handled. */
  outdated(): Set<string> {
    this.#outdated ??= new Set();
    return this.#outdated;
  }

  /** Null when there are none, or no room: words still find the memory. */
  append(vectors: readonly Float32Array[]): RowRange | null {
    return vectors.length === 0 ? null : (this.vectors?.append(vectors) ?? null);
  }

  /** Null also for no ordinal. */
  rowsOf(ordinal: number | undefined): RowRange | null {
    return this.#rows.of(ordinal);
  }

  /** Of a row that a memory had, also when it has it no more. */
  ordinalOf(row: number): number {
    return this.#ordinalOfRow[row] as number;
  }

  /** Gives a memory its rows. Without any it waits for them. */
  set(ordinal: number, memory: Pick<Memory, 'scope'>, rows: RowRange | null): void {
    this.#put(ordinal, memory, rows);
    if (this.vectors && rows === null) this.#waiting.add(ordinal);
    else this.#waiting.delete(ordinal);
  }

  /** Takes the rows of a memory from it, as its scope was when they were given. */
  clear(ordinal: number, memory: Pick<Memory, 'scope'>): void {
    this.#put(ordinal, memory, null);
  }

  /** For a memory that is gone, or whose vectors have no room in the matrix: only a restart makes room. */
  waitNoMore(ordinal: number): void {
    this.#waiting.delete(ordinal);
  }

  #put(ordinal: number, { scope }: Pick<Memory, 'scope'>, rows: RowRange | null): void {
    const more = (rows?.count ?? 0) - (this.#rows.of(ordinal)?.count ?? 0);
    this.#count += more;
    if (scope !== 'PRIVATE') this.#publicCount += more;
    this.#rows.set(ordinal, rows);
    if (!rows) return;
    this.#ordinalOfRow = grown(this.#ordinalOfRow, rows.first + rows.count);
    this.#ordinalOfRow.fill(ordinal, rows.first, rows.first + rows.count);
  }

  /** To be called while the memory still has its text. Its rows stay until the next start; no search finds them any more. */
  letGo(ordinal: number): void {
    this.#outdated?.add(this.#records.idOf(ordinal));
    const rows = this.#rows.of(ordinal);
    if (rows) this.vectors?.remove(rows);
  }

  /** Some of the memories that wait, those that have waited longest first. */
  waitingMemories(count: number, except: ReadonlySet<string>): Memory[] {
    const taken: Memory[] = [];
    for (const ordinal of this.#waiting) {
      if (taken.length === count) break;
      const { memory } = this.#records.at(ordinal);
      if (!except.has(memory.id)) taken.push(memory);
    }
    return taken;
  }

  /** Copies of the vectors of each memory, in the order of its chunks; none while it waits for them. */
  async copiesOf(ids: readonly string[]): Promise<Float32Array[][]> {
    return (await this.#of(ids)).map((vectors) => vectors.map((vector) => Float32Array.from(vector)));
  }

  /** Of these memories, in the order of the chunks of each text; none before they are computed. Not to be changed. */
  async #of(ids: readonly string[]): Promise<Float32Array[][]> {
    const { vectors } = this;
    if (!vectors) return ids.map(() => []);
    const rows = ids.map((id) => rowsIn(this.#rows.of(this.#records.ordinalOf(id))));
    const read = await vectors.rowsOf(rows.flat());
    const isLost = (row: number) => read instanceof GatheredRows && read.isLost(row);
    return rows.map((chunks) => (chunks.some(isLost) ? [] : chunks.map((row) => read.row(row))));
  }

  /** The vector of a text of one chunk; the mean direction of all chunks of a longer one. */
  async embeddingsOf(ids: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors = await this.#of(ids);
    return vectors.map((chunks) => (chunks.length > 1 ? directionOf(chunks) : (chunks[0] ?? null)));
  }

  /** By ordinal, as they are at this moment, whatever happens later. */
  capture(): (ordinal: number) => RowRange | null {
    return this.#rows.capture();
  }

  /** Of the text that a memory has now; null where there is no such memory. */
  textOf(id: string): MemoryText | null {
    const ordinal = this.#records.ordinalOf(id);
    return ordinal === undefined ? null : { id, digest: textDigest(this.#records.at(ordinal).memory) };
  }

  /** Null for a row that no memory has any more. */
  chunkOf(row: number): ChunkId | null {
    const ordinal = this.#ordinalOfRow[row];
    const rows = this.#rows.of(ordinal);
    if (ordinal === undefined || !rows || row < rows.first || row >= rows.first + rows.count) return null;
    return { id: this.#records.idOf(ordinal), chunk: row - rows.first };
  }

  #rowOf({ id, chunk }: ChunkId): number {
    const rows = this.#rows.of(this.#records.ordinalOf(id));
    return rows && chunk < rows.count ? rows.first + chunk : NONE;
  }
}

function rowsIn(range: RowRange | null): number[] {
  return Array.from({ length: range?.count ?? 0 }, (_, i) => (range as RowRange).first + i);
}
