import { termsOf } from '../../text/words/terms.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';
import type { SpeakerNames } from './speaker-names.ts';
import { isSpelledLikeKnown, type Vocabulary } from './spelling.ts';

interface Known {
  readonly speakers: Pick<SpeakerNames, 'hasOneCalled'>;
  readonly vocabulary: Vocabulary;
  /** Names of projects, which their memories need not say. */
  readonly projects: readonly string[];
}

/** Characters in which names are looked for; a longer query has enough other words. */
const LOOKED_AT = 500;
/** A shorter name may be a short form: "Mel", "Jo". */
const LEAST_LETTERS = 3;
/** A capital and small letters. Of capitals alone are abbreviations, which a store may have in full. */
const AS_A_NAME = /^\p{Lu}\p{M}*\p{Ll}[\p{Ll}\p{M}]*(?:[-'’]\p{L}[\p{L}\p{M}]*)*$/u;
/** What stands before the subject of a question: "did Ann", "Ann and Bo", "a present for Ann"; but places stand behind "to" and "from". */
const BEFORE_A_SUBJECT =
  /\b(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|should|may|might|and|or|about|for|of|with|by|at|when|where|what)\s+$/i;
const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const OWNS = /^['’]s?(?![\p{L}\p{N}])/u;
/** Shorter names are a slip away from many words: "Nate" from "late". */
const LETTERS_OF_A_SLIP = 6;
/** Letters that a known word may lack at the end: "Postgres" of PostgreSQL. */
const ENDING = 4;

/**
 * Whether a question is about somebody or something of whom the store has never heard: it names a subject that no visible memory has and
 * no speaker is called by, not even by a slip or a short form, and nothing else that it names is known.
 * Source: docs/benchmarks/recall.md, "Silence".
 */
export function isAboutStrangers(query: string, known: Known): boolean {
  const text = query.slice(0, LOOKED_AT);
  const words = wordsOf(text);
  const names = words.filter(({ isName }) => isName);
  const subjects = words.filter((word) => isInPlaceOfSubject(text, word));
  if (subjects.length === 0 || isTitle(words)) return false;
  const others = names.filter((name) => !subjects.includes(name));
  return !subjects.some((name) => isHeardOf(name, known)) && !others.some((name) => isKnown(name, known));
}

function isInPlaceOfSubject(text: string, { text: word, start, end, isName, isContent }: Word): boolean {
  if (word.length < LEAST_LETTERS || !AS_A_NAME.test(word) || !isContent) return false;
  if (OWNS.test(text.slice(end))) return true;
  return isName && BEFORE_A_SUBJECT.test(text.slice(0, start));
}

/** "What Does The Deploy Need": where function words have capitals, capitals say nothing. */
function isTitle(words: readonly Word[]): boolean {
  return words.some(({ text, startsSentence, isContent }) => !startsSentence && !isContent && CAPITALISED.test(text));
}

function isHeardOf(name: Word, known: Known): boolean {
  const { lower } = name;
  return isKnown(name, known) || (lower.length >= LETTERS_OF_A_SLIP && isSpelledLikeKnown(lower, known.vocabulary));
}

function isKnown({ text, lower }: Word, { speakers, vocabulary, projects }: Known): boolean {
  if (speakers.hasOneCalled(lower) || projects.some((project) => plain(project).includes(plain(lower)))) return true;
  const least = Math.max(ENDING, lower.length - ENDING);
  const beginnings = Array.from({ length: Math.max(0, lower.length - least) }, (_, cut) =>
    lower.slice(0, lower.length - cut - 1),
  );
  return [...termsOf(text), ...beginnings.flatMap(termsOf)].some((term) => vocabulary.memoriesWith(term) > 0);
}

/** "web-shop" for "WebShop". */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
