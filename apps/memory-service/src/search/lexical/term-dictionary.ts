import { grown } from '../columns/grown.ts';

/** The terms of many readings, each once: a reading of a file names them by their entries here. */
export class TermDictionary {
  readonly terms: string[] = [];
  #owner: object | null = null;
  #state = 0;
  #known = new Int32Array(0);

  /**
   * By entry: the number of the term in an index + 1; 0 where it is to be noted there. What another index has noted, or this one in another
   * state, is forgotten.
   */
  knownIn(index: object, state: number): Int32Array {
    if (this.#owner !== index || this.#state !== state) {
      this.#owner = index;
      this.#state = state;
      this.#known.fill(0);
    }
    this.#known = grown(this.#known, this.terms.length);
    return this.#known;
  }
}

/** The terms of one reading by their entries in a dictionary, in order, repeats included. */
export interface NumberedTerms {
  readonly entries: readonly number[];
  readonly dictionary: TermDictionary;
}
