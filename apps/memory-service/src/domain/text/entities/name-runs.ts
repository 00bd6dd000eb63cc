import type { EntityType } from '../../memory/memory.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import type { EntityWord } from './entity-words.ts';
import {
  CONNECTORS,
  NEVER_NAMES,
  OPENERS,
  ORGANISATION_WORDS,
  PERSON_TITLES,
  PERSON_VERBS,
  PLACE_ENDINGS,
  PLACE_STARTS,
  PROJECT_WORDS,
  TO_PERSONS,
} from './name-words.ts';

/** The most words of a name: "University of California at Santa Cruz". */
const MOST_NAME_WORDS = 6;
/** A text of at least this many words in capitals, and more than half in capitals, is shouted. */
const LEAST_SHOUTED = 4;
/** A text with at least this many capitalised function words inside sentences is a headline. */
const LEAST_TITLED = 2;

/** A capital and then letters of any case, also with joints: O'Brien, Jean-Luc, AT&T, C++. */
const NAME_WORD = /^\p{Lu}[\p{L}\p{M}\p{N}]*(?:['’&.+-][\p{L}\p{M}\p{N}]+)*\+*$/u;
const CONTRACTION = /['’](?:m|re|ve|ll|d|t)$/i;
const INITIALS = /^(?:\p{Lu}\.?)+$/u;
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}&.+-]{0,6}[\p{Lu}\p{N}+]s?$/u;
/** Mixed case, as in PostgreSQL and GitHub, which no ordinary word has. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const CAPITALS_ONLY = /^\p{Lu}{2,}$/u;
const CAPITAL = /^\p{Lu}/u;

/** Neighbouring words that look like one name. */
export interface NameRun {
  readonly name: string;
  /** Index of the first word. */
  readonly start: number;
  readonly type: EntityType;
  /** False where the capital may only mark the start of a sentence. */
  readonly isCertain: boolean;
}

/** The runs of capitalised words that may be names; none in shouted texts and headlines, where capitals mean nothing. */
export function nameRuns(words: readonly EntityWord[]): NameRun[] {
  const runs: NameRun[] = [];
  if (meansNothing(words)) return runs;
  for (let at = 0; at < words.length; at++) {
    if (!startsName(words, at)) continue;
    const end = endOfRun(words, at);
    const start = withoutOpeners(words, at, end);
    if (start < end) runs.push(readRun(words, start, end));
    at = end - 1;
  }
  return runs;
}

function readRun(words: readonly EntityWord[], start: number, end: number): NameRun {
  const run = words.slice(start, end);
  const [first] = run as [EntityWord];
  const after = words[end - 1]?.joinsNext ? words[end]?.lower : undefined;
  const before = first.startsSentence ? undefined : words[start - 1]?.lower;
  const type = typeOf(run, { before, after });
  const isCertain =
    run.length > 1 ||
    !first.startsSentence ||
    ACRONYM.test(first.text) ||
    INNER_CAPITAL.test(first.text) ||
    (type === 'person' && !first.lower.endsWith('ing'));
  return { name: run.map((word) => word.text).join(' '), start, type, isCertain };
}

function startsName(words: readonly EntityWord[], at: number): boolean {
  const word = words[at];
  return isNameWord(word) || (word !== undefined && isInitial(word) && isNameWord(words[at + 1]));
}

function isNameWord(word: EntityWord | undefined): boolean {
  if (!word || word.entity || word.text === word.lower || !NAME_WORD.test(word.text)) return false;
  if (word.text.length === 1 || CONTRACTION.test(word.text)) return false;
  return !NEVER_NAMES.has(word.lower) && !STOP_WORDS.has(word.lower);
}

function endOfRun(words: readonly EntityWord[], start: number): number {
  let end = start + 1;
  while (end - start < MOST_NAME_WORDS && words[end - 1]?.joinsNext) {
    const next = words[end];
    if (next?.startsSentence) break;
    if (isNameWord(next) || (next && isInitial(next))) end++;
    else if (ACRONYM.test(words[end - 1]?.text ?? ''))
      break; // the CTO of Initech
    else if (next && CONNECTORS.has(next.lower) && next.joinsNext && isNameWord(words[end + 1])) end += 2;
    else break;
  }
  return end;
}

/** "Ask Dana Smith" without "Ask". */
function withoutOpeners(words: readonly EntityWord[], start: number, end: number): number {
  let from = start;
  if (words[from]?.startsSentence) while (from < end && isOpener(words[from]?.lower ?? '', end - from)) from++;
  // "Ask of Dana" leaves no connector in front.
  while (from < end && !CAPITAL.test(words[from]?.text ?? '')) from++;
  return from;
}

/** Any word in "-ing" is an opener before a name: "Seeing Maria". */
function isOpener(lower: string, wordsLeft: number): boolean {
  return OPENERS.has(lower) || (wordsLeft > 1 && lower.endsWith('ing'));
}

function isInitial({ text }: EntityWord): boolean {
  return INITIALS.test(text) && text.endsWith('.');
}

function typeOf(
  run: readonly EntityWord[],
  { before, after }: { before: string | undefined; after: string | undefined },
): EntityType {
  if (run.some((word) => ORGANISATION_WORDS.has(word.lower))) return 'organisation';
  if (run.length > 1 && (PLACE_ENDINGS.has(run.at(-1)?.lower ?? '') || PLACE_STARTS.has(run[0]?.lower ?? '')))
    return 'place';
  const isPerson = PERSON_TITLES.has(before ?? '') || TO_PERSONS.has(before ?? '') || PERSON_VERBS.has(after ?? '');
  if (isPerson) return 'person';
  const isProject = PROJECT_WORDS.has(before ?? '') || PROJECT_WORDS.has(after ?? '');
  return isProject || PROJECT_WORDS.has(run.at(-1)?.lower ?? '') ? 'project' : 'other';
}

function meansNothing(words: readonly EntityWord[]): boolean {
  let cased = 0;
  let shouted = 0;
  let titled = 0;
  let untitled = 0;
  for (const word of words) {
    if (word.entity || word.text.length < 2) continue;
    cased++;
    if (word.text === word.lower) {
      if (STOP_WORDS.has(word.lower)) untitled++;
    } else if (CAPITALS_ONLY.test(word.text)) shouted++;
    else if (!word.startsSentence && STOP_WORDS.has(word.lower)) titled++;
  }
  return (shouted >= LEAST_SHOUTED && shouted * 2 > cased) || (titled >= LEAST_TITLED && titled > untitled);
}
