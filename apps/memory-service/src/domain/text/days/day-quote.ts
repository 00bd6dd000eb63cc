import { DAY_MS } from '@agent-faculties/service-kit';
import { cutBefore, type Span, sentenceSpans } from '../sentences/sentences.ts';
import { onDay } from './day-terms.ts';
import type { DayMention } from './named-days.ts';

/** UTF-16 code units of a text of one line that is quoted whole, and of the longest sentence of another one. */
const LONGEST_QUOTE = 300;
/** On either side of a place, to find where its sentence begins and ends. */
const LOOKED_AROUND = 2 * LONGEST_QUOTE;
/** Of the words before the sentence that names the day. */
const LONGEST_OPENING = 48;
/** Of a long sentence before the place. */
const LONGEST_LEAD = 120;
/** In which a cut looks for a blank. */
const LONGEST_WORD = 48;

/** How a text names a day. */
export interface DayQuote {
  /** All of a short text, else its beginning and the sentence that names the day. */
  readonly text: string;
  /** The first and the last day of the time by which it names this one, at their beginnings, wall times. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Whether it says of this day only that something does not take place. */
  readonly isCalledOff: boolean;
}

/** The words by which a text names a day most exactly. @param mentions of the days in it @param day its beginning, a wall time */
export function quoteOfDay(text: string, mentions: readonly DayMention[], day: number): DayQuote {
  const named = mentions
    .filter(({ terms }) => terms.includes(onDay(day)))
    .map((mention) => ({ mention, span: spanAround(day, mention) }));
  const [exact] = named.sort((one, other) => lengthOf(one.span) - lengthOf(other.span));
  const isCalledOff = named.length > 0 && named.every(({ mention }) => mention.isCalledOff);
  return { text: sentenceAt(text, exact?.mention), isCalledOff, ...(exact?.span ?? { firstDay: day, lastDay: day }) };
}

/** The words by which a text names another time, such as a month. @param asked terms of `day-terms.ts`, of which any will do */
export function quoteOfTerms(
  text: string,
  mentions: readonly DayMention[],
  asked: readonly string[],
): Pick<DayQuote, 'text' | 'isCalledOff'> {
  const mention = mentions.find(({ terms }) => terms.some((term) => asked.includes(term)));
  return { text: sentenceAt(text, mention), isCalledOff: mention?.isCalledOff ?? false };
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
function sentenceAt(text: string, { start: place }: DayMention = { start: 0, terms: [], isCalledOff: false }): string {
  if (text.length <= LONGEST_QUOTE && !text.includes('\n')) return text;
  const [first] = sentenceSpans(text.slice(0, LOOKED_AROUND), LOOKED_AROUND);
  if (!first) return '';
  if (place < first.end) {
    const whole = sentenceHolding(text, place, first.start);
    return quoted(text, partAround(text, whole, place), whole);
  }
  const opening = text.slice(
    first.start,
    cutBefore(text.slice(0, first.end), first.start, first.start + LONGEST_OPENING),
  );
  const sentence = sentenceHolding(text, place, first.end);
  const part = partAround(text, sentence, place);
  return `${opening.trimEnd()} … ${quoted(text, part, { ...sentence, start: part.start })}`;
}

/** Of what is near a place alone: to part all of a long text took 2 ms for each day of an agenda. @param least before which it does not begin */
function sentenceHolding(text: string, place: number, least: number): Span {
  const from = Math.max(least, place - LOOKED_AROUND);
  const near = text.slice(from, place + LOOKED_AROUND);
  const named = sentenceSpans(near, near.length).find(({ end }) => from + end > place);
  return { start: from + (named?.start ?? 0), end: from + (named?.end ?? 0) };
}

/** A sentence, or of a long one what stands around a place. */
function partAround(text: string, { start, end }: Span, place: number): Span {
  if (end - start <= LONGEST_QUOTE) return { start, end };
  const begin = Math.min(place - LONGEST_LEAD, end - LONGEST_QUOTE);
  const from = begin <= start ? start : cutBefore(text, begin, begin + LONGEST_WORD);
  return { start: from, end: end - from <= LONGEST_QUOTE ? end : cutBefore(text, from, from + LONGEST_QUOTE) };
}

/** A part with a mark where its whole goes on. */
function quoted(text: string, { start, end }: Span, whole: Span): string {
  return `${start > whole.start ? '…' : ''}${text.slice(start, end).trim()}${end < whole.end ? '…' : ''}`;
}
