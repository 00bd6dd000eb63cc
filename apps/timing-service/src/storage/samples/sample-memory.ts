/** Samples beyond this many bytes are dropped, least recently used first; a million durations take 11 MiB. */
const DEFAULT_MOST_BYTES = 96 * 1024 * 1024;

/** The samples of one space. */
interface Holder {
  /** Drops what was used least recently, but not what was used last of all; false where there is nothing to drop. */
  dropOldest(): boolean;
}

/** The memory that the samples of all open spaces share: those of the space that was used least recently are dropped first. */
export class SampleMemory {
  readonly #mostBytes: number;
  /** In order of use, least recent first. */
  readonly #holders = new Set<Holder>();
  #bytes = 0;
  #loads = 0;

  constructor(mostBytes = DEFAULT_MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Samples that were read from the store so far, at their first use or after they were dropped. */
  get loads(): number {
    return this.#loads;
  }

  loaded(): void {
    this.#loads++;
  }

  /** A holder was used, and holds so many bytes more. */
  used(holder: Holder, more: number): void {
    this.#holders.delete(holder);
    this.#holders.add(holder);
    this.#bytes += more;
    for (const one of this.#holders) while (this.#bytes > this.#mostBytes && one.dropOldest());
  }

  freed(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** The space is closed. */
  forget(holder: Holder): void {
    this.#holders.delete(holder);
  }
}
