import { stemmer } from 'stemmer';
import { MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS } from './calendar.ts';
import { baseOf } from './irregular-verbs.ts';
import { STOP_WORDS } from './stop-words.ts';

/** One word of a text, with its position. */
export interface Word {
  readonly text: string;
  /** Without the blank between a number and its sign. */
  readonly lower: string;
  /** The same for two forms of a word: lower case without the English ending, of an irregular participle that of its verb. */
  readonly stem: string;
  /** Position in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly startsSentence: boolean;
  readonly isBehindComma: boolean;
  /** Whether it tells the subject of the text; function words and bare numbers do not. */
  readonly isContent: boolean;
  /** Whether it looks like a name: a capital that no start of a sentence explains, or digits and letters together. */
  readonly isName: boolean;
}

/** A number keeps its sign, before or behind it, with a blank between them or none: $5, € 5, 5 €, 12 %, 24 °C. */
const WORD =
  /(?:[$€£¥](?:[ \u00a0\u202f](?=\d))?)?[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*(?:['’.,:/@+-]+[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*)*(?:(?<=\d)[ \u00a0\u202f]?(?:[%€£]|°C)(?![\p{L}\p{N}]| ?\d)|%)?/gu;
const BLANK = /[ \u00a0\u202f]/;
const SENTENCE_END = /[.!?…:;]["'”’)\]]*\s+$/;
/** A full stop after one of these ends no sentence, so that the name behind it is one. */
const TITLES = new Set('mr mrs ms dr prof st'.split(' '));
/** What may stand at the beginning of a line before its first word: the mark of an item, a heading or a quotation. */
const BEFORE_LINE = /^[\s>*•#+-]*$/;
const POSSESSIVE = /['’]s?$/;
const PLAIN = /^[a-z]{3,32}$/;
const CAPITAL = /^\p{Lu}/u;
const LETTER = /\p{L}/u;
const DIGIT = /\d/;
const MARK_OF_CODE = /[_@]/;
/** Values that look like names: 5pm, 3rd, 40ms. */
const MEASURED = /^[$€£¥]?\d[\d.,:]*(?:[a-z]{1,4}|[%€£]|°c)?$/i;
const CONTRACTED =
  /^[a-z]+'(?:re|ve|ll|d|m)$|^(?:that|it|what|there|here|who|let|he|she)'s$|^(?:can|won|don|doesn|didn|isn|aren|wasn|weren|hasn|haven|hadn|shouldn|wouldn|couldn|mustn|needn)['’]?t$/;
const WEAK = new Set(
  `do does did user really quite very still just even only much many lot thing things something get gets got make makes made say says
  said tell tells told know knows way well sure yes okay one two ones also too again new old here there now then since
  so y'all job moments thanks thank wow hey hi hello yeah awesome amazing great glad nice cool wonderful lovely super totally definitely sounds
  guess hope looks feels feel lots proud congrats sweet fun enjoy love happy currently today yesterday tomorrow week month year day time`.split(
    /\s+/,
  ),
);
const CAPITALISED_ANYWAY = new Set([
  ...WEEKDAYS,
  ...SHORT_WEEKDAYS,
  ...MONTHS,
  ...SHORT_MONTHS,
  ..."i i'm i've i'd i'll english utc gmt cet am pm ok".split(' '),
]);
const MOST_WORDS_REMEMBERED = 20_000;
const LONGEST_REMEMBERED = 40;

/** The properties of a word that do not depend on its position. */
type Spelling = Omit<Word, 'start' | 'end' | 'startsSentence' | 'isBehindComma' | 'isName'> & {
  readonly isCode: boolean;
  readonly isCapital: boolean;
  readonly isFunction: boolean;
};

const spellings = new Map<string, Spelling>();
const stems = new Map<string, string>();

/** The words of a text in order. @complexity O(characters), about 1 µs a word */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const before = words.at(-1);
    const startsSentence =
      before === undefined || (!TITLES.has(before.lower) && endsSentence(text.slice(Math.max(0, end - 1), start)));
    const word = wordAt(match[0], { start, startsSentence, isBehindComma: text[end] === ',' });
    end = word.end;
    words.push(word);
  }
  return words;
}

/** Whether what stands between two words ends a sentence or a line. @param between with the last sign of the first word */
function endsSentence(between: string): boolean {
  // Mostly one blank.
  if (between.length === 2 && between[1] === ' ') return false;
  const lineBreak = between.lastIndexOf('\n');
  return (lineBreak !== -1 && BEFORE_LINE.test(between.slice(lineBreak + 1))) || SENTENCE_END.test(between);
}

function wordAt(
  written: string,
  { start, startsSentence, isBehindComma }: Pick<Word, 'start' | 'startsSentence' | 'isBehindComma'>,
): Word {
  const { text, lower, stem, isContent, isCode, isCapital, isFunction } = spellingOf(written);
  const isName = isCode || (isCapital && !startsSentence && !isFunction);
  return { text, lower, stem, start, end: start + text.length, startsSentence, isBehindComma, isContent, isName };
}

/** @param written the word with what makes it possessive */
function spellingOf(written: string): Spelling {
  let spelling = spellings.get(written);
  if (spelling === undefined) {
    spelling = readSpelling(written.replace(POSSESSIVE, '') || written);
    if (spellings.size >= MOST_WORDS_REMEMBERED) spellings.clear();
    if (written.length <= LONGEST_REMEMBERED) spellings.set(written, spelling);
  }
  return spelling;
}

function readSpelling(text: string): Spelling {
  const lower = text.toLowerCase().replaceAll('’', "'").replace(BLANK, '');
  const isValue = MEASURED.test(lower);
  const isFunction = STOP_WORDS.has(lower) || WEAK.has(lower) || CONTRACTED.test(lower);
  return {
    text,
    lower,
    stem: stemOf(lower),
    isContent: !isFunction && !isValue,
    isCode: !isValue && isCode(text),
    isCapital: CAPITAL.test(text) && !CAPITALISED_ANYWAY.has(lower),
    isFunction,
  };
}

/** Not one pattern for a letter and a digit in either order: it takes 4 s over a word of 100,000 letters. */
function isCode(text: string): boolean {
  return MARK_OF_CODE.test(text) || (LETTER.test(text) && DIGIT.test(text));
}

export function stemOf(lower: string): string {
  let stem = stems.get(lower);
  if (stem === undefined) {
    stem = PLAIN.test(lower) ? stemmer(baseOf(lower)) : lower;
    if (stems.size >= MOST_WORDS_REMEMBERED) stems.clear();
    if (lower.length <= LONGEST_REMEMBERED) stems.set(lower, stem);
  }
  return stem;
}
