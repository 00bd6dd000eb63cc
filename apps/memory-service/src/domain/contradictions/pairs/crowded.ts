import type { Statement } from '../statements/statement.ts';
import type { StatementPair } from './statement-pair.ts';

/** As many other texts near by have the words in common of a pair and say something else: these words are no one thing. */
const CROWD = { ofOneWord: 2, ofMore: 3 };
/** The words that neither side has, from which on a text says something else. */
const SAYS_ELSE = 2;

/**
 * A pair of which others near by have all words in common: "Jonas is here" and "Let Jonas help", where many speak of Jonas. Two statements
 * that say the same but for the clash have one subject all the same, and what clashes beside two words in common mostly has.
 * @param near the statements of other memories near either side
 */
export function asOneOfCrowd(pair: StatementPair, near: readonly Statement[]): StatementPair {
  return !pair.isPlain && isCrowded(pair, near) ? { ...pair, vetoes: [...pair.vetoes, 'crowded'] } : pair;
}

function isCrowded({ a, b, overlap: { shared }, clash }: StatementPair, near: readonly Statement[]): boolean {
  const isOneWord = shared.length === 1;
  if (shared.length === 0 || (clash !== null && !isOneWord)) return false;
  const texts = new Set<string>();
  for (const { text, extent, terms } of near) {
    if (extent === 'part' || extent === 'property' || !shared.every((stem) => terms.has(stem))) continue;
    const others = [...terms.keys()].filter((stem) => !a.terms.has(stem) && !b.terms.has(stem));
    if (others.length >= SAYS_ELSE) texts.add(text);
  }
  return texts.size >= (isOneWord ? CROWD.ofOneWord : CROWD.ofMore);
}
