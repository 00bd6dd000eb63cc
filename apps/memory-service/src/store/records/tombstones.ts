/** 5 MB of memory and 3.5 MB in memories.json, when the ids have 32 characters. */
const MOST_KEPT = 100_000;

/** Ids of memories that were deleted, the latest ones: an old copy of one of them is not taken in again. */
export class Tombstones {
  /** In the order of deleting. */
  readonly #ids = new Set<string>();
  readonly #most: number;
  #oldest: Iterator<string> | null = null;

  constructor({ most = MOST_KEPT } = {}) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size > this.#most) this.#forgetOldest();
  }

  /** For a memory that is there again. */
  remove(id: string): void {
    this.#ids.delete(id);
  }

  /** Forgets those that are not among these, oldest first. */
  replaceAll(ids: readonly string[]): void {
    this.#ids.clear();
    for (const id of ids) this.add(id);
  }

  /** A copy, oldest first. */
  snapshot(): string[] {
    return [...this.#ids];
  }

  #forgetOldest(): void {
    // The same iterator each time: a new one walks over the places of all that were forgotten before.
    this.#oldest ??= this.#ids.values();
    this.#ids.delete(this.#oldest.next().value as string);
  }
}
