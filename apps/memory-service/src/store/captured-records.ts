import type { StoredMemory } from '../domain/memory/memory-store.ts';
import type { RowRange } from '../search/evidence-index.ts';
import type { TextReading } from '../search/lexical/text-reading.ts';
import type { StoredComparison } from './comparisons.ts';
import type { SnapshotRecords } from './stored-memory.ts';

/** What was copied at one moment, by ordinal. */
interface Captured {
  readonly count: number;
  readonly end: number;
  readonly stored: { has(ordinal: number): boolean; at(ordinal: number): StoredMemory };
  readonly expired: readonly StoredMemory[];
  readonly rowsOf: (ordinal: number) => RowRange | null;
  readonly comparisonOf: (ordinal: number, id: string) => StoredComparison;
  readonly readingOf: (ordinal: number) => TextReading | undefined;
}

/** The records of that moment, each put together when it is read. */
export function capturedRecords({ count, end, stored, expired, ...of }: Captured): SnapshotRecords {
  return {
    length: count,
    *[Symbol.iterator]() {
      // First, because what has the key or the words of one of them came after it.
      for (const one of expired) yield { ...one, rows: null };
      for (let ordinal = 0; ordinal < end; ordinal++) {
        if (!stored.has(ordinal)) continue;
        let unpacked: StoredMemory | undefined;
        const one = () => {
          unpacked ??= stored.at(ordinal);
          return unpacked;
        };
        yield {
          // Who wants the rows alone unpacks nothing.
          get memory() {
            return one().memory;
          },
          get strength() {
            return one().strength;
          },
          rows: of.rowsOf(ordinal),
          get comparison() {
            return of.comparisonOf(ordinal, one().memory.id);
          },
          // Of the three files only one is written from it.
          get reading() {
            return of.readingOf(ordinal);
          },
        };
      }
    },
  };
}
