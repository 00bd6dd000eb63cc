import { randomInt } from 'node:crypto';
import { grown } from '../../search/columns/grown.ts';
import type { PackedBlock } from './packed-memories.ts';

/** Hexadecimal digits of the ids that this service gives, in lower case. */
const DIGITS = 32;
const DIGITS_OF_WORD = 8;
const WORDS = DIGITS / DIGITS_OF_WORD;
/** The value of a hexadecimal digit by its character code; -1 for any other character. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)));
const LEAST_PLACES = 64;
/** Places for each id, at least: few have to be looked at for one that is there, or is not. */
const PLACES_PER_ID = 2;
/** Marks the place of a removed id. A look-up goes on behind it, because other ids may follow. */
const GONE = -1;

/**
 * Ordinals by id. An id of this service takes four numbers and its places in a table of hashes, which is filled without making a string;
 * what others call their memories is in a Map.
 */
export class IdOrdinals {
  /** By ordinal: the id as four numbers. */
  #words = new Int32Array(0);
  /** Ordinal + 1, so that 0 means free. */
  #table = new Int32Array(LEAST_PLACES);
  /** Places that are not free. */
  #taken = 0;
  #plain = 0;
  readonly #others = new Map<string, number>();
  /** The id that is looked for. */
  readonly #asked = new Int32Array(WORDS);
  /** Odd random factors, so that no client can choose ids that all collide. */
  readonly #factors = Int32Array.from({ length: WORDS }, () => randomInt(2 ** 31) * 2 + 1);

  get size(): number {
    return this.#plain + this.#others.size;
  }

  get(id: string): number | undefined {
    if (!this.#ask(id)) return this.#others.get(id);
    const place = this.#find();
    return place < 0 ? undefined : (this.#table[place] as number) - 1;
  }

  set(id: string, ordinal: number): void {
    if (!this.#ask(id)) this.#others.set(id, ordinal);
    else this.#put(this.#find(), ordinal);
  }

  /** Sets the ordinal of a packed memory. @returns false where its id has one, which stays */
  add(block: PackedBlock, offset: number, ordinal: number): boolean {
    if (!block.readId(offset, this.#asked)) {
      const id = block.idOf(offset);
      if (this.#others.has(id)) return false;
      this.#others.set(id, ordinal);
      return true;
    }
    const found = this.#find();
    if (found >= 0) return false;
    this.#put(found, ordinal);
    return true;
  }

  delete(id: string): void {
    if (!this.#ask(id)) {
      this.#others.delete(id);
      return;
    }
    const place = this.#find();
    if (place < 0) return;
    this.#table[place] = GONE;
    this.#plain--;
  }

  /** @returns false for an id of another form */
  #ask(id: string): boolean {
    if (id.length !== DIGITS) return false;
    for (let word = 0; word < WORDS; word++) {
      let value = 0;
      for (let at = word * DIGITS_OF_WORD; at < (word + 1) * DIGITS_OF_WORD; at++) {
        const digit = VALUES[id.charCodeAt(at)] ?? -1;
        if (digit < 0) return false;
        value = (value << 4) | digit;
      }
      this.#asked[word] = value;
    }
    return true;
  }

  /** The place of the id that is asked for; where it is nowhere, the free one that it would have, as `~place`. */
  #find(): number {
    const table = this.#table;
    const last = table.length - 1;
    for (let place = this.#hash(this.#asked, 0) & last; ; place = (place + 1) & last) {
      const entry = table[place] as number;
      if (entry === 0) return ~place;
      if (entry !== GONE && this.#isOf((entry - 1) * WORDS)) return place;
    }
  }

  #isOf(at: number): boolean {
    const words = this.#words;
    const asked = this.#asked;
    for (let word = 0; word < WORDS; word++) if (words[at + word] !== asked[word]) return false;
    return true;
  }

  #put(found: number, ordinal: number): void {
    this.#words = grown(this.#words, (ordinal + 1) * WORDS);
    this.#words.set(this.#asked, ordinal * WORDS);
    if (found >= 0) {
      this.#table[found] = ordinal + 1;
      return;
    }
    this.#table[~found] = ordinal + 1;
    this.#plain++;
    this.#taken++;
    if (this.#taken * PLACES_PER_ID > this.#table.length) this.#makeRoom();
  }

  /** Rebuilds the table without the removed ids. */
  #makeRoom(): void {
    let places = LEAST_PLACES;
    while (places <= this.#plain * 2 * PLACES_PER_ID) places *= 2;
    const table = new Int32Array(places);
    for (const entry of this.#table) {
      if (entry <= 0) continue;
      let place = this.#hash(this.#words, (entry - 1) * WORDS) & (places - 1);
      while (table[place] !== 0) place = (place + 1) & (places - 1);
      table[place] = entry;
    }
    this.#table = table;
    this.#taken = this.#plain;
  }

  #hash(words: Int32Array, at: number): number {
    let hash = 0;
    for (let word = 0; word < WORDS; word++) {
      hash = Math.imul(hash ^ (words[at + word] as number), this.#factors[word] as number);
      hash ^= hash >>> 15;
    }
    return hash;
  }
}
