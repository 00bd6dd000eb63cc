import { termOfWord } from '../../text/words/terms.ts';
import type { SpeakerNames } from './speaker-names.ts';

/** Tells which words are right. */
export interface Vocabulary {
  /** How many memories that the caller sees have this term. */
  memoriesWith(term: string): number;
  /** Whether common English has it: such a word is right, even where no memory has it. */
  isCommon(term: string): boolean;
}

/** A word in lower case by itself: no name, and no part of an identifier, a path, an address or code: `word`, $word, word(), word=1. */
const WORD =
  /(?<![\p{L}\p{M}\p{N}_'’./@#\\:`$%&<={-])[a-z]{5,20}(?![\p{L}\p{M}\p{N}_'’/@\\`%=([>}-]|[.:][\p{L}\p{N}])/gu;
/** A longer query has enough other words, and is not corrected. */
const MOST_CHARACTERS = 500;
/** Where more words are unknown, the query is in another language, or of something else than the memories. */
const MOST_UNKNOWN = 3;
/** Makes a rare word of a common one: "earthy", "beamer". */
const DERIVING = /(?:er|y|ish|ful|less)$/;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The query with words that no memory has put right: of the words that are one letter, or one swap of neighbouring letters away,
 * the one that most memories have, the likelier slip of equal ones. The first letter is taken to be right.
 * Source: docs/benchmarks/recall.md, "Misspelt words".
 * @complexity O(letters) words are compared for each unknown word: some 400, about a millisecond
 */
export function respelt(
  query: string,
  { speakers, vocabulary }: { speakers: SpeakerNames; vocabulary: Vocabulary },
): string {
  if (query.length > MOST_CHARACTERS) return query;
  const isKnown = (word: string) => {
    const term = termOfWord(word);
    // Whether a word is common is told at once; memories are counted.
    return (
      term === null || isOrdinary(word, vocabulary) || vocabulary.memoriesWith(term) > 0 || speakers.find(word) !== null
    );
  };
  const unknown = new Set((query.match(WORD) ?? []).filter((word) => !isKnown(word)));
  if (unknown.size === 0 || unknown.size > MOST_UNKNOWN) return query;
  return query.replace(WORD, (word) => (unknown.has(word) ? nearestTo(word, vocabulary) : word));
}

/** Whether a memory has a word that is one slip away from this one, in lower case. */
export function isSpelledLikeKnown(word: string, vocabulary: Vocabulary): boolean {
  return nearestTo(word, vocabulary) !== word;
}

function isOrdinary(word: string, { isCommon }: Vocabulary): boolean {
  const terms = [termOfWord(word), termOfWord(word.replace(DERIVING, ''))];
  return terms.some((term) => term !== null && isCommon(term));
}

/** The word itself where no memory has one near it. */
function nearestTo(word: string, { memoriesWith }: Vocabulary): string {
  let nearest = word;
  let most = 0;
  for (const other of oneAwayFrom(word)) {
    const term = termOfWord(other);
    const memories = term === null ? 0 : memoriesWith(term);
    if (memories <= most) continue;
    nearest = other;
    most = memories;
  }
  return nearest;
}

/** All that one slip behind the first letter makes of a word: neighbours swapped, a letter left out, put in, replaced; the likelier first. */
function* oneAwayFrom(word: string): Generator<string, void> {
  const cuts = Array.from(word, (_, at) => ({
    before: word.slice(0, at),
    letter: word[at],
    after: word.slice(at + 1),
  })).slice(1);
  for (const { before, letter, after } of cuts) if (after !== '') yield before + after[0] + letter + after.slice(1);
  for (const { before, after } of cuts) yield before + after;
  for (const put of LETTERS) {
    for (const { before, letter, after } of cuts) yield before + put + letter + after;
    yield word + put;
  }
  for (const put of LETTERS) for (const { before, after } of cuts) yield before + put + after;
}
