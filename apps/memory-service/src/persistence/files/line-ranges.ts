/** Line numbers, with successive ones joined into ranges. */
export class LineRanges {
  readonly #ranges: { first: number; last: number }[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  add(number: number): void {
    const range = this.#ranges.at(-1);
    if (range && range.last === number - 1) range.last = number;
    else this.#ranges.push({ first: number, last: number });
  }

  *[Symbol.iterator](): Generator<string> {
    for (const { first, last } of this.#ranges) yield first === last ? `line ${first}` : `lines ${first} to ${last}`;
  }
}
