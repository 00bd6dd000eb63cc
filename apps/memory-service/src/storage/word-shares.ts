import { grown } from './grown.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PostingBuffer } from './posting-lists.ts';
import { NONE, type SlotTable } from './slot-table.ts';
import { type ThreadIndex, type ThreadTotals, WINDOW_REACH } from './thread-index.ts';

/** BM25 over turns, windows and threads: saturation and how much length counts. A turn's first mention adds `base`. */
const TURN = { saturation: 0.9, length: 0.4, base: 0.5 };
const WINDOW = { saturation: 1.2, length: 0.4 };
const THREAD = { saturation: 1.2, length: 0.75 };
/** Terms of a question that count, those with most to say first; more would only cost time. */
const TERMS_ASKED = 64;
/** Terms of a very long question that are looked at to choose those. */
const TERMS_LOOKED_AT = 256;

export interface Views {
  /** All memories; valid for those that belong to the caller. */
  readonly own: ThreadIndex;
  /** The public ones; valid for everybody else's. */
  readonly others: ThreadIndex;
}

/**
 * How much of what was asked stands in each turn, in its window and in its thread, over what one caller sees: one pass
 * over the postings of the asked terms, whose counts are handed on to the neighbours and the thread. The results stay
 * valid until the next `measure`.
 */
export class WordShares {
  /** Slots with any share in turn or window; the first `touchedCount` are valid. */
  touched = new Int32Array(0);
  touchedCount = 0;
  bestTurn = 0;

  private turns = new Float32Array(0);
  private windows = new Float32Array(0);
  private threads = new Float32Array(0);
  private matched = new Uint8Array(0);
  private counts = new Int32Array(0);
  private threadCounts = new Int32Array(0);
  private near = new Int32Array(0);
  private touchedThreads: number[] = [];
  private readonly postings = new PostingBuffer();
  private readonly slots: SlotTable;
  private readonly lexical: LexicalIndex;
  private readonly views: Views;

  constructor(slots: SlotTable, lexical: LexicalIndex, views: Views) {
    this.slots = slots;
    this.lexical = lexical;
    this.views = views;
  }

  turnOf(slot: number): number {
    return this.turns[slot] ?? 0;
  }

  windowOf(slot: number): number {
    return this.windows[slot] ?? 0;
  }

  threadOf(thread: number): number {
    return this.threads[thread] ?? 0;
  }

  measure(terms: readonly string[], caller: number, threadNumbers: number): void {
    this.clear();
    this.reserve(threadNumbers);
    const totals = this.totalsFor(caller);
    const asked = this.choose(terms, caller, totals.memories);
    let weight = 0;
    for (const { term, idf } of asked) {
      weight += idf;
      this.lexical.read(term, caller, this.postings);
      if (this.postings.length === 0) continue;
      this.addTurns(idf, totals);
      this.addNeighbours(idf, caller, totals);
    }
    if (weight > 0) this.makeShares(weight, asked.length);
  }

  private totalsFor(caller: number): ThreadTotals {
    const all = this.views.others.totals;
    const shown = this.views.others.totalsOf(caller);
    const own = this.views.own.totalsOf(caller);
    const sum = (field: keyof ThreadTotals) => all[field] - (shown?.[field] ?? 0) + (own?.[field] ?? 0);
    return { memories: sum('memories'), terms: sum('terms'), windowTerms: sum('windowTerms'), threads: sum('threads') };
  }

  /** Terms that nobody used keep their weight: what is missing lowers the share. */
  private choose(terms: readonly string[], caller: number, memories: number): { term: string; idf: number }[] {
    const looked = terms.slice(0, TERMS_LOOKED_AT).map((term) => {
      this.lexical.read(term, caller, this.postings);
      const { length } = this.postings;
      return { term, known: length > 0, idf: Math.log(1 + (memories - length + 0.5) / (length + 0.5)) };
    });
    if (looked.length <= TERMS_ASKED) return looked;
    return looked.sort((a, b) => Number(b.known) - Number(a.known) || b.idf - a.idf).slice(0, TERMS_ASKED);
  }

  private addTurns(idf: number, totals: ThreadTotals): void {
    const { slots, counts, length } = this.postings;
    const averageTerms = totals.terms / totals.memories;
    const { saturation, length: b, base } = TURN;
    const perTerm = (saturation * b) / averageTerms;
    for (let index = 0; index < length; index++) {
      const slot = slots[index] as number;
      const count = counts[index] as number;
      const rest = saturation * (1 - b) + perTerm * (this.slots.terms[slot] as number);
      this.turns[slot] = (this.turns[slot] as number) + idf * (base + (count * (1 + saturation)) / (count + rest));
      this.matched[slot] = (this.matched[slot] as number) + 1;
    }
  }

  private addNeighbours(idf: number, caller: number, totals: ThreadTotals): void {
    const { slots: postingSlots, counts: postingCounts, length } = this.postings;
    const { counts, threadCounts } = this;
    const { agent } = this.slots;
    const { own, others } = this.views;
    let nearCount = 0;
    const termThreads: number[] = [];
    for (let index = 0; index < length; index++) {
      const slot = postingSlots[index] as number;
      const count = postingCounts[index] as number;
      const view = agent[slot] === caller ? own : others;
      const thread = view.thread[slot] as number;
      if (threadCounts[thread] === 0) termThreads.push(thread);
      threadCounts[thread] = (threadCounts[thread] as number) + count;
      nearCount = this.addCount(slot, count, nearCount);
      let at = view.previous[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        nearCount = this.addCount(at, count, nearCount);
        at = view.previous[at] as number;
      }
      at = view.next[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        nearCount = this.addCount(at, count, nearCount);
        at = view.next[at] as number;
      }
    }
    const perTerm = (WINDOW.saturation * WINDOW.length * totals.memories) / totals.windowTerms;
    const fixed = WINDOW.saturation * (1 - WINDOW.length);
    for (let index = 0; index < nearCount; index++) {
      const slot = this.near[index] as number;
      const view = agent[slot] === caller ? own : others;
      const count = counts[slot] as number;
      counts[slot] = 0;
      const before = this.windows[slot] as number;
      if (before === 0) this.touched[this.touchedCount++] = slot;
      const rest = fixed + perTerm * (view.windowTerms[slot] as number);
      this.windows[slot] = before + (idf * count * (1 + WINDOW.saturation)) / (count + rest);
    }
    this.addThreads(termThreads, idf, totals);
  }

  private addCount(slot: number, count: number, nearCount: number): number {
    const before = this.counts[slot] as number;
    this.counts[slot] = before + count;
    if (before !== 0) return nearCount;
    this.near[nearCount] = slot;
    return nearCount + 1;
  }

  private addThreads(termThreads: readonly number[], idf: number, totals: ThreadTotals): void {
    const perTerm = (THREAD.saturation * THREAD.length * totals.threads) / totals.terms;
    const fixed = THREAD.saturation * (1 - THREAD.length);
    const { own, others } = this.views;
    for (const thread of termThreads) {
      const count = this.threadCounts[thread] as number;
      this.threadCounts[thread] = 0;
      const before = this.threads[thread] as number;
      if (before === 0) this.touchedThreads.push(thread);
      // A number belongs to one of the views; the other's entry is 0.
      const terms = (own.threadTerms[thread] || others.threadTerms[thread]) ?? 0;
      this.threads[thread] = before + (idf * count * (1 + THREAD.saturation)) / (count + fixed + perTerm * terms);
    }
  }

  private makeShares(weight: number, asked: number): void {
    const ofTurn = 1 / (weight * (TURN.base + 1 + TURN.saturation));
    const ofWindow = 1 / (weight * (1 + WINDOW.saturation));
    const ofThread = 1 / (weight * (1 + THREAD.saturation));
    for (let index = 0; index < this.touchedCount; index++) {
      const slot = this.touched[index] as number;
      const turn = (this.turns[slot] as number) * ofTurn * Math.sqrt((this.matched[slot] as number) / asked);
      this.turns[slot] = turn;
      this.windows[slot] = (this.windows[slot] as number) * ofWindow;
      if (turn > this.bestTurn) this.bestTurn = turn;
    }
    for (const thread of this.touchedThreads) this.threads[thread] = (this.threads[thread] as number) * ofThread;
  }

  private clear(): void {
    for (let index = 0; index < this.touchedCount; index++) {
      const slot = this.touched[index] as number;
      this.turns[slot] = 0;
      this.windows[slot] = 0;
      this.matched[slot] = 0;
    }
    for (const thread of this.touchedThreads) this.threads[thread] = 0;
    this.touchedThreads = [];
    this.touchedCount = 0;
    this.bestTurn = 0;
  }

  private reserve(threadNumbers: number): void {
    const { size } = this.slots;
    this.turns = grown(this.turns, size);
    this.windows = grown(this.windows, size);
    this.matched = grown(this.matched, size);
    this.counts = grown(this.counts, size);
    this.touched = grown(this.touched, size);
    this.near = grown(this.near, size);
    this.threads = grown(this.threads, threadNumbers);
    this.threadCounts = grown(this.threadCounts, threadNumbers);
  }
}
