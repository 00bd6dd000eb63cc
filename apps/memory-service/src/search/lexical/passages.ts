import { grown } from '../columns/grown.ts';
import { NONE, type SlotTable } from '../columns/slot-table.ts';
import { type ThreadIndex, WINDOW_REACH } from '../threads/thread-index.ts';
import type { AskedWords } from './asked-words.ts';
import { PASSAGE_TERMS, REACH_TERMS } from './passage-size.ts';
import type { Stretch } from './reading-log.ts';

/** Shares with a smaller relative difference are equal: they differ by the order of their additions only. */
const ROUNDING = 1e-9;

/** No passage mentions a word more often than it has terms; and no mention is worth nothing. */
const WORTHS = PASSAGE_TERMS + 1;

/** Mentions of asked words that are looked at in one text, the first ones: 200 candidates may be texts of nothing else. */
const MENTIONS = 2_000;

/** The mentions of asked words in a text: where each stands, and which word it is. */
interface Hits {
  readonly places: readonly number[];
  readonly words: readonly number[];
}

interface Passage {
  /** Terms from..until of the text. */
  readonly from: number;
  readonly until: number;
  readonly share: number;
}

/**
 * Finds the passage of a long text that holds most of what was asked, and measures it and what stands around it, over the
 * terms of a few candidates. What is around a passage may be the rest of its own text or messages beside it.
 */
export class Passages {
  #asked: AskedWords | null = null;
  /** By number of a term: its place among the asked ones + 1. */
  #wordOf = new Uint8Array(0);
  #counts = new Float64Array(0);
  readonly #hits = new Map<number, Hits>();
  readonly #best = new Map<number, Passage>();
  /** By the length of a passage in terms. Most passages have the greatest length. */
  readonly #worths = new Map<number, Float64Array>();
  readonly #slots: SlotTable;
  readonly #termsOf: (ordinal: number) => Stretch;

  /** @param termsOf numbers of the terms of a memory, in order */
  constructor(slots: SlotTable, termsOf: (ordinal: number) => Stretch) {
    this.#slots = slots;
    this.#termsOf = termsOf;
  }

  /** The next calls are about these words. At most 255. */
  ask(asked: AskedWords): void {
    for (const { number } of this.#asked?.words ?? []) if (number !== NONE) this.#wordOf[number] = 0;
    for (const [word, { number }] of asked.words.entries()) {
      if (number === NONE) continue;
      this.#wordOf = grown(this.#wordOf, number + 1);
      this.#wordOf[number] = word + 1;
    }
    this.#asked = asked;
    this.#counts = new Float64Array(asked.words.length);
    this.#hits.clear();
    this.#best.clear();
    this.#worths.clear();
  }

  /** Share of the asked words in the best passage. */
  turnOf(slot: number): number {
    return this.#bestOf(slot).share;
  }

  /** The terms of that passage. */
  termsOf(slot: number): Stretch {
    const best = this.#bestOf(slot);
    const { numbers, from } = this.#termsOf(this.#slots.ordinal[slot] as number);
    return { numbers, from: from + best.from, until: from + best.until };
  }

  /** Share of the asked words in the best passage and the text around it. */
  windowOf(slot: number, view: ThreadIndex): number {
    const { from, until } = this.#bestOf(slot);
    const terms = this.#slots.terms[slot] as number;
    this.#counts.fill(0);
    const length =
      this.#countIn(slot, from - REACH_TERMS, until + REACH_TERMS) +
      this.#countBefore(slot, REACH_TERMS - from, view) +
      this.#countBehind(slot, REACH_TERMS - (terms - until), view);
    return this.#asked?.windowShare(this.#counts, length) ?? 0;
  }

  /** Counts in the last terms before a text, at most so many. @returns how many there are */
  #countBefore(slot: number, most: number, { previous }: ThreadIndex): number {
    let left = most;
    let at = previous[slot] as number;
    for (let step = 0; step < WINDOW_REACH && at !== NONE && left > 0; step++) {
      const terms = this.#slots.terms[at] as number;
      left -= this.#countIn(at, terms - left, terms);
      at = previous[at] as number;
    }
    return most - left;
  }

  /** Counts in the first terms behind a text, at most so many. @returns how many there are */
  #countBehind(slot: number, most: number, { next }: ThreadIndex): number {
    let left = most;
    let at = next[slot] as number;
    for (let step = 0; step < WINDOW_REACH && at !== NONE && left > 0; step++) {
      left -= this.#countIn(at, 0, left);
      at = next[at] as number;
    }
    return most - left;
  }

  /** Adds up the asked words in a part of a text. @returns how many terms the part has */
  #countIn(slot: number, from: number, until: number): number {
    const { places, words } = this.#hitsOf(slot);
    for (let index = firstFrom(places, from); index < places.length && (places[index] as number) < until; index++) {
      const word = words[index] as number;
      this.#counts[word] = (this.#counts[word] as number) + 1;
    }
    return Math.min(until, this.#slots.terms[slot] as number) - Math.max(from, 0);
  }

  /**
   * Each passage that begins with an asked word is looked at. What it is worth is kept up from one to the next, and counted
   * anew only where that may be the most so far.
   * @complexity O(asked words in it), and O(asked words) for each passage that is better than all before it
   */
  #bestOf(slot: number): Passage {
    const known = this.#best.get(slot);
    if (known) return known;
    const { places, words } = this.#hitsOf(slot);
    const terms = this.#slots.terms[slot] as number;
    const length = Math.min(terms, PASSAGE_TERMS);
    const asked = this.#asked as AskedWords;
    const worths = this.#worthsFor(length);
    const counts = new Uint8Array(this.#counts.length);
    let sum = 0;
    let matched = 0;
    let best: Passage = { from: 0, until: length, share: 0 };
    let end = 0;
    for (let start = 0; start < places.length; start++) {
      const from = places[start] as number;
      for (; end < places.length && (places[end] as number) < from + PASSAGE_TERMS; end++) {
        const word = words[end] as number;
        const count = (counts[word] as number) + 1;
        counts[word] = count;
        const worth = word * WORTHS + count;
        sum += (worths[worth] as number) - (worths[worth - 1] as number);
        if (count === 1) matched++;
      }
      if (asked.turnShareOf(sum, matched) > best.share * (1 + ROUNDING)) {
        const share = asked.turnShare(counts, length);
        if (share > best.share) best = { from, until: Math.min(from + PASSAGE_TERMS, terms), share };
      }
      const word = words[start] as number;
      const count = (counts[word] as number) - 1;
      counts[word] = count;
      const worth = word * WORTHS + count;
      sum += (worths[worth] as number) - (worths[worth + 1] as number);
      if (count === 0) matched--;
    }
    this.#best.set(slot, best);
    return best;
  }

  /** The worth of each number of mentions of each asked word, in a passage of this many terms. */
  #worthsFor(length: number): Float64Array {
    const known = this.#worths.get(length);
    if (known) return known;
    const asked = this.#asked as AskedWords;
    const worths = new Float64Array(this.#counts.length * WORTHS);
    for (let at = 0; at < worths.length; at++)
      worths[at] = asked.turnWorth(Math.floor(at / WORTHS), at % WORTHS, asked.turnRest(length));
    this.#worths.set(length, worths);
    return worths;
  }

  #hitsOf(slot: number): Hits {
    const known = this.#hits.get(slot);
    if (known) return known;
    const { numbers, from, until } = this.#termsOf(this.#slots.ordinal[slot] as number);
    const wordOf = this.#wordOf;
    const places: number[] = [];
    const words: number[] = [];
    for (let at = from; at < until && places.length < MENTIONS; at++) {
      const word = wordOf[numbers[at] as number] ?? 0;
      if (word === 0) continue;
      places.push(at - from);
      words.push(word - 1);
    }
    const hits = { places, words };
    this.#hits.set(slot, hits);
    return hits;
  }
}

/** Index of the first place that is at least so high; places rise. */
function firstFrom(places: readonly number[], least: number): number {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
