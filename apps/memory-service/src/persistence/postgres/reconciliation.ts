import { isDeepStrictEqual } from 'node:util';
import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { RowRange } from '../../search/evidence-index.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { StoredComparison } from '../../store/comparisons.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';

/** Brings indexes that are in use to what a checkpoint holds: what is as it was stays, so that it costs little. */
export class Reconciliation implements SnapshotSink {
  readonly #indexes: MemoryIndexes;
  /** That of the checkpoint; null without embeddings. */
  readonly #matrix: VectorMatrix | null;
  readonly #seen = new Set<string>();

  constructor({ indexes, matrix }: { indexes: MemoryIndexes; matrix: VectorMatrix | null }) {
    this.#indexes = indexes;
    this.#matrix = matrix;
  }

  add(memory: Memory, strength: Readonly<Strength> | null, rows: RowRange | null, reading?: TextReading): void {
    this.#seen.add(memory.id);
    const { records } = this.#indexes;
    const ordinal = records.ordinalOf(memory.id);
    const known = ordinal === undefined ? null : records.at(ordinal);
    if (known && isDeepStrictEqual(known, { memory, strength }) && this.#hasAsManyVectors(memory.id, rows)) return;
    this.#indexes.add(memory, strength, this.#indexes.appendVectors(this.#vectorsIn(rows)), reading);
  }

  wasCompared(memoryId: string, comparison: StoredComparison): void {
    this.#indexes.wasCompared(memoryId, comparison);
  }

  wereDeleted(ids: readonly string[]): void {
    this.#indexes.wereDeleted(ids);
  }

  /** Takes out what the checkpoint does not hold. */
  finish(): void {
    const { records } = this.#indexes;
    const ids = records.order.snapshot().map((ordinal) => records.at(ordinal).memory.id);
    this.#indexes.remove([...ids, ...this.#indexes.expired.map(({ id }) => id)].filter((id) => !this.#seen.has(id)));
  }

  #hasAsManyVectors(id: string, rows: RowRange | null): boolean {
    return this.#matrix === null || this.#indexes.vectorsOf(id).length === (rows?.count ?? 0);
  }

  #vectorsIn(rows: RowRange | null): Float32Array[] {
    const matrix = this.#matrix;
    if (!matrix || !rows) return [];
    return Array.from({ length: rows.count }, (_, i) => matrix.row(rows.first + i));
  }
}
