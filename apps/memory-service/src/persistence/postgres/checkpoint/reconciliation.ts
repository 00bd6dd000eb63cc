import { isDeepStrictEqual } from 'node:util';
import { nextTurn } from '../../../domain/concurrency/next-turn.ts';
import type { Memory } from '../../../domain/memory/memory.ts';
import type { MemoryText } from '../../../search/vectors/distant-vectors.ts';
import type { VectorMatrix } from '../../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../../search/vectors/vector-rows.ts';
import type { StoredComparison } from '../../../store/indexes/comparisons.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import { textDigest } from '../../../store/indexes/text-digest.ts';
import type { SnapshotSink } from '../../../store/store-sink.ts';

/** More than the longest chain of memories that supersede each other. */
const MOST_PASSES = 100;
/** Memories that are compared or put in one turn of the event loop: about 10 ms. */
const RECORDS_PER_TURN = 500;

type ReadVectors = (texts: readonly MemoryText[]) => Promise<ReadonlyMap<string, readonly Float32Array[]>>;

/** Brings indexes that are in use to what a checkpoint holds: what is as it was stays, so that it costs little. */
export class Reconciliation implements SnapshotSink {
  readonly #indexes: MemoryIndexes;
  /** That of the checkpoint; null without embeddings. */
  readonly #matrix: VectorMatrix | null;
  readonly #records: Parameters<SnapshotSink['add']>[] = [];
  readonly #comparisons: Parameters<SnapshotSink['wasCompared']>[] = [];
  readonly #isInTable: () => boolean;
  #deleted: readonly string[] = [];
  /** Put without the vectors that they have in a table. */
  readonly #withoutVectors = new Map<string, Memory>();

  /** @param of.isInTable whether the vectors of the checkpoint are in a table, once its header was read */
  constructor(of: { indexes: MemoryIndexes; matrix: VectorMatrix | null; isInTable: () => boolean }) {
    this.#indexes = of.indexes;
    this.#matrix = of.matrix;
    this.#isInTable = of.isInTable;
  }

  add(...record: Parameters<SnapshotSink['add']>): void {
    this.#records.push(record);
    if (!this.#isSame(record) || !this.#hasItsVectors(record)) this.#put(record);
  }

  #put([memory, known = {}]: Parameters<SnapshotSink['add']>): void {
    const { rows = null } = known;
    this.#indexes.add(memory, { ...known, rows: this.#indexes.appendVectors(this.#vectorsIn(rows)) });
    if (rows && this.#isInTable()) this.#withoutVectors.set(memory.id, memory);
  }

  wasCompared(memoryId: string, comparison: StoredComparison): void {
    this.#comparisons.push([memoryId, comparison]);
  }

  wereDeleted(ids: readonly string[]): void {
    this.#deleted = ids;
  }

  /**
   * Takes out what the checkpoint does not hold. What happens to other memories meanwhile is undone, what was decided about them included.
   * @param readTable reads vectors of texts of the checkpoint, by memory
   */
  async finish(readTable: ReadVectors): Promise<void> {
    await this.#takeOutOthers();
    await this.#putUnlike();
    await this.#bringVectors(readTable);
    await this.#indexes.comparisons.restoreAll(this.#comparisons);
    this.#indexes.tombstones.replaceAll(this.#deleted);
    this.#indexes.revision++;
  }

  async #takeOutOthers(): Promise<void> {
    const { records } = this.#indexes;
    const wanted = new Set(this.#records.map(([{ id }]) => id));
    const ids = records.order.snapshot().map((ordinal) => records.idOf(ordinal));
    const others = [...ids, ...this.#indexes.expired.all().map(({ memory }) => memory.id)].filter(
      (id) => !wanted.has(id),
    );
    for (let start = 0; start < others.length; start += RECORDS_PER_TURN) {
      this.#indexes.remove(others.slice(start, start + RECORDS_PER_TURN));
      await nextTurn();
    }
  }

  /** Takes the vectors out of the table; those that it lacks are made again in the background. */
  async #bringVectors(readTable: ReadVectors): Promise<void> {
    const memories = [...this.#withoutVectors.values()];
    for (let start = 0; start < memories.length; start += RECORDS_PER_TURN) {
      const batch = memories.slice(start, start + RECORDS_PER_TURN);
      const found = await readTable(batch.map((memory) => ({ id: memory.id, digest: textDigest(memory) })));
      for (const memory of batch) {
        const rows = this.#indexes.appendVectors(found.get(memory.id) ?? []);
        if (rows) this.#indexes.update(memory, { rows });
      }
    }
  }

  /** What supersedes others lets go of them when it is put anew, so these come after it. */
  async #putUnlike(): Promise<void> {
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      let hasPut = false;
      for (const [index, record] of this.#records.entries()) {
        if ((index + 1) % RECORDS_PER_TURN === 0) await nextTurn();
        if (this.#isSame(record)) continue;
        this.#put(record);
        hasPut = true;
      }
      if (!hasPut) return;
    }
  }

  #isSame([memory, known]: Parameters<SnapshotSink['add']>): boolean {
    return isDeepStrictEqual(this.#indexes.storedOrExpired(memory.id), { memory, strength: known?.strength });
  }

  /** Whether a memory has as many vectors as the checkpoint has of it, and they can still be read. */
  #hasItsVectors([{ id }, known]: Parameters<SnapshotSink['add']>): boolean {
    const isExpired = this.#indexes.records.ordinalOf(id) === undefined;
    if (this.#matrix === null || isExpired) return true;
    const own = this.#indexes.rowsOf(id);
    const isReadable = !own || this.#isInTable() || own.first >= (this.#indexes.vectors?.first ?? 0);
    return isReadable && own?.count === known?.rows?.count;
  }

  #vectorsIn(rows: RowRange | null): Float32Array[] {
    const matrix = this.#matrix;
    if (!matrix || !rows || this.#isInTable()) return [];
    return Array.from({ length: rows.count }, (_, i) => matrix.row(rows.first + i));
  }
}
