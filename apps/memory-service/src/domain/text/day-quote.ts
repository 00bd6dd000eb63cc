import { DAY_MS } from '@agent-faculties/service-kit';
import { onDay } from './day-terms.ts';
import type { DayMention } from './named-days.ts';
import { cutBefore, sentenceSpans } from './sentences.ts';

/** UTF-16 code units of a text of one line that is quoted whole, and of the longest sentence of another one. */
const LONGEST_QUOTE = 300;
/** Of the words before the sentence that names the day. */
const LONGEST_OPENING = 48;

/** How a text names a day. */
export interface DayQuote {
  /** All of a short text, else its beginning and the sentence that names the day. */
  readonly text: string;
  /** The first and the last day of the time by which it names this one, at their beginnings in epoch milliseconds. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The words by which a text names a day most exactly. @param mentions of the days in it @param day its beginning, epoch milliseconds */
export function quoteOfDay(text: string, mentions: readonly DayMention[], day: number): DayQuote {
  const named = mentions
    .filter(({ terms }) => terms.includes(onDay(day)))
    .map((mention) => ({ mention, span: spanAround(day, mention) }));
  const [exact] = named.sort((one, other) => lengthOf(one.span) - lengthOf(other.span));
  return { text: sentenceAt(text, exact?.mention), ...(exact?.span ?? { firstDay: day, lastDay: day }) };
}

/** The words by which a text names another time, such as a month. @param term of `day-terms.ts` */
export function quoteOfTerm(text: string, mentions: readonly DayMention[], term: string): string {
  return sentenceAt(
    text,
    mentions.find(({ terms }) => terms.includes(term)),
  );
}

type DaySpan = Pick<DayQuote, 'firstDay' | 'lastDay'>;

const lengthOf = ({ firstDay, lastDay }: DaySpan): number => lastDay - firstDay;

/** The days without a gap among which a day is named. */
function spanAround(day: number, { terms }: DayMention): DaySpan {
  const named = new Set(terms);
  let [firstDay, lastDay] = [day, day];
  while (named.has(onDay(firstDay - DAY_MS))) firstDay -= DAY_MS;
  while (named.has(onDay(lastDay + DAY_MS))) lastDay += DAY_MS;
  return { firstDay, lastDay };
}

/** The sentence at a place, behind the beginning of the first one, which says what a list or a letter is about. */
function sentenceAt(text: string, { start }: DayMention = { start: 0, terms: [] }): string {
  if (text.length <= LONGEST_QUOTE && !text.includes('\n')) return text;
  const [first, ...others] = sentenceSpans(text.slice(0, start + 2 * LONGEST_QUOTE), LONGEST_QUOTE);
  const named = others.find(({ end }) => end > start);
  if (!first) return '';
  if (!named || start < first.end) return text.slice(first.start, first.end);
  const opening = text.slice(
    first.start,
    cutBefore(text.slice(0, first.end), first.start, first.start + LONGEST_OPENING),
  );
  return `${opening.trimEnd()} … ${text.slice(named.start, named.end)}`;
}
