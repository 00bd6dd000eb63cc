import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { stemmer } from 'stemmer';
import { MONTHS, WEEKDAYS } from './calendar.ts';
import { isAscii } from './is-ascii.ts';
import { normalForm } from './normal-form.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Letters of a term at most: beyond, a run is no word (base64, a script without blanks) and only its start counts. */
const TERM_LETTERS = 64;
/**
 * Terms of a text at most: more than 200,000 characters of English have, so that only Chinese and the like of more than
 * 15,000 characters is cut; it would hold everybody up for a second. The vectors of its chunks still stand for the rest.
 */
const TERMS = 30_000;
/** Words remembered with their terms: taking one apart costs about 1 µs, and words repeat. */
const WORDS_REMEMBERED = 50_000;
/** Characters of a text at most, after compatibility forms are written out: one may become eighteen. */
const CHARACTERS = 400_000;
/** Characters read at once: at most a few milliseconds, and no more compatibility forms are written out than are looked at. */
const STRETCH = 16_384;
/** Characters at the end of a stretch among which the end of a word is looked for; longer words are data. */
const LOOKED_BACK = 512;
const FIRST_BEYOND_ASCII = 0x80;

/** What the words of a text look like, with the joints of identifiers, paths and versions: foo-bar, a/b.ts, v1.2.3, #12. */
const WORD = /[#@]?[a-z0-9_]+(?:(?:'|[-./:@\\]+)[a-z0-9_]+)*/gi;
const WORD_OF_ANY_SCRIPT =
  /[#@]?[\p{L}\p{N}\p{M}_]+(?:(?:'|[-./:@\\]+)[\p{L}\p{N}\p{M}_]+)*|\p{Extended_Pictographic}/gu;
/** What neither pattern has but for pictures, which stand by themselves. */
const OUTSIDE_WORDS = /[^\p{L}\p{N}\p{M}_#@'./:\\-]/u;
const MARKS_ON_LETTERS = /[\u0300-\u036f]/g;
const QUOTES = /[\u2018\u2019\u02bc]/g;
/** Scripts that put no blank between words. */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u;
const HAN = /\p{Script=Han}/u;
const JOINTS = /[-./:@\\_#]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const CLITIC = /'(?:s|re|ve|ll|m|d)$/;
const NEGATION = /n't$/;
const PLAIN_WORD = /^[a-z]{3,32}$/;
const SHORT_NUMBER = /^\d{1,2}$/;

/** Short forms that are hardly ever another word: "21 Nov" is the 21 November. Jan is a name, and mar, sat and sun are words. */
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map(
  'feb apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri'.split(' ').map((short) => {
    const full = [...MONTHS, ...WEEKDAYS].find((name) => name.startsWith(short)) as string;
    return [short, full];
  }),
);

const remembered = new Map<string, readonly string[]>();

/**
 * The terms of a text in order, repeats included: lower case, without marks on letters, English endings and stop words.
 * An identifier gives itself and its parts. Scripts without blanks give each pair of neighbouring characters (and each
 * Chinese character), so that any of their words is found.
 * @complexity O(characters), about 0.2 µs each
 */
export function termsOf(text: string): string[] {
  return atOnce(termsInSteps(text));
}

/** What `termsOf` gives, in steps. */
export function* termsInSteps(text: string): Steps<string[]> {
  const terms: string[] = [];
  for (const some of someTermsAfterOthers(text)) {
    for (const term of some) terms.push(term);
    yield;
  }
  return terms;
}

/** The first of these that differ, `most` of them, in steps; no more of the text is read than that takes. */
export function* distinctTermsInSteps(text: string, { most = Number.POSITIVE_INFINITY } = {}): Steps<string[]> {
  const terms = new Set<string>();
  for (const some of someTermsAfterOthers(text)) {
    for (const term of some) terms.add(term);
    if (terms.size >= most) break;
    yield;
  }
  return [...terms].slice(0, most);
}

/** The term of a word in lower-case letters; null where it tells no subject. */
export function termOfWord(word: string): string | null {
  return STOP_WORDS.has(word) ? null : stemOf(word);
}

function* someTermsAfterOthers(text: string): Generator<readonly string[], void> {
  const pattern = isAscii(text) ? WORD : WORD_OF_ANY_SCRIPT;
  // What was not taken apart yet, because what follows may go on with its last word.
  let open = '';
  let characters = 0;
  let room = TERMS;
  for (let start = 0; start < text.length && characters < CHARACTERS && room > 0; ) {
    const end = endOfStretch(text, start);
    let plain = text.slice(start, end);
    if (pattern !== WORD) {
      plain = normalForm(plain, 'NFKD').replace(MARKS_ON_LETTERS, '');
      yield [];
      plain = normalForm(plain, 'NFKC')
        .replace(QUOTES, "'")
        .slice(0, CHARACTERS - characters);
    }
    start = end;
    characters += plain.length;
    const isLast = start === text.length || characters >= CHARACTERS;
    const settled = isLast ? plain.length : settledEnd(plain);
    const words = settled > 0 ? (open + plain.slice(0, settled)).match(pattern) : null;
    open = (settled > 0 ? '' : open) + plain.slice(settled);
    const terms = termsInWords(words ?? [], room);
    room -= terms.length;
    yield terms;
  }
}

/** The last word may have more than there is room for. */
function termsInWords(words: readonly string[], room: number): string[] {
  const terms: string[] = [];
  for (const word of words) {
    if (terms.length >= room) break;
    let found = remembered.get(word);
    if (found === undefined) {
      found = termsInWord(word.slice(0, TERMS / 2));
      if (word.length <= TERM_LETTERS) remember(word, found);
    }
    for (const term of found) terms.push(term);
  }
  return terms;
}

/** Up to where nothing that follows can change what the words are: before the last character that is part of none; else 0. */
function settledEnd(text: string): number {
  for (let at = text.length - 1; at > Math.max(0, text.length - LOOKED_BACK); at--) {
    const isSecondOfPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (!isSecondOfPair && OUTSIDE_WORDS.test(String.fromCodePoint(text.codePointAt(at) as number))) return at;
  }
  return 0;
}

/** Before an ASCII character, which melts with nothing before it, where one is near. */
function endOfStretch(text: string, start: number): number {
  const limit = start + STRETCH;
  if (limit >= text.length) return text.length;
  for (let at = limit; at > start + STRETCH / 2; at--) if (text.charCodeAt(at) < FIRST_BEYOND_ASCII) return at;
  return (text.codePointAt(limit - 1) as number) > 0xffff ? limit - 1 : limit;
}

function remember(word: string, terms: readonly string[]): void {
  if (remembered.size >= WORDS_REMEMBERED) remembered.clear();
  remembered.set(word, terms);
}

function termsInWord(word: string): string[] {
  const terms: string[] = [];
  // Split keeps what a group matches: runs of scripts without blanks stand at the odd places.
  for (const [index, chunk] of word.split(UNSPACED).entries()) {
    if (index % 2 === 1) addPairs(chunk, terms);
    else addWord(chunk, terms);
  }
  return terms;
}

function addWord(word: string, terms: string[]): void {
  const parts = word.split(JOINTS);
  if (parts.length === 1) {
    addPart(word, terms);
    return;
  }
  if (word.length <= TERM_LETTERS) terms.push(word.toLowerCase());
  for (const part of parts) {
    if (!SHORT_NUMBER.test(part)) addPart(part, terms);
  }
}

function addPart(part: string, terms: string[]): void {
  const lower = part.toLowerCase().replace(CLITIC, '');
  if (lower === '' || STOP_WORDS.has(lower) || NEGATION.test(lower)) return;
  terms.push(PLAIN_WORD.test(lower) ? stemOf(lower) : lower.slice(0, TERM_LETTERS));
}

function addPairs(run: string, terms: string[]): void {
  const letters = [...run];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] as string;
    if (index > 0) terms.push((letters[index - 1] as string) + letter);
    if (letters.length === 1 || HAN.test(letter)) terms.push(letter);
  }
}

function stemOf(word: string): string {
  return stemmer(WRITTEN_OUT.get(word) ?? word);
}
