import { grown } from '../columns/grown.ts';
import type { TextReading } from './text-reading.ts';

/** Numbers of a page: pages make growth free of copying. A reading never crosses one; the longest has 30,000 terms. */
const PAGE_NUMBERS = 1 << 16;
/** Flags and words, and how many terms follow. */
const HEAD_NUMBERS = 2;
/** Bits of the number that holds the flags and, above them, the words. */
const FLAG_BITS = 3;

/** Numbers `from`..`until` of an array. To make a view of so few would take longer than to read them. */
export interface Stretch {
  readonly numbers: Int32Array;
  readonly from: number;
  readonly until: number;
}

const NOTHING: Stretch = { numbers: new Int32Array(0), from: 0, until: 0 };

/**
 * The readings of all memories, for a save: a number a term, in a few large typed arrays. What is forgotten leaves its
 * place unused until the next start.
 */
export class ReadingLog {
  readonly #pages: Int32Array[] = [];
  #end = PAGE_NUMBERS;
  /** By ordinal: place + 1, so that 0 means none. */
  #places = new Int32Array(0);

  /** @param terms the number of each term of the reading */
  note(ordinal: number, { flags, words }: TextReading, terms: Int32Array): void {
    const length = HEAD_NUMBERS + terms.length;
    if (this.#end + length > PAGE_NUMBERS) {
      this.#pages.push(new Int32Array(PAGE_NUMBERS));
      this.#end = 0;
    }
    const page = this.#pages.at(-1) as Int32Array;
    page[this.#end] = (words << FLAG_BITS) | flags;
    page[this.#end + 1] = terms.length;
    page.set(terms, this.#end + HEAD_NUMBERS);
    this.#places = grown(this.#places, ordinal + 1);
    this.#places[ordinal] = (this.#pages.length - 1) * PAGE_NUMBERS + this.#end + 1;
    this.#end += length;
  }

  /** Numbers of the terms of a memory, in order; none for what is not noted. Valid until the next `note`. */
  termsOf(ordinal: number): Stretch {
    const place = (this.#places[ordinal] ?? 0) - 1;
    if (place < 0) return NOTHING;
    const numbers = this.#pages[Math.floor(place / PAGE_NUMBERS)] as Int32Array;
    const start = place % PAGE_NUMBERS;
    const from = start + HEAD_NUMBERS;
    return { numbers, from, until: from + (numbers[start + 1] as number) };
  }

  forget(ordinal: number): void {
    this.#places[ordinal] = 0;
  }

  /** By ordinal, as they are at this moment. @param termOf the term of each number at this moment */
  capture(termOf: readonly (string | undefined)[]): (ordinal: number) => TextReading | undefined {
    const pages = this.#pages.slice();
    const places = this.#places.slice();
    return (ordinal) => {
      const place = (places[ordinal] ?? 0) - 1;
      if (place < 0) return undefined;
      const page = pages[Math.floor(place / PAGE_NUMBERS)] as Int32Array;
      const start = place % PAGE_NUMBERS;
      const marks = page[start] as number;
      const first = start + HEAD_NUMBERS;
      const numbers = page.subarray(first, first + (page[start + 1] as number));
      return {
        terms: Array.from(numbers, (number) => termOf[number] as string),
        flags: marks & ((1 << FLAG_BITS) - 1),
        words: marks >>> FLAG_BITS,
      };
    };
  }
}

/** @complexity O(length) */
export function holds({ numbers, from, until }: Stretch, number: number): boolean {
  for (let at = from; at < until; at++) if (numbers[at] === number) return true;
  return false;
}
