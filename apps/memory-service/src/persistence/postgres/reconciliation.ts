import { isDeepStrictEqual } from 'node:util';
import type { RowRange } from '../../search/evidence-index.ts';
import type { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { StoredComparison } from '../../store/comparisons.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';

/** More than the longest chain of memories that supersede each other. */
const MOST_PASSES = 100;

/** Brings indexes that are in use to what a checkpoint holds: what is as it was stays, so that it costs little. */
export class Reconciliation implements SnapshotSink {
  readonly #indexes: MemoryIndexes;
  /** That of the checkpoint; null without embeddings. */
  readonly #matrix: VectorMatrix | null;
  readonly #records: Parameters<SnapshotSink['add']>[] = [];
  readonly #comparisons: Parameters<SnapshotSink['wasCompared']>[] = [];
  #deleted: readonly string[] = [];

  constructor({ indexes, matrix }: { indexes: MemoryIndexes; matrix: VectorMatrix | null }) {
    this.#indexes = indexes;
    this.#matrix = matrix;
  }

  add(...record: Parameters<SnapshotSink['add']>): void {
    this.#records.push(record);
    if (!this.#isSame(record) || !this.#hasAsManyVectors(record)) this.#put(record);
  }

  #put([memory, strength, rows, reading]: Parameters<SnapshotSink['add']>): void {
    this.#indexes.add(memory, strength, this.#indexes.appendVectors(this.#vectorsIn(rows)), reading);
  }

  wasCompared(memoryId: string, comparison: StoredComparison): void {
    this.#comparisons.push([memoryId, comparison]);
  }

  wereDeleted(ids: readonly string[]): void {
    this.#deleted = ids;
  }

  /** Takes out what the checkpoint does not hold. What happens to other memories meanwhile is undone, what was decided about them included. */
  finish(): void {
    this.#takeOutOthers();
    this.#putUnlike();
    this.#indexes.comparisons.restoreAll(this.#comparisons);
    this.#indexes.tombstones.replaceAll(this.#deleted);
    this.#indexes.revision++;
  }

  #takeOutOthers(): void {
    const { records } = this.#indexes;
    const wanted = new Set(this.#records.map(([{ id }]) => id));
    const ids = records.order.snapshot().map((ordinal) => records.at(ordinal).memory.id);
    this.#indexes.remove([...ids, ...this.#indexes.expired.map(({ id }) => id)].filter((id) => !wanted.has(id)));
  }

  /** What supersedes others lets go of them when it is put anew, so these come after it. */
  #putUnlike(): void {
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const unlike = this.#records.filter((record) => !this.#isSame(record));
      if (unlike.length === 0) return;
      for (const record of unlike) this.#put(record);
    }
  }

  #isSame([memory, strength]: Parameters<SnapshotSink['add']>): boolean {
    return isDeepStrictEqual(this.#indexes.storedOrExpired(memory.id), { memory, strength });
  }

  #hasAsManyVectors([{ id }, , rows]: Parameters<SnapshotSink['add']>): boolean {
    const isExpired = this.#indexes.records.ordinalOf(id) === undefined;
    return this.#matrix === null || isExpired || this.#indexes.vectorsOf(id).length === (rows?.count ?? 0);
  }

  #vectorsIn(rows: RowRange | null): Float32Array[] {
    const matrix = this.#matrix;
    if (!matrix || !rows) return [];
    return Array.from({ length: rows.count }, (_, i) => matrix.row(rows.first + i));
  }
}
