/** Numbers for terms, which are smaller and faster to compare than texts. Names of speakers get none: they are everywhere. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #isOfSpeaker: (term: string) => boolean;

  /** @param isOfSpeaker whether a term is part of the name of a speaker */
  constructor(isOfSpeaker: (term: string) => boolean) {
    this.#isOfSpeaker = isOfSpeaker;
  }

  /** The numbers of the terms, ascending. */
  of(terms: ReadonlySet<string>): Int32Array {
    const others = [...terms].filter((term) => !this.#isOfSpeaker(term));
    return Int32Array.from(others, (term) => this.#numberOf(term)).sort();
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term) ?? this.#numbers.size;
    this.#numbers.set(term, known);
    return known;
  }
}
