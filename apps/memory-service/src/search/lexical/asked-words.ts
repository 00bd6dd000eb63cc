import type { ThreadTotals } from '../threads/thread-index.ts';
import { PASSAGE_TERMS, WINDOW_TERMS } from './passage-size.ts';

/** BM25 over turns and windows: saturation and how much length counts. A turn's first mention adds `base`. */
export const TURN = { saturation: 0.9, length: 0.4, base: 0.5 };
export const WINDOW = { saturation: 1.2, length: 0.4 };

/** A word of a question. */
export interface AskedWord {
  readonly term: string;
  /** The number of the term in readings; NONE if no memory has it. */
  readonly number: number;
  readonly idf: number;
}

/** Occurrences of asked words in a part of a text: by asked word, how often. */
type Counts = ArrayLike<number>;

/** The words of a question and what their occurrences are worth, over what one caller sees. */
export class AskedWords {
  /** Those with most to say first. Elsewhere an asked word is its place here. */
  readonly words: readonly AskedWord[];
  readonly #weight: number;
  readonly #averages: { readonly turn: number; readonly window: number };

  constructor(words: readonly AskedWord[], totals: ThreadTotals) {
    this.words = words;
    this.#weight = words.reduce((sum, { idf }) => sum + idf, 0);
    this.#averages = { turn: averageTurn(totals), window: averageWindow(totals) };
  }

  /** Share of the asked words in a passage of so many terms. */
  turnShare(counts: Counts, terms: number): number {
    const rest = this.turnRest(terms);
    let sum = 0;
    let matched = 0;
    for (let word = 0; word < this.words.length; word++) {
      const count = counts[word] as number;
      if (count === 0) continue;
      matched++;
      sum += this.turnWorth(word, count, rest);
    }
    return this.turnShareOf(sum, matched);
  }

  /** The length term of BM25 for a passage of this many terms, for `turnWorth`. */
  turnRest(terms: number): number {
    const { saturation, length } = TURN;
    return saturation * (1 - length + (length * terms) / this.#averages.turn);
  }

  /** What so many mentions of a word add to the sum of a passage. */
  turnWorth(word: number, count: number, rest: number): number {
    if (count === 0) return 0;
    return (this.words[word] as AskedWord).idf * (TURN.base + (count * (1 + TURN.saturation)) / (count + rest));
  }

  /** @param sum of the worth of the words in it; `matched`: how many of them there are */
  turnShareOf(sum: number, matched: number): number {
    if (matched === 0) return 0;
    return (sum * Math.sqrt(matched / this.words.length)) / (this.#weight * (TURN.base + 1 + TURN.saturation));
  }

  windowShare(counts: Counts, terms: number): number {
    const { saturation, length } = WINDOW;
    const rest = saturation * (1 - length + (length * terms) / this.#averages.window);
    let sum = 0;
    this.words.forEach(({ idf }, word) => {
      const count = counts[word] as number;
      sum += (idf * count * (1 + saturation)) / (count + rest);
    });
    return this.#weight > 0 ? sum / (this.#weight * (1 + saturation)) : 0;
  }
}

/** Terms of a turn on average, a long text being one passage: else all short ones would look alike beside long ones. */
export function averageTurn({ terms, memories }: ThreadTotals): number {
  return Math.min(terms / memories, PASSAGE_TERMS);
}

export function averageWindow({ windowTerms, memories }: ThreadTotals): number {
  return Math.min(windowTerms / memories, WINDOW_TERMS);
}
