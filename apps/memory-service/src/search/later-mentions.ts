import { NONE, type SlotTable } from './columns/slot-table.ts';
import type { LexicalIndex } from './lexical/lexical-index.ts';
import { PostingBuffer } from './lexical/posting-lists.ts';
import type { ReadingLog } from './lexical/reading-log.ts';
import type { Sight } from './partitions.ts';

/** A word that more memories have tells little of one. */
const RARE = 3;
/** Terms of a memory that are looked at: a long text is about more than one thing. */
const MOST_TERMS = 300;
/** Numbers are of many things, and the days of which a memory speaks are no words of it. */
const IS_NO_WORD = /^\d|=/;

interface Mentioned {
  readonly sight: Sight;
  /** Ordinals of what was said after a memory and names something that it names and few memories do. */
  readonly namedLater: (ordinal: number) => readonly number[];
  readonly accepts: (ordinal: number) => boolean;
}

/** How a later memory takes up what one tells. */
export interface SharedWith {
  /** Whether it names something that the other one names and few memories do. */
  readonly isNamed: boolean;
  /** How many rare words it has in common with the other one. */
  readonly words: number;
}

/** Finds what was said after a memory and takes up what that tells: by a name or a rare word that both have. */
export class LaterMentions {
  readonly #slots: SlotTable;
  readonly #lexical: LexicalIndex;
  readonly #readings: ReadingLog;
  readonly #with = new PostingBuffer();

  constructor({ slots, lexical, readings }: { slots: SlotTable; lexical: LexicalIndex; readings: ReadingLog }) {
    this.#slots = slots;
    this.#lexical = lexical;
    this.#readings = readings;
  }

  /** By slot. @complexity O(terms of the memory) */
  of(slot: number, { sight, namedLater, accepts }: Mentioned): ReadonlyMap<number, SharedWith> {
    const found = new Map<number, SharedWith>();
    const { createdAt, ordinal } = this.#slots;
    const saidAt = createdAt[slot] as number;
    for (const named of namedLater(ordinal[slot] as number)) {
      const later = this.#slots.slotOf(named);
      if (later !== NONE) found.set(later, { isNamed: true, words: 0 });
    }
    for (const number of this.#termsOf(slot)) {
      this.#lexical.readRare(number, { sight, most: RARE }, this.#with);
      for (const other of this.#with.slots.subarray(0, this.#with.length)) {
        if ((createdAt[other] as number) <= saidAt || !accepts(ordinal[other] as number)) continue;
        const { isNamed, words } = found.get(other) ?? { isNamed: false, words: 0 };
        found.set(other, { isNamed, words: words + 1 });
      }
    }
    return found;
  }

  #termsOf(slot: number): ReadonlySet<number> {
    const { numbers, from, until } = this.#readings.termsOf(this.#slots.ordinal[slot] as number);
    const terms = new Set(numbers.subarray(from, Math.min(until, from + MOST_TERMS)));
    for (const number of terms) if (IS_NO_WORD.test(this.#lexical.termOf(number) ?? '')) terms.delete(number);
    return terms;
  }
}
