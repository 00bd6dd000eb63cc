/** Rows with their cosines to a query, the nearest first; of equal ones the lower row. */
export interface NearRows {
  readonly rows: Int32Array;
  readonly cosines: Float32Array;
}

/** Keeps the nearest of the rows that it is shown: a heap with the farthest of them on top. */
export class TopRows {
  readonly #rows: Int32Array;
  readonly #cosines: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#rows = new Int32Array(capacity);
    this.#cosines = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The least cosine that a row needs in order to be kept. */
  get least(): number {
    return this.#size < this.#rows.length ? Number.NEGATIVE_INFINITY : this.#cosine(0);
  }

  /** Each row once. A cosine that is not a number is never kept. */
  offer(row: number, cosine: number): void {
    if (this.#size < this.#rows.length) {
      if (Number.isNaN(cosine)) return;
      this.#put(this.#size, row, cosine);
      this.#rise(this.#size++);
    } else if (this.#size > 0 && cosine >= (this.#cosines[0] as number) && this.#isFarther(0, row, cosine)) {
      this.#put(0, row, cosine);
      this.#sink();
    }
  }

  /** Returns the kept rows, the nearest first, and empties the heap. */
  take(): NearRows {
    const rows = new Int32Array(this.#size);
    const cosines = new Float32Array(this.#size);
    while (this.#size > 0) {
      const last = --this.#size;
      rows[last] = this.#row(0);
      cosines[last] = this.#cosine(0);
      this.#put(0, this.#row(last), this.#cosine(last));
      this.#sink();
    }
    return { rows, cosines };
  }

  #row(place: number): number {
    return this.#rows[place] as number;
  }

  #cosine(place: number): number {
    return this.#cosines[place] as number;
  }

  #put(place: number, row: number, cosine: number): void {
    this.#rows[place] = row;
    this.#cosines[place] = cosine;
  }

  /** Whether the row at this place of the heap is farther away than the given one. */
  #isFarther(place: number, row: number, cosine: number): boolean {
    const difference = this.#cosine(place) - cosine;
    return difference < 0 || (difference === 0 && this.#row(place) > row);
  }

  /** Of two places the one whose row is farther away; the second one may be beyond the end. */
  #farther(a: number, b: number): number {
    return b < this.#size && this.#isFarther(b, this.#row(a), this.#cosine(a)) ? b : a;
  }

  #swap(a: number, b: number): void {
    const row = this.#row(a);
    const cosine = this.#cosine(a);
    this.#put(a, this.#row(b), this.#cosine(b));
    this.#put(b, row, cosine);
  }

  #rise(start: number): void {
    for (let place = start; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!this.#isFarther(place, this.#row(parent), this.#cosine(parent))) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const left = this.#farther(place, 2 * place + 1);
      const farthest = this.#farther(left, 2 * place + 2);
      if (farthest === place) return;
      this.#swap(place, farthest);
      place = farthest;
    }
  }
}
