import { grown } from '../columns/grown.ts';
import { NONE } from '../columns/slot-table.ts';
import type { AskedWord } from './asked-words.ts';
import { NearWords } from './near-words.ts';
import type { Stretch } from './reading-log.ts';

/** The worth of the asked word itself in a text; a word of similar meaning is worth less. */
const ITSELF = 1;
/** A longer question already says in several words what it means, and words of similar meaning only blur it. */
const MOST_WORDS = 12;
/** The cosine of words that have nothing to do with each other. */
const LEAST_COSINE = 0.3;

/**
 * How much of what was asked stands in a text in other words only: "instruments" in "I play the violin". A word of the question
 * that stands there itself counts in the share of words, so it does not count here.
 */
export class NearShares {
  readonly #lookUp: (term: string) => number;
  #words: readonly AskedWord[] = [];
  #weight = 0;
  /** By number of a term: the last of its notes + 1. */
  #noteOf = new Int32Array(0);
  // By note: a term of texts, an asked word, what the one is worth to the other, and the note of the same term before it + 1.
  readonly #numbers: number[] = [];
  readonly #wordOf: number[] = [];
  readonly #worths: number[] = [];
  readonly #before: number[] = [];
  #best = new Float64Array(0);
  /** The share of a text with the nearest words that any memory has. */
  #most = 0;

  /** @param lookUp the number that readings have for a term; NONE where nobody used it */
  constructor(lookUp: (term: string) => number) {
    this.#lookUp = lookUp;
  }

  /** Sets the words that the next calls measure; the share of a longer question is 0. @complexity O(words), about 32 look-ups each */
  ask(asked: readonly AskedWord[]): void {
    const words = asked.length > MOST_WORDS ? [] : asked;
    this.#forget();
    this.#words = words;
    this.#weight = words.reduce((sum, { idf }) => sum + idf, 0);
    this.#best = new Float64Array(words.length);
    const table = NearWords.common();
    const nearest = new Float64Array(words.length);
    for (const [word, { term, number }] of words.entries()) {
      this.#note(number, word, ITSELF);
      table.each(term, (near, cosine) => {
        const worth = (cosine - LEAST_COSINE) / (1 - LEAST_COSINE);
        const other = this.#lookUp(near);
        this.#note(other, word, worth);
        if (other !== NONE && worth < ITSELF) nearest[word] = Math.max(nearest[word] as number, worth);
      });
    }
    this.#most = this.#shareOf(nearest);
  }

  /** What `shareIn` is at most. */
  get most(): number {
    return this.#most;
  }

  /** @param terms their numbers @returns 0..1 */
  shareIn({ numbers, from, until }: Stretch): number {
    if (this.#weight === 0) return 0;
    const best = this.#best.fill(0);
    for (let at = from; at < until; at++) {
      let note = this.#noteOf[numbers[at] as number] ?? 0;
      for (; note > 0; note = this.#before[note - 1] as number) {
        const word = this.#wordOf[note - 1] as number;
        best[word] = Math.max(best[word] as number, this.#worths[note - 1] as number);
      }
    }
    return this.#shareOf(best);
  }

  #shareOf(worths: Float64Array): number {
    if (this.#weight === 0) return 0;
    let sum = 0;
    for (let word = 0; word < worths.length; word++) {
      const worth = worths[word] as number;
      if (worth < ITSELF) sum += worth * (this.#words[word] as AskedWord).idf;
    }
    return sum / this.#weight;
  }

  #forget(): void {
    for (const number of this.#numbers) this.#noteOf[number] = 0;
    for (const column of [this.#numbers, this.#wordOf, this.#worths, this.#before]) column.length = 0;
  }

  #note(number: number, word: number, worth: number): void {
    if (number === NONE) return;
    this.#noteOf = grown(this.#noteOf, number + 1);
    this.#before.push(this.#noteOf[number] as number);
    this.#wordOf.push(word);
    this.#worths.push(worth);
    this.#noteOf[number] = this.#numbers.push(number);
  }
}
