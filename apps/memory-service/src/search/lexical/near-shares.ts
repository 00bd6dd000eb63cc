import { grown } from '../columns/grown.ts';
import { NONE } from '../columns/slot-table.ts';
import { NearWords } from './near-words.ts';

/** A word of a question. */
export interface NumberedWord {
  readonly term: string;
  /** The number that readings have for it; NONE where nobody used it. */
  readonly number: number;
  readonly idf: number;
}

/** What a term of a text is worth to words of the question. */
interface Worth {
  /** Place among the words. */
  readonly word: number;
  /** ITSELF, or less for a word of similar meaning. */
  readonly worth: number;
}

const ITSELF = 1;
/** A question of more words says itself what it means in several; then words of similar meaning only blur it. */
const MOST_WORDS = 12;
/** The cosine of words that have nothing to do with each other. */
const LEAST_COSINE = 0.3;

/**
 * How much of what was asked stands in a text in other words only: "instruments" in "I play the violin". A word of the question
 * that stands there itself counts in the share of words, so it does not count here.
 */
export class NearShares {
  readonly #lookUp: (term: string) => number;
  #words: readonly NumberedWord[] = [];
  #weight = 0;
  /** By number of a term: place in `worths` + 1. */
  #placeOf = new Int32Array(0);
  readonly #numbers: number[] = [];
  readonly #worths: Worth[][] = [];
  #best = new Float64Array(0);

  /** @param lookUp the number that readings have for a term; NONE where nobody used it */
  constructor(lookUp: (term: string) => number) {
    this.#lookUp = lookUp;
  }

  /** The next calls are about these words; the share of a longer question is 0. @complexity O(words), about 32 look-ups each */
  ask(asked: readonly NumberedWord[]): void {
    const words = asked.length > MOST_WORDS ? [] : asked;
    for (const number of this.#numbers) this.#placeOf[number] = 0;
    this.#numbers.length = 0;
    this.#worths.length = 0;
    this.#words = words;
    this.#weight = words.reduce((sum, { idf }) => sum + idf, 0);
    this.#best = new Float64Array(words.length);
    const table = NearWords.common();
    for (const [word, { term, number }] of words.entries()) {
      this.#note(number, { word, worth: ITSELF });
      for (const { term: near, cosine } of table.near(term)) {
        this.#note(this.#lookUp(near), { word, worth: (cosine - LEAST_COSINE) / (1 - LEAST_COSINE) });
      }
    }
  }

  /** @param terms their numbers @returns 0..1 */
  shareIn(terms: Int32Array): number {
    if (this.#weight === 0) return 0;
    const best = this.#best.fill(0);
    for (let at = 0; at < terms.length; at++) {
      const place = this.#placeOf[terms[at] as number] ?? 0;
      if (place === 0) continue;
      for (const { word, worth } of this.#worths[place - 1] as Worth[]) {
        if (worth > (best[word] as number)) best[word] = worth;
      }
    }
    let sum = 0;
    for (let word = 0; word < best.length; word++) {
      const worth = best[word] as number;
      if (worth < ITSELF) sum += worth * (this.#words[word] as NumberedWord).idf;
    }
    return sum / this.#weight;
  }

  #note(number: number, worth: Worth): void {
    if (number === NONE) return;
    this.#placeOf = grown(this.#placeOf, number + 1);
    const place = this.#placeOf[number] as number;
    if (place > 0) {
      this.#worths[place - 1]?.push(worth);
      return;
    }
    this.#numbers.push(number);
    this.#placeOf[number] = this.#worths.push([worth]);
  }
}
