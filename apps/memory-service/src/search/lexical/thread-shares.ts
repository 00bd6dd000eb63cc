import { grown } from '../columns/grown.ts';
import type { SlotTable } from '../columns/slot-table.ts';
import type { Sight } from '../partitions.ts';
import type { ThreadIndex, ThreadTotals, Views } from '../threads/thread-index.ts';
import type { PostingBuffer } from './posting-lists.ts';

/** BM25 over threads, as TURN and WINDOW are. */
const THREAD = { saturation: 1.2, length: 0.75 };

interface Asking {
  readonly sight: Sight;
  readonly totals: ThreadTotals;
  /** Every number of a thread is below. */
  readonly threadNumbers: number;
}

/** How much of what was asked stands in each thread, over what one viewer sees: by number of a thread, added up word by word. */
export class ThreadShares {
  /** The highest of all. */
  best = 0;
  #shares = new Float32Array(0);
  #touched: number[] = [];
  // Of the word under way: its mentions in each thread, and the threads that have any.
  #mentions = new Int32Array(0);
  readonly #mentioning: number[] = [];
  /** What a term of a thread counts for its length. */
  #perTerm = 0;
  #sight: Sight = { partitions: new Uint8Array(0), authors: new Uint8Array(0) };
  readonly #slots: SlotTable;
  readonly #views: Views;

  constructor(slots: SlotTable, views: Views) {
    this.#slots = slots;
    this.#views = views;
  }

  of(thread: number): number {
    return this.#shares[thread] ?? 0;
  }

  /** For another question. */
  begin({ sight, totals, threadNumbers }: Asking): void {
    for (const thread of this.#touched) this.#shares[thread] = 0;
    this.#touched = [];
    this.best = 0;
    this.#sight = sight;
    this.#perTerm = (THREAD.saturation * THREAD.length * totals.threads) / totals.terms;
    this.#shares = grown(this.#shares, threadNumbers);
    this.#mentions = grown(this.#mentions, threadNumbers);
  }

  /** Adds what the postings of a word are worth. */
  add(postings: PostingBuffer, idf: number): void {
    this.#count(postings);
    const perTerm = this.#perTerm;
    const fixed = THREAD.saturation * (1 - THREAD.length);
    const [, shared, told, own] = this.#views;
    for (const thread of this.#mentioning) {
      const count = this.#mentions[thread] as number;
      this.#mentions[thread] = 0;
      const before = this.#shares[thread] as number;
      if (before === 0) this.#touched.push(thread);
      // A number belongs to one of the views; the entries of the others are 0.
      const terms = (own.threadTerms[thread] || told.threadTerms[thread] || shared.threadTerms[thread]) ?? 0;
      this.#shares[thread] = before + (idf * count * (1 + THREAD.saturation)) / (count + fixed + perTerm * terms);
    }
    this.#mentioning.length = 0;
  }

  /** Makes shares of what was added up. @param weight of all words that were asked */
  makeShares(weight: number): void {
    const share = 1 / (weight * (1 + THREAD.saturation));
    for (const thread of this.#touched) {
      this.#shares[thread] = (this.#shares[thread] as number) * share;
      this.best = Math.max(this.best, this.#shares[thread] as number);
    }
  }

  /** Runs over every posting of a word: all that it touches is in local variables. */
  #count({ slots, counts, length }: PostingBuffer): void {
    const mentions = this.#mentions;
    const mentioning = this.#mentioning;
    const { partition } = this.#slots;
    const { partitions } = this.#sight;
    const views = this.#views;
    for (let index = 0; index < length; index++) {
      const slot = slots[index] as number;
      const view = views[partitions[partition[slot] as number] as number] as ThreadIndex;
      const thread = view.thread[slot] as number;
      if (mentions[thread] === 0) mentioning.push(thread);
      mentions[thread] = (mentions[thread] as number) + (counts[index] as number);
    }
  }
}
