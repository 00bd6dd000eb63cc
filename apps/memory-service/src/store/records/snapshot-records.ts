import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { StoredComparison } from '../indexes/comparisons.ts';

/** A memory with all that a save keeps of it. */
export interface SnapshotRecord {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
  /** Its vectors in the matrix; null while they are still to be made. */
  readonly rows: RowRange | null;
  /** Absent: it was not compared. */
  readonly comparison?: StoredComparison | undefined;
  /** Absent: it is to be made from the memory. */
  readonly reading?: TextReading | undefined;
}

/** Memories of one moment, to be gone through several times. An array is one. */
export interface SnapshotRecords extends Iterable<SnapshotRecord> {
  readonly length: number;
}
