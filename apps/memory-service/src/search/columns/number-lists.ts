import { grown } from './grown.ts';

/** Numbers of a page, or as many as a longer list has: pages make growth free of copying, and a list never crosses one. */
const PAGE_NUMBERS = 1 << 16;

/**
 * A short list of numbers for each ordinal, in a few large typed arrays: 4 bytes a number and 8 a list. A list that is replaced
 * or cleared leaves its place unused until the next start.
 */
export class NumberLists {
  readonly #pages: Int32Array[] = [];
  #end = PAGE_NUMBERS;
  /** By ordinal: place + 1, so that 0 means none. */
  #places = new Int32Array(0);

  set(ordinal: number, numbers: ArrayLike<number>): void {
    const { length } = numbers;
    if (this.#end + length + 1 > PAGE_NUMBERS) {
      this.#pages.push(new Int32Array(Math.max(PAGE_NUMBERS, length + 1)));
      this.#end = 0;
    }
    const page = this.#pages.at(-1) as Int32Array;
    page[this.#end] = length;
    page.set(numbers, this.#end + 1);
    this.#places = grown(this.#places, ordinal + 1);
    this.#places[ordinal] = (this.#pages.length - 1) * PAGE_NUMBERS + this.#end + 1;
    this.#end += length + 1;
  }

  /** A copy, empty for an ordinal without a list: to make a view of so few takes longer. */
  of(ordinal: number): number[] {
    const numbers: number[] = [];
    const place = (this.#places[ordinal] ?? 0) - 1;
    if (place < 0) return numbers;
    const page = this.#pages[Math.floor(place / PAGE_NUMBERS)] as Int32Array;
    const first = (place % PAGE_NUMBERS) + 1;
    const end = first + (page[first - 1] as number);
    for (let at = first; at < end; at++) numbers.push(page[at] as number);
    return numbers;
  }

  clear(ordinal: number): void {
    this.#places[ordinal] = 0;
  }
}
