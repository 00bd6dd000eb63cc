import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Candidate } from './evidence.ts';
import { askedValue, hasOtherValue, putsAside, readStatement } from './other-value.ts';
import type { Question } from './question.ts';

/** Words that tell a change. */
const SAYS_OTHERWISE =
  /\b(?:now|instead|no longer|any ?more|in place of|replac(?:es?|ed|ing)|moved? to|switch(?:ed|es)? (?:to|over)|chang(?:ed?|es|ing)|updat(?:ed?|es)|correct(?:ed|ion)|revis(?:ed|ion)|postponed|put off|brought forward|extend(?:ed|s)?|rais(?:ed|es)|lower(?:ed|s)|increas(?:ed|es)|decreas(?:ed|es)|improved|renamed|goes? back|went back|as of|from (?:today|now on|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)|since (?:this|today|yesterday)|recently|latest|is history|cancel(?:led|ed)|final(?:ly)?|so far)\b|, not \b/i;
/**
 * The least cosine of the two statements: where the newer one tells of a change or has another value, and where it says that the
 * older one holds no more. Static vectors are closer to each other; without vectors nothing can tell.
 */
const ALIKE: Readonly<Record<ModelKind, { readonly changed: number; readonly putAside: number }>> = {
  contextual: { changed: 0.5, putAside: 0.4 },
  static: { changed: 0.6, putAside: 0.5 },
  none: { changed: Number.POSITIVE_INFINITY, putAside: Number.POSITIVE_INFINITY },
};
/**
 * How much lower the score of the newer statement may be, because the older one names the subject in full; the least share of the
 * cosine with the question that the older one has; and the last place from which it is lifted. Chosen in coarse steps on five data
 * sets; docs/benchmarks.md, "Recall".
 */
const GAP = 1;
const SHARE_OF_COSINE = 0.7;
const PLACES = 10;
/** The most words of a statement; a longer text holds a word of change or another value by chance. */
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
 * Finds, for a question about the present, the statement that seems to replace the best one: the newest of those that are similar
 * and tell of a change, have another value of the kind that is asked for, or name the older value as one that holds no more. It
 * should stand just before the best one; it hides nothing. People do many things of a kind, so a question that names a speaker has
 * no such statement.
 * @param ranked best first
 * @returns its place; null where there is none
 */
export function newerStatement(
  question: Question,
  ranked: readonly Ranked[],
  { likeness, model }: { likeness: (a: Candidate, b: Candidate) => number; model: ModelKind },
): number | null {
  const [best] = ranked;
  if (!question.asksPresent || question.speaker !== null || !best || isLong(best)) return null;
  const asked = askedValue(question.text);
  const older = best.candidate.evidence;
  const known = readStatement(best.text.slice(0, LOOKED_AT));
  let found: number | null = null;
  let newest = older.createdAt;
  for (let place = 1; place < Math.min(PLACES, ranked.length); place++) {
    const one = ranked[place] as Ranked;
    const { createdAt, cosine } = one.candidate.evidence;
    if (best.fused - one.fused > GAP) break;
    if (createdAt <= newest || isLong(one) || cosine < SHARE_OF_COSINE * older.cosine) continue;
    const alike = likeness(best.candidate, one.candidate);
    if (alike < ALIKE[model].putAside) continue;
    const text = one.text.slice(0, LOOKED_AT);
    const said = readStatement(text);
    const isChanged = alike >= ALIKE[model].changed && (SAYS_OTHERWISE.test(text) || hasOtherValue(asked, known, said));
    if (!isChanged && !putsAside(known, said)) continue;
    found = place;
    newest = createdAt;
  }
  return found;
}

function isLong({ candidate }: Ranked): boolean {
  return candidate.evidence.words > MOST_WORDS;
}
