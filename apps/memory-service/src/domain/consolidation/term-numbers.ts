import { salientTerms } from '../text/salient-terms.ts';

/** Numbers for terms, so that those of many memories are small and quickly compared. Names of speakers get none: they are everywhere. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #isOfSpeaker: (term: string) => boolean;

  /** @param isOfSpeaker whether a term is part of the name of a speaker */
  constructor(isOfSpeaker: (term: string) => boolean) {
    this.#isOfSpeaker = isOfSpeaker;
  }

  /** Of the salient terms of a text, rising. */
  of(text: string): Int32Array {
    const terms = [...salientTerms(text)].filter((term) => !this.#isOfSpeaker(term));
    return Int32Array.from(terms, (term) => this.#numberOf(term)).sort();
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term) ?? this.#numbers.size;
    this.#numbers.set(term, known);
    return known;
  }
}
