import type { OrderedSample } from '@agent-faculties/stats-math';

/** A chunk is split when it is full. 1,024 doubles move in well under a microsecond and are 8 KiB. */
const CHUNK_CAPACITY = 1_024;
/** The first chunk starts small and doubles: most task types of most agents have a handful of durations. */
const FIRST_CAPACITY = 16;
/** Bulk loading leaves room, so that the first insertions do not split every chunk. */
const CHUNK_FILL = 768;

/**
 * An ascending list of numbers with cheap insertion and rank access: a list of sorted chunks.
 * One big typed array would move up to 8 MB for one insertion into a million; a tree costs three times the memory.
 * Insertion and removal O(capacity + chunks), look-ups O(log n), 8 to 16 bytes a number.
 */
export class SortedNumbers implements OrderedSample {
  #chunks: Float64Array[] = [];
  #lengths: number[] = [];
  /** Numbers before each chunk; rebuilt at the first look-up after a change. */
  #offsets = new Uint32Array(0);
  #offsetsValid = false;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  add(value: number): void {
    if (this.#chunks.length === 0) this.#appendChunk();
    const index = Math.min(this.#firstChunkReaching(value), this.#chunks.length - 1);
    const position = upperBound(this.#chunk(index), this.#length(index), value);
    this.#insert(index, position, value);
  }

  /** For bulk loading: the value is at least the greatest so far. */
  append(value: number): void {
    const last = this.#chunks.length - 1;
    if (last < 0 || this.#length(last) >= CHUNK_FILL) this.#appendChunk();
    const index = this.#chunks.length - 1;
    this.#insert(index, this.#length(index), value);
  }

  /** Removes one occurrence; false when there is none. */
  remove(value: number): boolean {
    const index = this.#firstChunkReaching(value);
    if (index === this.#chunks.length) return false;
    const chunk = this.#chunk(index);
    const length = this.#length(index);
    const position = lowerBound(chunk, length, value);
    if (chunk[position] !== value) return false;
    chunk.copyWithin(position, position + 1, length);
    this.#lengths[index] = length - 1;
    if (length === 1) {
      this.#chunks.splice(index, 1);
      this.#lengths.splice(index, 1);
    }
    this.#changed(-1);
    return true;
  }

  at(index: number): number {
    if (!(index >= 0 && index < this.#size)) throw new RangeError(`index ${index} is outside 0..${this.#size - 1}`);
    const offsets = this.#upToDateOffsets();
    const chunk = upperBound(offsets, offsets.length, index) - 1;
    return this.#chunk(chunk)[index - (offsets[chunk] as number)] as number;
  }

  countAtMost(value: number): number {
    return this.#rank(value, upperBound);
  }

  countBelow(value: number): number {
    return this.#rank(value, lowerBound);
  }

  *[Symbol.iterator](): Generator<number> {
    for (const [index, chunk] of this.#chunks.entries()) yield* chunk.subarray(0, this.#length(index));
  }

  #rank(value: number, bound: typeof upperBound): number {
    const offsets = this.#upToDateOffsets();
    // Equal numbers may fill several chunks: counting "at most" starts at the last chunk that begins with such a number.
    const index = bound === upperBound ? this.#lastChunkStartingAtMost(value) : this.#firstChunkReaching(value);
    if (index < 0) return 0;
    if (index === this.#chunks.length) return this.#size;
    return (offsets[index] as number) + bound(this.#chunk(index), this.#length(index), value);
  }

  #insert(index: number, position: number, value: number): void {
    const length = this.#length(index);
    if (length === CHUNK_CAPACITY) {
      this.#split(index);
      const half = CHUNK_CAPACITY / 2;
      if (position > half) this.#insert(index + 1, position - half, value);
      else this.#insert(index, position, value);
      return;
    }
    if (length === this.#chunk(index).length) this.#grow(index);
    const chunk = this.#chunk(index);
    chunk.copyWithin(position + 1, position, length);
    chunk[position] = value;
    this.#lengths[index] = length + 1;
    this.#changed(1);
  }

  #split(index: number): void {
    const half = CHUNK_CAPACITY / 2;
    const upper = new Float64Array(CHUNK_CAPACITY);
    upper.set(this.#chunk(index).subarray(half));
    this.#chunks.splice(index + 1, 0, upper);
    this.#lengths.splice(index, 1, half, half);
    this.#offsetsValid = false;
  }

  #grow(index: number): void {
    const grown = new Float64Array(Math.min(2 * this.#chunk(index).length, CHUNK_CAPACITY));
    grown.set(this.#chunk(index));
    this.#chunks[index] = grown;
  }

  #appendChunk(): void {
    this.#chunks.push(new Float64Array(this.#chunks.length === 0 ? FIRST_CAPACITY : CHUNK_CAPACITY));
    this.#lengths.push(0);
    this.#offsetsValid = false;
  }

  #changed(by: number): void {
    this.#size += by;
    this.#offsetsValid = false;
  }

  #upToDateOffsets(): Uint32Array {
    if (this.#offsetsValid) return this.#offsets;
    if (this.#offsets.length !== this.#chunks.length) this.#offsets = new Uint32Array(this.#chunks.length);
    let before = 0;
    for (let index = 0; index < this.#lengths.length; index++) {
      this.#offsets[index] = before;
      before += this.#length(index);
    }
    this.#offsetsValid = true;
    return this.#offsets;
  }

  /** Index of the first chunk whose greatest number is at least `value`; the number of chunks when none is. */
  #firstChunkReaching(value: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunk(middle)[this.#length(middle) - 1] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index of the last chunk whose least number is at most `value`; -1 when none is. */
  #lastChunkStartingAtMost(value: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunk(middle)[0] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #chunk(index: number): Float64Array {
    return this.#chunks[index] as Float64Array;
  }

  #length(index: number): number {
    return this.#lengths[index] as number;
  }
}

/** How many of the first `length` numbers are below `value`. */
function lowerBound(numbers: ArrayLike<number>, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the first `length` numbers are at most `value`. */
export function upperBound(numbers: ArrayLike<number>, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
