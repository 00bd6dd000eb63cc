import { grown } from '../columns/grown.ts';

/** The terms of many readings, each once: a reading of a file names them by their number there. */
export class TermDictionary {
  readonly texts: string[] = [];
  #owner: object | null = null;
  /** By number: what the owner calls it + 1, so that 0 means that it was not asked yet. */
  #known = new Int32Array(0);

  /** What an index calls this term; -1 where it was not noted. */
  numberIn(index: object, number: number): number {
    return this.#owner === index ? (this.#known[number] ?? 0) - 1 : -1;
  }

  /** Notes it for one index; what another one has noted is forgotten. */
  note(index: object, number: number, called: number): void {
    if (this.#owner !== index) {
      this.#owner = index;
      this.#known.fill(0);
    }
    this.#known = grown(this.#known, number + 1);
    this.#known[number] = called + 1;
  }
}

/** The terms of one reading by their numbers in a dictionary, in order, repeats included. */
export interface NumberedTerms {
  readonly numbers: readonly number[];
  readonly dictionary: TermDictionary;
}
