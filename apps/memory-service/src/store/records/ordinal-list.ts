import { grown } from '../../search/columns/grown.ts';

/** What stands before and after each ordinal in the list that it is in; one for all lists, 8 bytes an ordinal. */
export class OrdinalLinks {
  /** By ordinal: its neighbour + 1, so that 0 means none. */
  previous = new Int32Array(0);
  next = new Int32Array(0);

  reserve(ordinals: number): void {
    this.previous = grown(this.previous, ordinals);
    this.next = grown(this.next, ordinals);
  }
}

/** Ordinals in the order in which they were added; each is in one list at most. A view: what goes through it sees later changes. */
export class OrdinalList implements Iterable<number> {
  size = 0;
  readonly #links: OrdinalLinks;
  #first = 0;
  #last = 0;

  constructor(links: OrdinalLinks) {
    this.#links = links;
  }

  /** @param ordinal that is in no list */
  add(ordinal: number): void {
    const links = this.#links;
    links.reserve(ordinal + 1);
    links.previous[ordinal] = this.#last;
    links.next[ordinal] = 0;
    if (this.#last === 0) this.#first = ordinal + 1;
    else links.next[this.#last - 1] = ordinal + 1;
    this.#last = ordinal + 1;
    this.size++;
  }

  /** @param ordinal that is in this list */
  remove(ordinal: number): void {
    const { previous, next } = this.#links;
    const before = previous[ordinal] as number;
    const after = next[ordinal] as number;
    if (before === 0) this.#first = after;
    else next[before - 1] = after;
    if (after === 0) this.#last = before;
    else previous[after - 1] = before;
    this.size--;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let at = this.#first; at !== 0; at = this.#links.next[at - 1] as number) yield at - 1;
  }
}
