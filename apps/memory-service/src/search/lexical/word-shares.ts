import { grown } from '../columns/grown.ts';
import { NONE, type SlotTable } from '../columns/slot-table.ts';
import type { Sight } from '../partitions.ts';
import { type ThreadIndex, type ThreadTotals, WINDOW_REACH } from '../threads/thread-index.ts';
import { AskedWords, averageTurn, averageWindow, TURN, WINDOW } from './asked-words.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PASSAGE_TERMS } from './passage-size.ts';
import { PostingBuffer } from './posting-lists.ts';

/** BM25 over threads, as TURN and WINDOW are. */
const THREAD = { saturation: 1.2, length: 0.75 };
/** Terms of a question that count, those with most to say first; more would only cost time. */
const TERMS_ASKED = 64;
/** Terms of a very long question that are looked at to choose those. */
const TERMS_LOOKED_AT = 256;

/**
 * Postings, rarest words first, that may bring in memories; the words after them only add to memories that are in
 * already. So a common word costs little in a large store, where it could not lift a memory to the top by itself.
 * Source: the "continue" strategy of Moffat and Zobel, Self-Indexing Inverted Files for Fast Text Retrieval, 1996.
 */
const POSTINGS_OPEN = 10_000;

const NOTHING_ASKED = new AskedWords([], { memories: 0, terms: 0, windowTerms: 0, threads: 0 });

/** The threads as they are seen, by level: SHARED_ELSEWHERE, TOLD and OWN; none where nothing is. */
export type Views = readonly [unseen: null, shared: ThreadIndex, told: ThreadIndex, own: ThreadIndex];

interface AskedTerm {
  readonly term: string;
  /** With it, in sight. */
  readonly memories: number;
  readonly idf: number;
}

/**
 * How much of what was asked stands in each turn, in its window and in its thread, over what one viewer sees: one pass
 * over the postings of the asked terms, whose counts are handed on to the neighbours and the thread. The results stay
 * valid until the next `measure`.
 */
export class WordShares {
  /** Slots with any share in turn or window; the first `touchedCount` are valid. */
  touched = new Int32Array(0);
  touchedCount = 0;
  /** The highest turn share of a text that is one passage; longer ones are measured by `Passages`. */
  bestTurn = 0;
  /** How many memories are in sight. */
  memories = 0;
  /** What was measured last, for `Passages`. */
  asked = NOTHING_ASKED;

  /** Whether the term under way may bring in memories. */
  #isOpen = true;
  #turns = new Float32Array(0);
  #windows = new Float32Array(0);
  #threads = new Float32Array(0);
  #matched = new Uint8Array(0);
  #counts = new Int32Array(0);
  #threadCounts = new Int32Array(0);
  #near = new Int32Array(0);
  readonly #termThreads: number[] = [];
  #touchedThreads: number[] = [];
  readonly #postings = new PostingBuffer();
  readonly #slots: SlotTable;
  readonly #lexical: LexicalIndex;
  readonly #views: Views;

  constructor(slots: SlotTable, lexical: LexicalIndex, views: Views) {
    this.#slots = slots;
    this.#lexical = lexical;
    this.#views = views;
  }

  turnOf(slot: number): number {
    return this.#turns[slot] ?? 0;
  }

  windowOf(slot: number): number {
    return this.#windows[slot] ?? 0;
  }

  threadOf(thread: number): number {
    return this.#threads[thread] ?? 0;
  }

  measure(terms: readonly string[], sight: Sight, threadNumbers: number): void {
    this.#clear();
    this.#reserve(threadNumbers);
    const totals = this.#totalsFor(sight);
    this.memories = totals.memories;
    const asked = this.#choose(terms, sight, totals.memories);
    let weight = 0;
    let postingsRead = 0;
    for (const { term, idf, memories } of asked) {
      weight += idf;
      this.#isOpen = postingsRead < POSTINGS_OPEN;
      postingsRead += memories;
      this.#lexical.read(term, { sight, among: this.#isOpen ? null : this.#windows }, this.#postings);
      if (this.#postings.length === 0) continue;
      this.#addTurns(idf, totals);
      this.#addNeighbours(idf, sight, totals);
    }
    if (weight > 0) this.#makeShares(weight, asked.length);
    const numbered = asked.map(({ term, idf }) => ({ number: this.#lexical.numberOf(term), idf }));
    this.asked = new AskedWords(numbered, totals);
  }

  #totalsFor({ authors }: Sight): ThreadTotals {
    const totals = { memories: 0, terms: 0, windowTerms: 0, threads: 0 };
    for (let author = 0; author < authors.length; author++) {
      const ofAuthor = this.#views[authors[author] as 0 | 1 | 2 | 3]?.totalsOf(author);
      if (!ofAuthor) continue;
      totals.memories += ofAuthor.memories;
      totals.terms += ofAuthor.terms;
      totals.windowTerms += ofAuthor.windowTerms;
      totals.threads += ofAuthor.threads;
    }
    return totals;
  }

  /** The rarest first. Terms that nobody used keep their weight: what is missing lowers the share. */
  #choose(terms: readonly string[], sight: Sight, all: number): AskedTerm[] {
    const looked = terms.slice(0, TERMS_LOOKED_AT).map((term) => {
      const memories = this.#lexical.count(term, sight);
      return { term, memories, idf: Math.log(1 + (all - memories + 0.5) / (memories + 0.5)) };
    });
    const isKnown = ({ memories }: AskedTerm) => Number(memories > 0);
    return looked.sort((a, b) => isKnown(b) - isKnown(a) || b.idf - a.idf).slice(0, TERMS_ASKED);
  }

  // The three loops below run over every posting of every asked word: all they touch is in local variables.

  #addTurns(idf: number, totals: ThreadTotals): void {
    const { slots, counts, length } = this.#postings;
    const turns = this.#turns;
    const matched = this.#matched;
    const { terms } = this.#slots;
    const { saturation, length: b, base } = TURN;
    const perTerm = (saturation * b) / averageTurn(totals);
    const fixed = saturation * (1 - b);
    const most = 1 + saturation;
    for (let index = 0; index < length; index++) {
      const slot = slots[index] as number;
      const count = counts[index] as number;
      const rest = fixed + perTerm * (terms[slot] as number);
      turns[slot] = (turns[slot] as number) + idf * (base + (count * most) / (count + rest));
      matched[slot] = (matched[slot] as number) + 1;
    }
  }

  #addNeighbours(idf: number, sight: Sight, totals: ThreadTotals): void {
    const reached = this.#countInWindows(sight);
    const counts = this.#counts;
    const near = this.#near;
    const windows = this.#windows;
    const { touched } = this;
    const { partition } = this.#slots;
    const { partitions } = sight;
    const views = this.#views;
    const perTerm = (WINDOW.saturation * WINDOW.length) / averageWindow(totals);
    const fixed = WINDOW.saturation * (1 - WINDOW.length);
    const most = idf * (1 + WINDOW.saturation);
    let { touchedCount } = this;
    for (let index = 0; index < reached; index++) {
      const slot = near[index] as number;
      const view = views[partitions[partition[slot] as number] as number] as ThreadIndex;
      const terms = view.windowTerms[slot] as number;
      const count = counts[slot] as number;
      counts[slot] = 0;
      const before = windows[slot] as number;
      if (before === 0) touched[touchedCount++] = slot;
      windows[slot] = before + (most * count) / (count + fixed + perTerm * terms);
    }
    this.touchedCount = touchedCount;
    this.#addThreads(idf, totals);
  }

  /** Hands the count of each posting on to its window and its thread. @returns how many slots of `near` are reached */
  #countInWindows(sight: Sight): number {
    const { slots, counts: postingCounts, length } = this.#postings;
    const counts = this.#counts;
    const threadCounts = this.#threadCounts;
    const termThreads = this.#termThreads;
    const near = this.#near;
    const windows = this.#windows;
    const isOpen = this.#isOpen;
    const { partition } = this.#slots;
    const { partitions } = sight;
    const views = this.#views;
    let reached = 0;
    for (let index = 0; index < length; index++) {
      const slot = slots[index] as number;
      const count = postingCounts[index] as number;
      const view = views[partitions[partition[slot] as number] as number] as ThreadIndex;
      const { thread: threads, previous, next } = view;
      const thread = threads[slot] as number;
      if (threadCounts[thread] === 0) termThreads.push(thread);
      threadCounts[thread] = (threadCounts[thread] as number) + count;
      let at = slot;
      for (let step = 0; step < WINDOW_REACH && previous[at] !== NONE; step++) at = previous[at] as number;
      let ahead = WINDOW_REACH;
      for (let isAhead = false; at !== NONE && ahead >= 0; at = next[at] as number) {
        if (isOpen || windows[at] !== 0) {
          const before = counts[at] as number;
          if (before === 0) near[reached++] = at;
          counts[at] = before + count;
        }
        if (at === slot) isAhead = true;
        if (isAhead) ahead--;
      }
    }
    return reached;
  }

  #addThreads(idf: number, totals: ThreadTotals): void {
    const perTerm = (THREAD.saturation * THREAD.length * totals.threads) / totals.terms;
    const fixed = THREAD.saturation * (1 - THREAD.length);
    const [, shared, told, own] = this.#views;
    for (const thread of this.#termThreads) {
      const count = this.#threadCounts[thread] as number;
      this.#threadCounts[thread] = 0;
      const before = this.#threads[thread] as number;
      if (before === 0) this.#touchedThreads.push(thread);
      // A number belongs to one of the views; the entries of the others are 0.
      const terms = (own.threadTerms[thread] || told.threadTerms[thread] || shared.threadTerms[thread]) ?? 0;
      this.#threads[thread] = before + (idf * count * (1 + THREAD.saturation)) / (count + fixed + perTerm * terms);
    }
    this.#termThreads.length = 0;
  }

  #makeShares(weight: number, asked: number): void {
    const ofTurn = 1 / (weight * (TURN.base + 1 + TURN.saturation));
    const ofWindow = 1 / (weight * (1 + WINDOW.saturation));
    const ofThread = 1 / (weight * (1 + THREAD.saturation));
    for (let index = 0; index < this.touchedCount; index++) {
      const slot = this.touched[index] as number;
      const turn = (this.#turns[slot] as number) * ofTurn * Math.sqrt((this.#matched[slot] as number) / asked);
      this.#turns[slot] = turn;
      this.#windows[slot] = (this.#windows[slot] as number) * ofWindow;
      if (turn > this.bestTurn && (this.#slots.terms[slot] as number) <= PASSAGE_TERMS) this.bestTurn = turn;
    }
    for (const thread of this.#touchedThreads) this.#threads[thread] = (this.#threads[thread] as number) * ofThread;
  }

  #clear(): void {
    for (let index = 0; index < this.touchedCount; index++) {
      const slot = this.touched[index] as number;
      this.#turns[slot] = 0;
      this.#windows[slot] = 0;
      this.#matched[slot] = 0;
    }
    for (const thread of this.#touchedThreads) this.#threads[thread] = 0;
    this.#touchedThreads = [];
    this.touchedCount = 0;
    this.bestTurn = 0;
  }

  #reserve(threadNumbers: number): void {
    const { size } = this.#slots;
    this.#turns = grown(this.#turns, size);
    this.#windows = grown(this.#windows, size);
    this.#matched = grown(this.#matched, size);
    this.#counts = grown(this.#counts, size);
    this.touched = grown(this.touched, size);
    this.#near = grown(this.#near, size);
    this.#threads = grown(this.#threads, threadNumbers);
    this.#threadCounts = grown(this.#threadCounts, threadNumbers);
  }
}
