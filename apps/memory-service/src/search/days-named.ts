import { grown } from './columns/grown.ts';
import type { SlotTable } from './columns/slot-table.ts';
import { TopRows } from './columns/top-rows.ts';
import type { LexicalIndex } from './lexical/lexical-index.ts';
import { PostingBuffer } from './lexical/posting-lists.ts';
import type { Sight } from './partitions.ts';

interface Asked {
  /** As terms of `day-terms.ts`. */
  readonly days: readonly string[];
  readonly sight: Sight;
}

/** Which memories name a day that a question asks about. */
export class DaysNamed {
  readonly #slots: SlotTable;
  readonly #lexical: LexicalIndex;
  /** What the lists of days are read into. */
  readonly #naming = new PostingBuffer();
  /** By slot: the last question of which it names a day. */
  #namedFor = new Int32Array(0);
  #question = 0;

  constructor({ slots, lexical }: { slots: SlotTable; lexical: LexicalIndex }) {
    this.#slots = slots;
    this.#lexical = lexical;
  }

  /** The next calls of `has` are about these days. @returns slots of the newest memories that name them and are accepted, the newest first */
  newest({ days, sight }: Asked, { accepts, most }: { accepts: (ordinal: number) => boolean; most: number }): number[] {
    const { createdAt, ordinal, size } = this.#slots;
    this.#namedFor = grown(this.#namedFor, size);
    this.#question++;
    const newest = new TopRows(most);
    for (const day of days) {
      this.#lexical.read(day, { sight }, this.#naming);
      for (const slot of this.#naming.slots.subarray(0, this.#naming.length)) {
        if (this.has(slot)) continue;
        this.#namedFor[slot] = this.#question;
        const saidAt = createdAt[slot] as number;
        if (saidAt >= newest.least && accepts(ordinal[slot] as number)) newest.offer(ordinal[slot] as number, saidAt);
      }
    }
    return Array.from(newest.take().rows, (one) => this.#slots.slotOf(one));
  }

  has(slot: number): boolean {
    return this.#namedFor[slot] === this.#question;
  }
}
