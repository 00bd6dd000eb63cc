import { emptyAt } from '../columns/emptied.ts';
import { grown } from '../columns/grown.ts';
import type { PostingBuffer } from './posting-lists.ts';

/**
 * The postings of asked words that a query has read, by slot: which words stand in a turn, how often. A window is measured from those
 * of its few turns. What they are worth is added up until somebody takes it.
 */
export class TurnPostings {
  /** Slots with postings, in the order of the first one of each; the first `slotCount` are valid. */
  slots = new Int32Array(0);
  slotCount = 0;
  /** By slot. */
  #worths = new Float32Array(0);
  /** By slot: the last of its postings + 1. */
  #heads = new Int32Array(0);
  // Of each posting, in the order in which they were read: the one of the same slot before it + 1, its word, how often.
  #previous = new Int32Array(0);
  #words = new Uint8Array(0);
  #counts = new Uint8Array(0);
  #length = 0;

  /** For another query. @param size every slot is below */
  begin(size: number): void {
    emptyAt(this.#heads, { places: this.slots, count: this.slotCount });
    this.#length = 0;
    this.slotCount = 0;
    this.slots = grown(this.slots, size);
    this.#worths = grown(this.#worths, size);
    this.#heads = grown(this.#heads, size);
  }

  /** Runs over every posting of a word: all that it touches is in local variables. @param worth of one mention */
  add({ slots: from, counts, length }: PostingBuffer, word: number, worth: number): void {
    const until = this.#length + length;
    this.#previous = grown(this.#previous, until);
    this.#words = grown(this.#words, until);
    this.#counts = grown(this.#counts, until);
    const previous = this.#previous;
    const countOf = this.#counts;
    const heads = this.#heads;
    const worths = this.#worths;
    const slots = this.slots;
    this.#words.fill(word, this.#length, until);
    let posting = this.#length;
    for (let index = 0; index < length; index++) {
      const slot = from[index] as number;
      const count = counts[index] as number;
      const head = heads[slot] as number;
      if (head === 0) slots[this.slotCount++] = slot;
      previous[posting] = head;
      countOf[posting] = count;
      heads[slot] = ++posting;
      worths[slot] = (worths[slot] as number) + worth * count;
    }
    this.#length = until;
  }

  /** What the postings of a slot are worth that were added since somebody took it last. */
  takeWorth(slot: number): number {
    const worth = this.#worths[slot] as number;
    this.#worths[slot] = 0;
    return worth;
  }

  /** Adds how often each word stands in a turn. @param counts by word */
  countIn(slot: number, counts: Int32Array): void {
    for (let posting = this.#heads[slot] as number; posting > 0; posting = this.#previous[posting - 1] as number) {
      const word = this.#words[posting - 1] as number;
      counts[word] = (counts[word] as number) + (this.#counts[posting - 1] as number);
    }
  }
}
