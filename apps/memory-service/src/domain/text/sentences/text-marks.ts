import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { MONTHS, PLAIN_SHORT_WEEKDAY, SHORT_MONTH, WEEKDAY } from '../words/calendar.ts';

/** A question mark at the end, perhaps inside quotes and before a note in brackets such as the caption of a picture. */
const QUESTION = /[?？؟]["'”’)\]\s]*(?:[[(][^\])]{0,500}[\])]\s*)?$/;
/** The characters at the end of a text in which a question mark is looked for. */
const QUESTION_ENDS_WITHIN = 600;
const TIME_WORD = new RegExp(
  `\\b(?:${[
    'yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekend|months?|years?(?![ -]old)',
    `${WEEKDAY}s?|${PLAIN_SHORT_WEEKDAY}`,
    ...MONTHS,
    `\\d{1,2} ${SHORT_MONTH}|${SHORT_MONTH}\\.? \\d{1,2}|the \\d{1,2}(?:st|nd|rd|th)|(?:19|20)\\d\\d`,
  ].join('|')})\\b`,
  'i',
);
/** "2:00", "9 am", "after 14 days". */
const CLOCK_OR_SPAN =
  /\b(?:\d{1,2}:\d\d|\d{1,2} ?(?:am|pm|o['’]?clock)|noon|midnight|\d+ ?(?:days?|hours?|hrs?|minutes?|mins?|seconds?))\b/i;
const WORD = /[\p{L}\p{N}]+/gu;
const WITHIN_WORD = /(?<=[\p{L}\p{N}])[\p{L}\p{N}]/uy;
/** Characters for one step of counting words, which takes less than a millisecond. */
const STRETCH = 16_384;

/** Features of the form of a text that recall weighs. */
export interface TextMarks {
  readonly isQuestion: boolean;
  /** Whether the text names a time in which something was or will be: a day, a month, "last week". */
  readonly tellsTime: boolean;
  /** Whether it tells a time of day or how long something takes. */
  readonly tellsClockOrSpan: boolean;
  readonly words: number;
}

export function marksOf(text: string): TextMarks {
  return atOnce(marksInSteps(text));
}

/** What `marksOf` gives, in steps. */
export function* marksInSteps(text: string): Steps<TextMarks> {
  const tellsTime = TIME_WORD.test(text);
  const tellsClockOrSpan = CLOCK_OR_SPAN.test(text);
  let words = 0;
  for (let start = 0; start < text.length; ) {
    if (start > 0) yield;
    const end = isSecondOfPair(text, start + STRETCH) ? start + STRETCH - 1 : start + STRETCH;
    words += text.slice(start, end).match(WORD)?.length ?? 0;
    WITHIN_WORD.lastIndex = start;
    if (WITHIN_WORD.test(text)) words--;
    start = end;
  }
  return { isQuestion: isQuestion(text), tellsTime, tellsClockOrSpan, words };
}

export function isQuestion(text: string): boolean {
  return QUESTION.test(text.slice(-QUESTION_ENDS_WITHIN));
}

function isSecondOfPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
