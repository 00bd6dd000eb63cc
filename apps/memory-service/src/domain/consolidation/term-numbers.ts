import { termsOf } from '../recall/terms.ts';
import { tellingTerms } from './telling-terms.ts';

/** Numbers for terms, so that those of many memories are small and quickly compared. Names of speakers get none: they are everywhere. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #speakers: ReadonlySet<string>;

  /** @param speakers names, each once */
  constructor(speakers: ReadonlySet<string>) {
    this.#speakers = new Set([...speakers].flatMap(termsOf));
  }

  /** Of the telling terms of a text, rising. */
  of(text: string): Int32Array {
    const terms = [...tellingTerms(text)].filter((term) => !this.#speakers.has(term));
    return Int32Array.from(terms, (term) => this.#numberOf(term)).sort();
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term) ?? this.#numbers.size;
    this.#numbers.set(term, known);
    return known;
  }
}
