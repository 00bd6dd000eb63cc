/** What is known of some numbers: how many, their mean, and the sum of their squared deviations from it. */
export interface Moments {
  readonly size: number;
  readonly mean: number;
  readonly squares: number;
}

/**
 * Mean and standard deviation of numbers that come one at a time, without keeping them.
 *
 * Source: Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products", Technometrics 4 (1962).
 * @complexity O(1) a value, O(1) memory
 */
export class RunningMoments {
  #size = 0;
  #mean = 0;
  #squares = 0;

  /** @throws RangeError when the value is not finite; the moments stay as they were */
  add(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`value is ${value}: pass a finite number`);
    this.#size += 1;
    const before = value - this.#mean;
    this.#mean += before / this.#size;
    this.#squares += before * (value - this.#mean);
  }

  /**
   * Takes in numbers of which only the moments are known.
   *
   * Source: Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance", The American Statistician 37 (1983).
   */
  addAll({ size, mean, squares }: Moments): void {
    if (size === 0) return;
    const total = this.#size + size;
    const apart = mean - this.#mean;
    this.#squares += squares + (apart * apart * this.#size * size) / total;
    this.#mean += (apart * size) / total;
    this.#size = total;
  }

  /** All zero when empty. */
  get all(): Moments {
    return { size: this.#size, mean: this.#mean, squares: this.#squares };
  }

  /** @throws RangeError when empty */
  get mean(): number {
    if (this.#size === 0) throw new RangeError('the mean of nothing does not exist: add at least one value');
    return this.#mean;
  }

  /** With n - 1 in the denominator. @throws RangeError with fewer than two values */
  get sampleStandardDeviation(): number {
    if (this.#size < 2) throw new RangeError('a standard deviation needs two values: add at least two');
    return Math.sqrt(this.#squares / (this.#size - 1));
  }
}
