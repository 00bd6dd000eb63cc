import { grown } from '../columns/grown.ts';
import { UNSEEN } from '../partitions.ts';

/** Cells of a page: pages make growth free of copying, and a chunk never crosses one. */
const PAGE_BITS = 16;
const PAGE_CELLS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_CELLS - 1;
/** Bytes of a cell: a slot and a count. */
const CELL_BYTES = 5;
/** A count is one byte; more repeats than this no longer change a score. */
const COUNT_LIMIT = 255;
/** Chunks of a list have 2, 4, 8 ... 1,024 cells, the last of each a link: rare words stay small, common ones read fast. */
const LARGEST_CLASS = 9;

/** Which memories to read. */
export interface SlotFilter {
  /** By slot. */
  readonly partition: Int32Array;
  /** By partition: those that are not UNSEEN. */
  readonly sight: Uint8Array;
}

/** What a list is read into; the first `length` entries are valid. */
export class PostingBuffer {
  length = 0;
  slots = new Int32Array(0);
  counts = new Uint8Array(0);

  reserve(length: number): void {
    this.slots = grown(this.slots, length);
    this.counts = grown(this.counts, length);
  }
}

/**
 * Many lists of (slot, count) that grow at the end, in a few large typed arrays: 5 bytes an entry and the slack of the
 * last chunk. A list is a number from `create`.
 */
export class PostingLists {
  readonly #slotPages: Int32Array[] = [];
  readonly #countPages: Uint8Array[] = [];
  #cellsTaken = 0;
  readonly #freeChunks: number[][] = Array.from({ length: LARGEST_CLASS + 1 }, () => []);
  #created = 0;
  readonly #freeLists: number[] = [];
  #heads = new Int32Array(0);
  /** Where the next entry goes; the link of the last chunk once `rooms` is 0. */
  #tails = new Int32Array(0);
  #rooms = new Int32Array(0);
  #tailClasses = new Uint8Array(0);
  #lengths = new Int32Array(0);

  create(): number {
    const list = this.#freeLists.pop() ?? this.#created++;
    this.#heads = grown(this.#heads, list + 1);
    this.#tails = grown(this.#tails, list + 1);
    this.#rooms = grown(this.#rooms, list + 1);
    this.#tailClasses = grown(this.#tailClasses, list + 1);
    this.#lengths = grown(this.#lengths, list + 1);
    this.#rooms[list] = 0;
    this.#lengths[list] = 0;
    return list;
  }

  lengthOf(list: number): number {
    return this.#lengths[list] as number;
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    return this.#slotPages.length * PAGE_CELLS * CELL_BYTES + this.#lengths.length * 17;
  }

  /** @param count 1..255 */
  append(list: number, slot: number, count: number): void {
    if (this.#rooms[list] === 0) this.#extend(list);
    const address = this.#tails[list] as number;
    this.#slotPage(address)[address & PAGE_MASK] = slot;
    (this.#countPages[address >> PAGE_BITS] as Uint8Array)[address & PAGE_MASK] = count;
    this.#tails[list] = address + 1;
    this.#rooms[list] = (this.#rooms[list] as number) - 1;
    this.#lengths[list] = (this.#lengths[list] as number) + 1;
  }

  /** Adds one to the last entry if that is of this slot, else an entry. */
  mention(list: number, slot: number): void {
    if ((this.#lengths[list] as number) > 0) {
      const address = (this.#tails[list] as number) - 1;
      if (this.#slotPage(address)[address & PAGE_MASK] === slot) {
        const countPage = this.#countPages[address >> PAGE_BITS] as Uint8Array;
        countPage[address & PAGE_MASK] = Math.min((countPage[address & PAGE_MASK] as number) + 1, COUNT_LIMIT);
        return;
      }
    }
    this.append(list, slot, 1);
  }

  /** How many entries of the list pass; where there are more than `most`, one more than that. */
  count(list: number, { partition, sight }: SlotFilter, most = Number.POSITIVE_INFINITY): number {
    let count = 0;
    let left = this.#lengths[list] as number;
    let address = this.#heads[list] as number;
    for (let size = 2; left > 0; size = nextSize(size)) {
      const slotPage = this.#slotPage(address);
      const from = address & PAGE_MASK;
      const until = from + Math.min(size - 1, left);
      for (let cell = from; cell < until; cell++) {
        const slot = slotPage[cell] as number;
        if (sight[partition[slot] as number] !== UNSEEN && ++count > most) return count;
      }
      left -= until - from;
      address = slotPage[from + size - 1] as number;
    }
    return count;
  }

  /**
   * Copies the entries of the memories that pass, in the order in which they were appended.
   * @param filter.among when given, only slots with another value than 0 in it
   */
  read(list: number, filter: SlotFilter & { readonly among?: Float32Array | null }, into: PostingBuffer): void {
    const { partition, sight, among = null } = filter;
    let left = this.#lengths[list] as number;
    into.reserve(left);
    const { slots, counts } = into;
    let written = 0;
    let address = this.#heads[list] as number;
    for (let size = 2; left > 0; size = nextSize(size)) {
      const slotPage = this.#slotPage(address);
      const countPage = this.#countPages[address >> PAGE_BITS] as Uint8Array;
      const from = address & PAGE_MASK;
      const until = from + Math.min(size - 1, left);
      for (let cell = from; cell < until; cell++) {
        const slot = slotPage[cell] as number;
        if (among !== null && among[slot] === 0) continue;
        if (sight[partition[slot] as number] !== UNSEEN) {
          slots[written] = slot;
          counts[written++] = countPage[cell] as number;
        }
      }
      left -= until - from;
      address = slotPage[from + size - 1] as number;
    }
    into.length = written;
  }

  /** Leaves out the entries of empty slots. A list without any other is freed. @returns whether it still exists */
  sweep(list: number, filter: SlotFilter, scratch: PostingBuffer): boolean {
    const before = this.#lengths[list] as number;
    this.read(list, filter, scratch);
    if (scratch.length === before) return true;
    this.#freeChunksOf(list, before);
    this.#rooms[list] = 0;
    this.#lengths[list] = 0;
    for (let index = 0; index < scratch.length; index++) {
      this.append(list, scratch.slots[index] as number, scratch.counts[index] as number);
    }
    if (scratch.length === 0) this.#freeLists.push(list);
    return scratch.length > 0;
  }

  #extend(list: number): void {
    const isFirst = this.#lengths[list] === 0;
    const chunkClass = isFirst ? 0 : Math.min((this.#tailClasses[list] as number) + 1, LARGEST_CLASS);
    const address = this.#takeChunk(chunkClass);
    const link = this.#tails[list] as number;
    if (isFirst) this.#heads[list] = address;
    else this.#slotPage(link)[link & PAGE_MASK] = address;
    this.#tails[list] = address;
    this.#tailClasses[list] = chunkClass;
    this.#rooms[list] = (2 << chunkClass) - 1;
  }

  #takeChunk(chunkClass: number): number {
    const freed = this.#freeChunks[chunkClass]?.pop();
    if (freed !== undefined) return freed;
    const size = 2 << chunkClass;
    const roomInPage = PAGE_CELLS - (this.#cellsTaken & PAGE_MASK);
    if (roomInPage < size) this.#cellsTaken += roomInPage;
    const address = this.#cellsTaken;
    this.#cellsTaken += size;
    if (address >> PAGE_BITS >= this.#slotPages.length) {
      this.#slotPages.push(new Int32Array(PAGE_CELLS));
      this.#countPages.push(new Uint8Array(PAGE_CELLS));
    }
    return address;
  }

  #freeChunksOf(list: number, length: number): void {
    let left = length;
    let address = this.#heads[list] as number;
    for (let size = 2; left > 0; size = nextSize(size)) {
      this.#freeChunks[Math.log2(size) - 1]?.push(address);
      left -= size - 1;
      const link = address + size - 1;
      address = this.#slotPage(link)[link & PAGE_MASK] as number;
    }
  }

  #slotPage(address: number): Int32Array {
    return this.#slotPages[address >> PAGE_BITS] as Int32Array;
  }
}

function nextSize(size: number): number {
  return Math.min(size * 2, 2 << LARGEST_CLASS);
}
