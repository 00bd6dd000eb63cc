import type { StoreFigures } from '../domain/space/stored-space.ts';
import type { MemoryIndexes } from './indexes/memory-indexes.ts';
import { spaceBytes } from './space-bytes.ts';

/** Figures of the store for the metrics. @complexity O(1) each */
export function storeFigures(indexes: MemoryIndexes): StoreFigures {
  const { records, comparisons, vectors } = indexes;
  return {
    memories: records.total.bind(records),
    contradictions: comparisons.count.bind(comparisons),
    vectors: () => indexes.rows.count,
    vectorsInDatabase: () => (vectors?.areElsewhere ? indexes.rows.count - vectors.index.living : 0),
    vectorBytes: () => vectors?.matrix.bytesHeld ?? 0,
    bytes: () =>
      spaceBytes({
        memories: records.size,
        characters: records.characters,
        vectorBytes: (vectors?.matrix.bytesHeld ?? 0) + (vectors?.matrix.bytes ?? 0),
      }),
    vectorProcessId: () => vectors?.index.processId,
    // All of them while those that were saved are still to come.
    waitingForVectors: () => (vectors?.matrix.isWhole === false ? records.size : indexes.rows.waiting.size),
    waitingForComparison: () => comparisons.waitingTotal,
  };
}
