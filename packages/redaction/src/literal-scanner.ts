/** Texts to look for, and what stands behind each of them. */
export interface Literal<T> {
  readonly text: string;
  readonly ignoresCase: boolean;
  readonly value: T;
}

const ASCII = 128;
const CASE_BIT = 0x20;

/**
 * Finds every place of many short ASCII texts in one pass: a table says for each pair of characters whether a literal begins
 * with it, so that a text without any costs about 2 ns a character.
 */
export class LiteralScanner<T> {
  /** By the codes of the first two characters; 0: none, else the index in #candidates. */
  readonly #byPair = new Uint8Array(ASCII * ASCII);
  readonly #candidates: Literal<T>[][] = [[]];

  constructor(literals: readonly Literal<T>[]) {
    for (const literal of literals) {
      for (const first of spellings(literal, 0)) {
        for (const second of spellings(literal, 1)) this.#note(first * ASCII + second, literal);
      }
    }
  }

  /**
   * Calls back for each literal at each place from `start` to before `end`, in the order of places; resumes at what is returned, if
   * that is further on. @returns where to start for what is behind `end`
   */
  scan(
    text: string,
    { start, end }: { readonly start: number; readonly end: number },
    onHit: (value: T, start: number, literal: Literal<T>) => number,
  ): number {
    let resume = start;
    let first = text.charCodeAt(start);
    for (let index = start + 1; index <= end && index < text.length; index++) {
      const second = text.charCodeAt(index);
      const pair = first * ASCII + second;
      first = second;
      if (second >= ASCII || pair >= ASCII * ASCII || index - 1 < resume) continue;
      const slot = this.#byPair[pair] as number;
      if (slot === 0) continue;
      for (const literal of this.#candidates[slot] as Literal<T>[]) {
        if (!standsAt(text, index - 1, literal)) continue;
        resume = Math.max(resume, onHit(literal.value, index - 1, literal));
        if (index - 1 < resume) break;
      }
    }
    return Math.max(resume, end);
  }

  #note(pair: number, literal: Literal<T>): void {
    const slot = this.#byPair[pair] as number;
    if (slot > 0) return void (this.#candidates[slot] as Literal<T>[]).push(literal);
    this.#byPair[pair] = this.#candidates.length;
    this.#candidates.push([literal]);
  }
}

function spellings({ text, ignoresCase }: Literal<unknown>, index: number): number[] {
  const character = text.charAt(index);
  const all = ignoresCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  return [...new Set(all.map((one) => one.charCodeAt(0)))];
}

function standsAt(text: string, start: number, { text: literal, ignoresCase }: Literal<unknown>): boolean {
  if (!ignoresCase) return text.startsWith(literal, start);
  // A literal that ignores case is written in lower case, of letters, digits and signs that this bit does not touch.
  for (let index = 0; index < literal.length; index++) {
    const code = text.charCodeAt(start + index);
    const wanted = literal.charCodeAt(index);
    if (code !== wanted && (code | CASE_BIT) !== wanted) return false;
  }
  return true;
}
