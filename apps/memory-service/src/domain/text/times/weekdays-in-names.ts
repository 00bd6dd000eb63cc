import { STOP_WORDS } from '../words/stop-words.ts';

// Weekdays in the names of other things: "Black Friday", "Sunday Times", "Monday.com", "on a Friday".

/** Days with a name, of which the calendar alone does not tell the date, and wishes: "Happy Friday!" */
const BEFORE =
  /\b(?:ash|black|bloody|casual|cyber|easter|fat|girl|giving|good|happy|holy|man|maundy|palm|shrove|spy|super bowl|taco|tgi|whit) $/i;
const BEHIND = /^(?:\.\p{Ll}{2,}| (?:blues|express|mirror|roasts?|school|telegraph|times)\b|s for future\b)/iu;
/** Any one: "on a Friday", "a quiet Sunday". */
const ARTICLE = /\b(?:an?|any|some) (?:\p{L}+ )?$/iu;
/** "The first Sunday in Advent", "every third Monday": which day that is, the weekday alone does not tell. */
const ORDINAL = /\b(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th) $/i;
const LONGEST_BEFORE = 16;
const NEXT_WORD = /^ (\p{L}+)/u;

/** Whether a weekday is a part of the name of a thing or means none in particular, by what stands before it and behind it. */
export function isNoDay(before: string, behind: string): boolean {
  const last = before.slice(-LONGEST_BEFORE);
  return (
    BEFORE.test(last) || ORDINAL.test(last) || BEHIND.test(behind) || (ARTICLE.test(last) && !isBeforeThing(behind))
  );
}

/** Whether a short weekday with the word before it is another word: "by sat nav". */
export function isOtherWord(short: string, behind: string): boolean {
  return /\b(?:sat|sun)$/i.test(short) && isBeforeThing(behind);
}

/** Whether the next word is the word of a thing: "a Friday slot". */
export function isBeforeThing(behind: string): boolean {
  const next = NEXT_WORD.exec(behind)?.[1]?.toLowerCase();
  return next !== undefined && !STOP_WORDS.has(next);
}
