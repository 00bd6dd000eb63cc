const TAG = /<[ \t]{0,8}(\/?)[ \t]{0,8}private(?:[ \t][^<>]{0,100})?>/gi;

/** A text without what its author marked as private. */
export interface WithoutPrivate {
  readonly text: string;
  /** How many parts were taken out; one within another counts as one. */
  readonly count: number;
}

/**
 * Takes out `<private>...</private>` with all that is between, in any case, also one within another. One that is not closed
 * goes to the end of the text. A closing tag alone stays.
 */
export function withoutPrivate(text: string): WithoutPrivate {
  if (!text.includes('<')) return { text, count: 0 };
  const kept = new KeptText();
  let from = 0;
  let depth = 0;
  let count = 0;
  for (const match of text.matchAll(TAG)) {
    const isClosing = match[1] === '/';
    if (isClosing && depth === 0) continue;
    if (!isClosing && depth === 0) {
      kept.add(text.slice(from, match.index));
      count++;
    }
    depth += isClosing ? -1 : 1;
    from = match.index + match[0].length;
  }
  if (count === 0) return { text, count };
  if (depth === 0) kept.add(text.slice(from));
  return { text: kept.text(), count };
}

/**
 * Pieces one after the other, with one blank where there was one on either side. Each is looked at once: to look at the end of the text
 * so far for each of 50,000 parts takes seconds.
 */
class KeptText {
  readonly #pieces: string[] = [];
  #endsWithBlank = false;

  add(piece: string): void {
    const rest = this.#endsWithBlank && isBlank(piece[0]) ? piece.slice(1) : piece;
    if (rest === '') return;
    this.#pieces.push(rest);
    this.#endsWithBlank = isBlank(rest.at(-1));
  }

  text(): string {
    return this.#pieces.join('');
  }
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
