import type { ModelKind } from '../embedding/text-embedding.ts';
import { otherSubjects } from '../text/other-subject.ts';
import { type Word, wordsOf } from '../text/words.ts';
import type { Candidate } from './evidence.ts';
import { askedValue, hasOtherValue, hasOtherValueOfIt, putsAside, readStatement, valuesOfIt } from './other-value.ts';
import type { Question } from './question.ts';

/** Words that tell a change. */
const SAYS_OTHERWISE =
  /\b(?:now|instead|no longer|any ?more|in place of|replac(?:es?|ed|ing)|moved? to|switch(?:ed|es)? (?:to|over)|chang(?:ed?|es|ing)|updat(?:ed?|es)|correct(?:ed|ion)|revis(?:ed|ion)|postponed|put off|brought forward|extend(?:ed|s)?|rais(?:ed|es)|lower(?:ed|s)|increas(?:ed|es)|decreas(?:ed|es)|improved|renamed|goes? back|went back|as of|from (?:today|now on|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)|since (?:this|today|yesterday)|recently|latest|is history|cancel(?:led|ed)|final(?:ly)?|so far)\b|, not \b/i;
/** The least cosine at which the newer of two statements may replace the older, by what tells so. */
interface Alike {
  /** It has another value of the same thing. */
  readonly sameThing: number;
  /** It says that the older one holds no more. */
  readonly putAside: number;
  /** It tells of a change, has another value of the kind that is asked for, or fits the question just as well. */
  readonly changed: number;
}
/** Static vectors are closer to each other; without vectors nothing can tell. */
const ALIKE: Readonly<Record<ModelKind, Alike>> = {
  contextual: { sameThing: 0.2, putAside: 0.4, changed: 0.5 },
  static: { sameThing: 0.3, putAside: 0.5, changed: 0.6 },
  none: { sameThing: Number.POSITIVE_INFINITY, putAside: Number.POSITIVE_INFINITY, changed: Number.POSITIVE_INFINITY },
};
/**
 * How much lower the score of the newer statement may be, because the older one names the subject in full; how much lower it is at
 * most where both fit just as well; the least share of the cosine with the question that the older one has, where both have a value
 * of the same thing and elsewhere; and the last place from which it is lifted. Chosen in coarse steps on five data sets;
 * docs/benchmarks/recall.md.
 */
const GAP = 1;
const SAME_FIT = 0.1;
const SHARE_OF_COSINE = { sameThing: 0.6, else: 0.7 };
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

/** How sure it is that one statement replaces another. */
const SURENESS = { sameThing: 3, putAside: 2, changed: 1, none: 0 };

/**
 * Finds, for a question about the present, the statement that seems to replace the best one: of those that do so most surely the
 * newest. It should stand just before the best one; it hides nothing. People do many things of a kind, so a question that names a
 * speaker has no such statement.
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
  const surenessOf = comparison(question.text, best, ALIKE[model]);
  const older = best.candidate.evidence;
  let found: number | null = null;
  let surest: number = SURENESS.none;
  let newest = older.createdAt;
  for (let place = 1; place < Math.min(PLACES, ranked.length); place++) {
    const one = ranked[place] as Ranked;
    const { createdAt } = one.candidate.evidence;
    if (best.fused - one.fused > GAP) break;
    // Of the surest only a newer one can take the place.
    if (createdAt <= (surest === SURENESS.sameThing ? newest : older.createdAt) || isLong(one)) continue;
    const sureness = surenessOf(one, likeness(best.candidate, one.candidate));
    if (sureness === SURENESS.none || sureness < surest || (sureness === surest && createdAt <= newest)) continue;
    found = place;
    surest = sureness;
    newest = createdAt;
  }
  return found;
}

/** Tells how sure it is that a newer statement replaces the best one, from what both say and their cosine. */
function comparison(question: string, best: Ranked, least: Alike): (newer: Ranked, alike: number) => number {
  const asked = askedValue(question);
  const subject = new Set(wordsOf(question).flatMap(({ isContent, stem }) => (isContent ? stem : [])));
  const older = readStatement(best.text.slice(0, LOOKED_AT));
  const held = valuesOfIt(asked, subject, older);
  return ({ text, fused, candidate }, alike) => {
    const isClose = (share: number) => candidate.evidence.cosine >= share * best.candidate.evidence.cosine;
    const mayHaveOther = held.length > 0 && alike >= least.sameThing && isClose(SHARE_OF_COSINE.sameThing);
    const mayBeNewer = alike >= least.putAside && isClose(SHARE_OF_COSINE.else);
    // Reading a statement costs more than all else here.
    if (!mayHaveOther && !mayBeNewer) return SURENESS.none;
    const said = text.slice(0, LOOKED_AT);
    const newer = readStatement(said);
    if (isOfOtherSubject(subject, older.words, newer.words)) return SURENESS.none;
    if (mayHaveOther && hasOtherValueOfIt(asked, subject, { older, newer })) return SURENESS.sameThing;
    if (!mayBeNewer) return SURENESS.none;
    if (putsAside(older, newer)) return SURENESS.putAside;
    if (alike < least.changed) return SURENESS.none;
    // Of two answers that fit alike and have no value to compare, such as names, the newer one holds.
    if (asked === 'other' && best.fused - fused <= SAME_FIT) return SURENESS.putAside;
    return SAYS_OTHERWISE.test(said) || hasOtherValue(asked, older, newer) ? SURENESS.changed : SURENESS.none;
  };
}

/** Whether the newer statement says of another subject what the older one says of the one that is asked for. */
function isOfOtherSubject(asked: ReadonlySet<string>, older: readonly Word[], newer: readonly Word[]): boolean {
  return otherSubjects(older, newer)?.a.every(({ stem }) => asked.has(stem)) ?? false;
}

function isLong({ candidate }: Ranked): boolean {
  return candidate.evidence.words > MOST_WORDS;
}
