import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { WireObject } from './memory-line.ts';

// A reading is one array: flags, number of words, terms. The first time that a term occurs in the file it is written as text; after
// that as its number, counted from 0 in order of first occurrence.

/** Writes the readings of one file, in the order of its lines. */
export class ReadingWriter {
  readonly #numbers = new Map<string, number>();

  toJson({ flags, words, terms }: TextReading): string {
    const items: (string | number)[] = [flags, words];
    for (const term of terms) {
      const number = this.#numbers.get(term);
      items.push(number ?? term);
      if (number === undefined) this.#numbers.set(term, this.#numbers.size);
    }
    return JSON.stringify(items);
  }
}

/** Reads the readings of one file; it must get every line, in order. */
export class ReadingReader {
  readonly #terms: string[] = [];

  fromWire(wire: WireObject['reading']): TextReading | undefined {
    if (wire === undefined) return undefined;
    const [flags, words, ...items] = wire as [number, number, ...(string | number)[]];
    const terms = items.map((item) => {
      if (typeof item === 'number') return this.#terms[item] as string;
      this.#terms.push(item);
      return item;
    });
    return { flags, words, terms };
  }
}
