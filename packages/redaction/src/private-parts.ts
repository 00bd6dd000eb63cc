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
  let kept = '';
  let from = 0;
  let depth = 0;
  let count = 0;
  for (const match of text.matchAll(TAG)) {
    const isClosing = match[1] === '/';
    if (isClosing && depth === 0) continue;
    if (!isClosing && depth === 0) {
      kept = joined(kept, text.slice(from, match.index));
      count++;
    }
    depth += isClosing ? -1 : 1;
    from = match.index + match[0].length;
  }
  if (count === 0) return { text, count };
  return { text: depth > 0 ? kept : joined(kept, text.slice(from)), count };
}

/** One blank where there was one on either side. */
function joined(before: string, after: string): string {
  return /[ \t]$/.test(before) && /^[ \t]/.test(after) ? before + after.slice(1) : before + after;
}
