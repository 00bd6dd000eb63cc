import { endianness } from 'node:os';

/** Two words of 32 bits. */
export type Checksum = readonly [number, number];

/**
 * The checksum of SQLite's write-ahead log over words of 32 bits, an even number of them, going on from another one
 * (https://www.sqlite.org/fileformat2.html#checksum_algorithm). A change of a single word always changes it: the two sums
 * multiply the word by two neighbouring Fibonacci numbers, which are never both even.
 */
export function checksum(words: Int32Array, [first, second]: Checksum, from = 0, to = words.length): Checksum {
  let even = first | 0;
  let odd = second | 0;
  for (let index = from; index < to; index += 2) {
    even = (even + (words[index] as number) + odd) | 0;
    odd = (odd + (words[index + 1] as number) + even) | 0;
  }
  return [even, odd];
}

/** The checksum of a page at its place: two pages that are swapped are both wrong. */
export function pageChecksum(page: number, words: Int32Array, from = 0, to = words.length): Checksum {
  return checksum(words, [page, 1], from, to);
}

export function isSame([a, b]: Checksum, [c, d]: Checksum): boolean {
  return a === c && b === d;
}

/** Words as they lie in a file. @param buffer begins at a multiple of 4 in its memory @param order of the bytes of a word */
export function wordsOf(buffer: Buffer, order: 'LE' | 'BE' = 'LE'): Int32Array {
  const bytes = order === endianness() ? buffer : Buffer.from(new Uint8Array(buffer).buffer).swap32();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}
