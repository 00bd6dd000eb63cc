import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Candidate } from './evidence.ts';
import type { Question } from './question.ts';

/** Words that tell a change. */
const SAYS_OTHERWISE =
  /\b(?:now|instead|no longer|any ?more|in place of|replac(?:es?|ed|ing)|moved? to|switch(?:ed|es)? (?:to|over)|chang(?:ed?|es|ing)|updat(?:ed?|es)|correct(?:ed|ion)|revis(?:ed|ion)|postponed|put off|brought forward|extend(?:ed|s)?|rais(?:ed|es)|lower(?:ed|s)|increas(?:ed|es)|decreas(?:ed|es)|improved|renamed|goes? back|went back|as of|from (?:today|now on|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)|since (?:this|today|yesterday)|recently|latest|is history|cancel(?:led|ed)|final(?:ly)?|so far)\b|, not \b/i;
/** The least cosine of the two statements. Static vectors are closer to each other; without vectors nothing can tell. */
const ALIKE: Readonly<Record<ModelKind, number>> = { contextual: 0.4, static: 0.6, none: Number.POSITIVE_INFINITY };
/**
 * How much lower the score of the newer statement may be, because the older one names the subject in full; and the last place from
 * which it is lifted. Chosen in coarse steps on four data sets; docs/benchmarks.md, "Recall".
 */
const GAP = 0.8;
const PLACES = 5;
/** The most words of the newer statement; a longer text holds a word of change by chance. */
const MOST_WORDS = 120;
/** More characters than that many words have; a text without blanks may be longer. */
const LOOKED_AT = 2_000;

/** A candidate with its place in a ranking. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly fused: number;
  readonly text: string;
}

/**
 * Finds, for a question about the present, the statement that seems to replace the best one: newer, similar, and telling a change.
 * It should stand just before the best one; it hides nothing.
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
