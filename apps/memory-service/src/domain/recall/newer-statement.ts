import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Candidate } from './evidence.ts';
import type { Question } from './question.ts';

/** What is said where something is said to be otherwise than before. */
const SAYS_OTHERWISE =
  /\b(?:now|instead|no longer|any ?more|in place of|replac(?:es?|ed|ing)|moved? to|switch(?:ed|es)? (?:to|over)|chang(?:ed?|es|ing)|updat(?:ed?|es)|correct(?:ed|ion)|revis(?:ed|ion)|postponed|put off|brought forward|extend(?:ed|s)?|rais(?:ed|es)|lower(?:ed|s)|increas(?:ed|es)|decreas(?:ed|es)|improved|renamed|goes? back|went back|as of|from (?:today|now on|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)|since (?:this|today|yesterday)|recently|latest|is history|cancel(?:led|ed)|final(?:ly)?|so far)\b|, not \b/i;
/** How alike in meaning the two are, at least. Static vectors are closer to each other; without any, nothing tells. */
const ALIKE: Readonly<Record<ModelKind, number>> = { contextual: 0.4, static: 0.6, none: Number.POSITIVE_INFINITY };
/**
 * How much less the newer may fit the question, whose subject the older names in full; and from which place it is lifted.
 * Coarse steps over four sets; docs/benchmarks.md, "Recall".
 */
const GAP = 0.8;
const PLACES = 5;
/** A longer text holds a word of change by chance. */
const MOST_WORDS = 120;
/** Characters that so many words have, and some; a text without blanks may have more. */
const LOOKED_AT = 2_000;

/** A candidate with its place in a ranking. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly fused: number;
  readonly text: string;
}

/**
 * Of what a question about the present brings, the statement that seems to replace the best one: newer, like it, and saying
 * that something is otherwise now. It is meant to stand just before the other; nothing is hidden by it.
 * @param ranked best first
 * @returns its place; null where there is none
 */
export function newerStatement(
  question: Question,
  ranked: readonly Ranked[],
  { likeness, model }: { likeness: (a: Candidate, b: Candidate) => number; model: ModelKind },
): number | null {
  const [best] = ranked;
  if (!question.asksPresent || !best || best.candidate.evidence.words > MOST_WORDS) return null;
  let found: number | null = null;
  for (let place = 1; place < Math.min(PLACES, ranked.length); place++) {
    const { candidate, fused, text } = ranked[place] as Ranked;
    const { createdAt, words } = candidate.evidence;
    if (best.fused - fused > GAP) break;
    if (createdAt <= best.candidate.evidence.createdAt || words > MOST_WORDS) continue;
    if (found !== null && createdAt <= (ranked[found] as Ranked).candidate.evidence.createdAt) continue;
    if (likeness(best.candidate, candidate) >= ALIKE[model] && SAYS_OTHERWISE.test(text.slice(0, LOOKED_AT)))
      found = place;
  }
  return found;
}
