import type { Entity } from '../../memory/memory.ts';
import { isAscii } from '../words/is-ascii.ts';
import { entityByForm, entityInCodeSpan, LONGEST_WORD } from './entity-patterns.ts';
import { PERSON_TITLES } from './name-words.ts';

/** The number of words that are read of a message, about ten pages; by then a message has named its subject. */
const MOST_WORDS = 5_000;
/** The number of code units that are read, for scripts without blanks. */
const MOST_CHARACTERS = 50_000;

/** A word of a text with its surroundings. */
export interface EntityWord {
  /** The word without punctuation around it and without a possessive ending. */
  readonly text: string;
  readonly lower: string;
  readonly startsSentence: boolean;
  /** Whether only a blank stands between this word and the next. */
  readonly joinsNext: boolean;
  /** The entity that the word is by its form alone. */
  readonly entity: Entity | null;
}

const WORD = /\S+/g;
/** Characters of scripts without blanks end a word of another script: 我们用Redis做缓存. */
const WORD_AMONG_SCRIPTS =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}。、，！？；：「」『』（）《》]+/gu;
/** Plain words, which need no closer look; most words are. */
const PLAIN = /^(?:[a-z]+|[A-Z][a-z]{0,99})$/;
const BEFORE = /^[([{<"'“‘«„*¿¡]+/;
const AFTER = /[)\]}>"'”’»*~,;:.!?…]+$/;
const ENDS_SENTENCE = /[.!?…:]["'”’»)\]]*$/;
const ENDS_SENTENCE_ANYWHERE = /[\n。！？：]/;
const LETTER = /\p{L}/u;
const OPENS_QUOTE = /^["“‘«„]/;
const POSSESSIVE = /['’]s$/;
/** J. or J.R. */
const INITIALS = /^(?:\p{Lu}\.)+$/u;
/** Marks of a list ("-", "*", "1.", "a)") and other words without letters, such as an emoji: the next word begins a line. */
const BULLET = /^(?:[^\p{L}]+|\p{L}\))$/u;
/** A code span between backticks, with the characters behind it. */
const CODE_SPAN = /^[("'“]*`([^`]+)`/;

/** The words of a text, bounded in number. */
export function readEntityWords(text: string): EntityWord[] {
  const read = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
  const words: EntityWord[] = [];
  let startsSentence = true;
  let end = 0;
  for (const { 0: raw, index } of read.matchAll(isAscii(read) ? WORD : WORD_AMONG_SCRIPTS)) {
    if (index - end !== 1 || read.charCodeAt(end) !== 0x20) {
      const gap = read.slice(end, index);
      startsSentence = (startsSentence && !LETTER.test(gap)) || endsSentence(gap);
    }
    end = index + raw.length;
    if (words.length === MOST_WORDS) break;
    if (PLAIN.test(raw)) {
      words.push({ text: raw, lower: raw.toLowerCase(), startsSentence, joinsNext: true, entity: null });
      startsSentence = false;
      continue;
    }
    if (raw.length > LONGEST_WORD) continue;
    const word = readWord(raw, { startsSentence: startsSentence || OPENS_QUOTE.test(raw) });
    words.push(word);
    startsSentence = !word.joinsNext && ENDS_SENTENCE.test(raw) ? true : startsSentence && BULLET.test(raw);
  }
  return words;
}

/**
 * Whether a sentence ends after the last letter of the text between two words, which may hold words of skipped scripts.
 * Scans backwards, because a regular expression would try each of 50,000 empty lines.
 */
function endsSentence(gap: string): boolean {
  for (let at = gap.length - 1; at >= 0; at--) {
    const isPair = at > 0 && (gap.codePointAt(at - 1) as number) > 0xffff;
    const character = isPair ? gap.slice(at - 1, at + 1) : gap.charAt(at);
    if (ENDS_SENTENCE_ANYWHERE.test(character)) return true;
    if (LETTER.test(character)) return false;
    if (isPair) at--;
  }
  return false;
}

function readWord(raw: string, { startsSentence }: Pick<EntityWord, 'startsSentence'>): EntityWord {
  const span = CODE_SPAN.exec(raw)?.[1];
  if (span) return { text: span, lower: span, startsSentence, joinsNext: false, entity: entityInCodeSpan(span) };
  const opened = raw.replace(BEFORE, '');
  if (INITIALS.test(opened)) {
    return { text: opened, lower: opened.toLowerCase(), startsSentence, joinsNext: true, entity: null };
  }
  const bare = withoutAfter(opened);
  const text = bare.replace(POSSESSIVE, '');
  const lower = text.toLowerCase();
  const isTitle = opened.endsWith('.') && PERSON_TITLES.has(lower);
  return {
    text,
    lower,
    startsSentence,
    joinsNext: isTitle || opened === text,
    entity: entityByForm(bare),
  };
}

/** The word with the brackets of a call, if it has them: save(). */
function withoutAfter(word: string): string {
  const bare = word.replace(AFTER, '');
  return word.startsWith('()', bare.length) ? `${bare}()` : bare;
}
