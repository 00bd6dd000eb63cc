import { readFileSync } from 'node:fs';

/**
 * Little-endian: bytes of the text, number of terms, number of pairs (32 bits each); the terms, one a line, filled up with line ends
 * to a multiple of four bytes; where the pairs of each term begin, and their end (32 bits each); of each pair the place of the other
 * term (16 bits), then of each its cosine (8 bits, of 255). Made by tools/near-words.mjs.
 */
const FILE = new URL('../../../tables/near-words.bin', import.meta.url);
const HEAD_BYTES = 12;
const STEPS = 255;

/** Terms whose words mean nearly the same or belong to the same things: "instrument" and "violin". 14,000 English ones. */
export class NearWords {
  static #common: NearWords | null = null;

  readonly #terms: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #starts: Uint32Array;
  readonly #others: Uint16Array;
  readonly #cosines: Uint8Array;

  private constructor(bytes: ArrayBuffer) {
    const [textBytes, terms, pairs] = new Uint32Array(bytes, 0, 3) as unknown as [number, number, number];
    const starts = HEAD_BYTES + textBytes;
    const others = starts + (terms + 1) * Uint32Array.BYTES_PER_ELEMENT;
    this.#terms = new TextDecoder()
      .decode(new Uint8Array(bytes, HEAD_BYTES, textBytes))
      .trimEnd()
      .split('\n');
    this.#places = new Map(this.#terms.map((term, place) => [term, place]));
    this.#starts = new Uint32Array(bytes, starts, terms + 1);
    this.#others = new Uint16Array(bytes, others, pairs);
    this.#cosines = new Uint8Array(bytes, others + pairs * Uint16Array.BYTES_PER_ELEMENT, pairs);
  }

  /** The one of this process: 1.4 MB, read when the first question comes, in some milliseconds. */
  static common(): NearWords {
    NearWords.#common ??= new NearWords(new Uint8Array(readFileSync(FILE)).buffer);
    return NearWords.#common;
  }

  has(term: string): boolean {
    return this.#places.has(term);
  }

  /** Visits at most 32, the nearest first, with cosines of 0.3 to 1; none for a term that is not in the table. */
  each(term: string, visit: (near: string, cosine: number) => void): void {
    const place = this.#places.get(term);
    if (place === undefined) return;
    for (let pair = this.#starts[place] as number; pair < (this.#starts[place + 1] as number); pair++) {
      visit(this.#terms[this.#others[pair] as number] as string, (this.#cosines[pair] as number) / STEPS);
    }
  }
}
