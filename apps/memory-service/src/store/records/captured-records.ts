import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { StoredComparison } from '../indexes/comparisons.ts';
import type { SnapshotRecord, SnapshotRecords } from './snapshot-records.ts';

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
export function capturedRecords(captured: Captured): SnapshotRecords {
  const { count, end, stored, expired } = captured;
  return {
    length: count,
    *[Symbol.iterator]() {
      // Expired memories go first: a later memory may have the same key or words, and must win.
      for (const one of expired) yield { ...one, rows: null };
      for (let ordinal = 0; ordinal < end; ordinal++)
        if (stored.has(ordinal)) yield new CapturedRecord(captured, ordinal);
    },
  };
}

/** Each part is read when it is asked for: who wants the rows alone unpacks nothing. */
class CapturedRecord implements SnapshotRecord {
  readonly #captured: Captured;
  readonly #ordinal: number;
  #stored: StoredMemory | undefined;

  constructor(captured: Captured, ordinal: number) {
    this.#captured = captured;
    this.#ordinal = ordinal;
  }

  get memory(): Memory {
    return this.#unpacked().memory;
  }

  get strength(): Readonly<Strength> {
    return this.#unpacked().strength;
  }

  get rows(): RowRange | null {
    return this.#captured.rowsOf(this.#ordinal);
  }

  get comparison(): StoredComparison {
    return this.#captured.comparisonOf(this.#ordinal, this.memory.id);
  }

  get reading(): TextReading | undefined {
    return this.#captured.readingOf(this.#ordinal);
  }

  #unpacked(): StoredMemory {
    this.#stored ??= this.#captured.stored.at(this.#ordinal);
    return this.#stored;
  }
}
