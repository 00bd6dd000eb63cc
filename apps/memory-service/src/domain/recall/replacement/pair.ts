import { toldPart } from '../../text/sentences/told-part.ts';
import type { Candidate } from '../evidence/evidence.ts';
import type { Thread } from './verdict.ts';

/**
 * How much lower the score of the newer statement may be, because the older one names the subject in full; and how close it is at least
 * to the older one (their cosine) and to the question (its share of the older one's cosine with it) together. Chosen in coarse steps on
 * six data sets; docs/benchmarks/recall.md.
 */
interface Reach {
  readonly gap: number;
  readonly close: number;
}
const REACH: Reach = { gap: 1, close: 1 };
/** Of a statement of change, which often does not name the subject, and of two that are very much alike. */
const WIDE_REACH: Reach = { gap: 2.5, close: 0.6 };

/** The most words of a statement; a longer text has another value by chance. */
const MOST_WORDS = 120;
/** Characters that are read: more than MOST_WORDS words have. A text without blanks may be longer. */
export const LOOKED_AT = 2_000;

/** A candidate with its place in a ranking. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly fused: number;
  /** The score without what it gains as a reply or a later mention. */
  readonly unlifted: number;
  readonly text: string;
  /** The answer that is the best by its evidence, where this one was said later and takes up what that tells by a name or rare words. */
  readonly takesUp: { readonly candidate: Candidate; readonly isNamed: boolean; readonly isOfChange: boolean } | null;
  /** The thread in which this one may be the verdict on what is among the best too; null where it is none. */
  readonly verdictIn: Thread | null;
}

/** Two ranked statements, of which the newer one may replace the older one. */
export interface Pair {
  readonly older: Ranked;
  readonly newer: Ranked;
  /** Their cosine. */
  readonly alike: number;
  /** Whether the older one is the best answer. */
  readonly isBest: boolean;
  /** Whether of all answers that were said later the newer one is the most alike to it. */
  readonly isNearest: boolean;
  /** The cosine of the older one with the proposal on which the newer one is the verdict; 0 where it is none. */
  readonly proposalAlike: number;
}

/** Whether a newer statement may replace an older one at all, as far as the figures of both tell; it needs no reading. */
export function mayReplace(pair: Pair): boolean {
  // Where the question names a speaker, somebody else may mean an hour of their own.
  const isOfOtherSpeaker = pair.newer.candidate.evidence.speaker < pair.older.candidate.evidence.speaker;
  return isWithin(WIDE_REACH, pair) && isShorter(pair, MOST_WORDS) && !isOfOtherSpeaker;
}

/** Whether the newer one fits the question and the older one as closely as one that names the subject in full. */
export function fitsClosely(pair: Pair): boolean {
  return isWithin(REACH, pair);
}

/** What a statement tells; '' of a question that tells nothing. */
export function toldBy({ text, candidate }: Ranked): string {
  const looked = text.slice(0, LOOKED_AT);
  return candidate.evidence.isQuestion ? toldPart(looked) : looked;
}

function isWithin({ gap, close }: Reach, pair: Pair): boolean {
  const { older, newer, alike } = pair;
  const least = (close - alike) * older.candidate.evidence.cosine;
  // The cosine is 0 where one of them has no vector yet.
  return alike > 0 && gapOf(pair) <= gap && newer.candidate.evidence.cosine >= least;
}

/** How much lower the score of the newer one is. */
export function gapOf({ older, newer }: Pair): number {
  return older.unlifted - newer.unlifted;
}

/** Whether neither of them has more words. */
export function isShorter({ older, newer }: Pair, words: number): boolean {
  return Math.max(older.candidate.evidence.words, newer.candidate.evidence.words) <= words;
}
