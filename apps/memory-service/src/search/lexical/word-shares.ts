import { emptyAt } from '../columns/emptied.ts';
import { grown } from '../columns/grown.ts';
import { NONE, type SlotTable } from '../columns/slot-table.ts';
import type { Sight } from '../partitions.ts';
import { type ThreadIndex, type ThreadTotals, type Views, WINDOW_REACH } from '../threads/thread-index.ts';
import { AskedWords, averageTurn, averageWindow, TURN, WINDOW } from './asked-words.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PASSAGE_TERMS } from './passage-size.ts';
import { PostingBuffer } from './posting-lists.ts';
import { ThreadShares } from './thread-shares.ts';
import { TurnPostings } from './turn-postings.ts';

/** Terms of a question that count, those with most to say first; more would only cost time. */
const WORDS_ASKED = 64;
/** Terms of a very long question that are looked at to choose those. */
const TERMS_LOOKED_AT = 256;

/**
 * Postings, rarest words first, that may bring in memories; the words after them only add to memories that are in
 * already. So a common word costs little in a large store, where it could not lift a memory to the top by itself.
 * Source: the "continue" strategy of Moffat and Zobel, Self-Indexing Inverted Files for Fast Text Retrieval, 1996.
 */
const POSTINGS_OPEN = 10_000;

const NOTHING_ASKED = new AskedWords([], { memories: 0, terms: 0, windowTerms: 0, threads: 0 });

interface AskedTerm {
  readonly term: string;
  /** With it, in sight. */
  readonly memories: number;
  readonly idf: number;
}

/** The bound of a window is this much higher than what it adds up to, because it adds up rounded numbers. */
const ROUNDING = 1 + 1e-4;

/**
 * How much of what was asked stands in each turn, in its window and in its thread, over what one viewer sees. One pass over
 * the postings of the asked terms measures turns and threads, and adds up for each window what its postings come to at most;
 * a window is measured when somebody asks for it, from the postings of its few turns. The results stay valid until the next
 * `measure`, or until a memory comes or goes.
 */
export class WordShares {
  /** Slots with any share in turn or window; the first `touchedCount` are valid. */
  touched = new Int32Array(0);
  touchedCount = 0;
  /** The highest turn share of a text that is one passage; longer ones are measured by `Passages`. */
  bestTurn = 0;
  /** How many memories are in sight. */
  memories = 0;
  /** The words measured last. */
  asked = NOTHING_ASKED;

  // By slot, 0 where it was not touched.
  #turns = new Float32Array(0);
  /** 0 until somebody asks. */
  #windows = new Float32Array(0);
  /** Mentions of the asked words in the window, each times what the word is worth there. */
  #nearWorths = new Float32Array(0);
  #matched = new Uint8Array(0);

  /** By asked word: what a mention in a window is worth, and how often the window under way has it. */
  #worthOfWord = new Float64Array(WORDS_ASKED);
  readonly #countOfWord = new Int32Array(WORDS_ASKED);
  #wordCount = 0;
  /** What the length of a window counts for, the same for all. */
  #windowRest = { fixed: 0, perTerm: 0, share: 0 };
  /** The share that a worth is at most, before the length of the window. */
  #shareOfWorth = 0;
  /** The same with a window of no length. */
  #mostOfWorth = 0;
  #sight: Sight = { partitions: new Uint8Array(0), authors: new Uint8Array(0) };
  readonly #buffer = new PostingBuffer();
  readonly #postings = new TurnPostings();
  readonly #slots: SlotTable;
  readonly #lexical: LexicalIndex;
  readonly #views: Views;
  readonly #threads: ThreadShares;

  constructor(slots: SlotTable, lexical: LexicalIndex, views: Views) {
    this.#slots = slots;
    this.#lexical = lexical;
    this.#views = views;
    this.#threads = new ThreadShares(slots, views);
  }

  /** The highest share of a thread. */
  get bestThread(): number {
    return this.#threads.best;
  }

  turnOf(slot: number): number {
    return this.#turns[slot] ?? 0;
  }

  /** How many of the asked words stand in the turn. */
  matchedIn(slot: number): number {
    return this.#matched[slot] ?? 0;
  }

  /** @complexity O(postings of the asked terms in the window); O(1) when it is asked for again */
  windowOf(slot: number): number {
    const known = this.#windows[slot] ?? 0;
    if (known !== 0 || (this.#nearWorths[slot] ?? 0) === 0) return known;
    this.#windows[slot] = this.#windowShare(slot);
    return this.#windows[slot] as number;
  }

  /** An upper bound of `windowOf`, mostly a close one. @param view in which the slot is seen */
  windowAtMost(slot: number, { windowTerms }: ThreadIndex): number {
    const { fixed, perTerm } = this.#windowRest;
    // A second mention adds less than the first one.
    const rest = fixed + perTerm * (windowTerms[slot] as number);
    return ((this.#nearWorths[slot] as number) * this.#shareOfWorth) / (1 + rest);
  }

  /** An upper bound of `windowAtMost` for any length of the window: a longer window has a lower share. */
  anyWindowAtMost(slot: number): number {
    return (this.#nearWorths[slot] as number) * this.#mostOfWorth;
  }

  threadOf(thread: number): number {
    return this.#threads.of(thread);
  }

  measure(terms: readonly string[], sight: Sight, threadNumbers: number): void {
    this.#begin();
    this.#sight = sight;
    const totals = this.#totalsFor(sight);
    this.#threads.begin({ sight, totals, threadNumbers });
    this.memories = totals.memories;
    const asked = this.#choose(terms, sight, totals.memories);
    this.#wordCount = asked.length;
    let weight = 0;
    let postingsRead = 0;
    let isOpen = true;
    for (const [word, { term, idf, memories }] of asked.entries()) {
      weight += idf;
      if (isOpen && postingsRead >= POSTINGS_OPEN) {
        isOpen = false;
        this.#spreadWorths(sight, { mayTouch: true });
      }
      postingsRead += memories;
      this.#lexical.read(term, { sight, among: isOpen ? null : this.#nearWorths }, this.#buffer);
      if (this.#buffer.length === 0) continue;
      const worth = idf * (1 + WINDOW.saturation);
      this.#worthOfWord[word] = worth;
      this.#addTurns(idf, totals);
      this.#threads.add(this.#buffer, idf);
      this.#postings.add(this.#buffer, word, worth);
    }
    this.#spreadWorths(sight, { mayTouch: isOpen });
    if (weight > 0) this.#makeShares(weight, { asked: asked.length, totals });
    const words = asked.map(({ term, idf }) => ({ term, number: this.#lexical.numberOf(term), idf }));
    this.asked = new AskedWords(words, totals);
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
    return looked.sort((a, b) => isKnown(b) - isKnown(a) || b.idf - a.idf).slice(0, WORDS_ASKED);
  }

  /** Runs over every posting of a word: all that it touches is in local variables. */
  #addTurns(idf: number, totals: ThreadTotals): void {
    const { slots, counts, length } = this.#buffer;
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

  /**
   * Hands what the postings of each slot are worth on to the windows that hold the slot, once.
   * @param options.mayTouch whether they bring in windows that no posting has touched yet
   */
  #spreadWorths(sight: Sight, { mayTouch }: { mayTouch: boolean }): void {
    const postings = this.#postings;
    const { slots, slotCount } = postings;
    const views = this.#views;
    const { partition } = this.#slots;
    const { partitions } = sight;
    for (let index = 0; index < slotCount; index++) {
      const slot = slots[index] as number;
      const worth = postings.takeWorth(slot);
      if (worth === 0) continue;
      const { previous, next } = views[partitions[partition[slot] as number] as number] as ThreadIndex;
      this.#addWorth(slot, worth, mayTouch);
      // Both ways from the slot: a walk from one end to the other waits for each link.
      let at = previous[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        this.#addWorth(at, worth, mayTouch);
        at = previous[at] as number;
      }
      at = next[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        this.#addWorth(at, worth, mayTouch);
        at = next[at] as number;
      }
    }
  }

  #addWorth(slot: number, worth: number, mayTouch: boolean): void {
    const before = this.#nearWorths[slot] as number;
    if (before === 0) {
      if (!mayTouch) return;
      this.touched[this.touchedCount++] = slot;
    }
    this.#nearWorths[slot] = before + worth;
  }

  #makeShares(weight: number, { asked, totals }: { asked: number; totals: ThreadTotals }): void {
    const ofTurn = 1 / (weight * (TURN.base + 1 + TURN.saturation));
    this.#windowRest = {
      share: 1 / (weight * (1 + WINDOW.saturation)),
      perTerm: (WINDOW.saturation * WINDOW.length) / averageWindow(totals),
      fixed: WINDOW.saturation * (1 - WINDOW.length),
    };
    this.#shareOfWorth = this.#windowRest.share * ROUNDING;
    this.#mostOfWorth = this.#shareOfWorth / (1 + this.#windowRest.fixed);
    const { slots, slotCount } = this.#postings;
    for (let index = 0; index < slotCount; index++) {
      const slot = slots[index] as number;
      const turn = (this.#turns[slot] as number) * ofTurn * Math.sqrt((this.#matched[slot] as number) / asked);
      this.#turns[slot] = turn;
      if (turn > this.bestTurn && (this.#slots.terms[slot] as number) <= PASSAGE_TERMS) this.bestTurn = turn;
    }
    this.#threads.makeShares(weight);
  }

  #windowShare(slot: number): number {
    const counts = this.#countOfWord.fill(0, 0, this.#wordCount);
    const { previous, next, windowTerms } = this.#viewOf(slot);
    this.#postings.countIn(slot, counts);
    for (const links of [previous, next]) {
      let at = links[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        this.#postings.countIn(at, counts);
        at = links[at] as number;
      }
    }
    const { fixed, perTerm, share } = this.#windowRest;
    const terms = windowTerms[slot] as number;
    let sum = 0;
    for (let word = 0; word < this.#wordCount; word++) {
      const count = counts[word] as number;
      if (count === 0) continue;
      // Rounded, as all that is kept by slot.
      sum = Math.fround(sum + ((this.#worthOfWord[word] as number) * count) / (count + fixed + perTerm * terms));
    }
    return sum * share;
  }

  /** In which a slot in sight is seen. */
  #viewOf(slot: number): ThreadIndex {
    return this.#views[this.#sight.partitions[this.#slots.partition[slot] as number] as number] as ThreadIndex;
  }

  #begin(): void {
    const touched = { places: this.touched, count: this.touchedCount };
    for (const column of [this.#turns, this.#windows, this.#nearWorths, this.#matched]) emptyAt(column, touched);
    this.touchedCount = 0;
    this.bestTurn = 0;
    const { size } = this.#slots;
    this.#postings.begin(size);
    this.#turns = grown(this.#turns, size);
    this.#windows = grown(this.#windows, size);
    this.#nearWorths = grown(this.#nearWorths, size);
    this.#matched = grown(this.#matched, size);
    this.touched = grown(this.touched, size);
  }
}
