import { isHolidayOfThing } from '../times/holidays.ts';
import { isBeforeThing, isNoDay, isOtherWord } from '../times/weekdays-in-names.ts';
import { isShortWeekday, isWeekday, MONTH, SHORT_WEEKDAY, WEEKDAY } from '../words/calendar.ts';
import type { FoundExpression } from './day-expressions.ts';
import { HOLIDAYS } from './kinds/holidays.ts';
import { ENDS_IN_ORDINAL } from './kinds/patterns.ts';

// What stands around an expression may tell that it is no day, or another one: "the Friday rule", "the week before Christmas".

/**
 * Whether an expression is another thing than a day, or another day, by what stands around it.
 * @param isInSentence whether its sentence names a time before it
 */
export function isOtherThanDay(found: FoundExpression, { isInSentence }: { readonly isInSentence: boolean }): boolean {
  return (
    isVerb(found) ||
    isRankOrThing(found, isInSentence) ||
    isPartOfName(found) ||
    isOtherShortWord(found) ||
    isOfLongerTime(found) ||
    isBesideIt(found)
  );
}

/** "10 may be enough": in small letters it is mostly a verb, with another verb behind it. */
const ENDS_IN_MAY = /(?:\d|st|nd|rd|th) may$/;
const BEFORE_VERB = /^ (?!(?:at|and|or|to|until|till|we|i|he|she|they|it|is|are|for|with|in)\b)\p{L}/iu;

function isVerb({ expression, behind }: FoundExpression): boolean {
  return ENDS_IN_MAY.test(expression) && BEFORE_VERB.test(behind);
}

/** "She is the 2nd" is a rank; later ones mostly are days. */
const IS_THE = /^(?:is|was) the (\d{1,2})/i;
const LAST_RANK = 12;
/** "The 14th works", which its form tells. */
const BARE = /^the /i;

/** "The 12th floor", "she was the 2nd". */
function isRankOrThing({ expression, behind }: FoundExpression, isInSentence: boolean): boolean {
  if (!ENDS_IN_ORDINAL.test(expression)) return false;
  const rank = Number(IS_THE.exec(expression)?.[1]);
  return (!BARE.test(expression) && isBeforeThing(behind)) || (rank <= LAST_RANK && !isInSentence);
}

/** "The Saturday before", "the Friday after the release". */
const BEFORE_OR_AFTER = /^ (?:before|after)(?=$|[.,;:!?)\n])/i;

/** "Black Friday", "a Friday"; "the Saturday before" is another one. */
function isPartOfName({ expression, before, behind }: FoundExpression): boolean {
  return isWeekday(expression) && (BEFORE_OR_AFTER.test(behind) || isNoDay(before, behind));
}

/** "They wed in May." */
const WEDS = /\b(?:are|be|get|got|he|i|newly|she|they|to|was|we|were|who|will) $/i;
/** "Shifts: mon tue thu" are of each week, or of one. */
const BEHIND_ANOTHER = new RegExp(`\\b${SHORT_WEEKDAY} $`, 'i');
const BEFORE_ANOTHER = new RegExp(`^ ${SHORT_WEEKDAY}\\b`, 'i');
/** "Thu Nguyen" is a name. */
const NAME_BEHIND = /^ \p{Lu}\p{Ll}+/u;
const MONTH_BEHIND = new RegExp(`^ ${MONTH}\\b`, 'i');

/** "By sat nav", "they wed", "Thu Nguyen". */
function isOtherShortWord({ expression, written, before, behind }: FoundExpression): boolean {
  if (!isWeekday(expression)) return isOtherWord(expression, behind);
  if (!isShortWeekday(written)) return false;
  if (written === 'wed' && WEDS.test(before)) return true;
  if (BEHIND_ANOTHER.test(before) || BEFORE_ANOTHER.test(behind)) return true;
  return NAME_BEHIND.test(behind) && !MONTH_BEHIND.test(behind);
}

const ENDS_IN_WEEKDAY = new RegExp(`${WEEKDAY}$`, 'i');
const OF_A_TIME = /^ of /i;

/** "The last Friday of November". */
function isOfLongerTime({ expression, behind }: FoundExpression): boolean {
  return ENDS_IN_WEEKDAY.test(expression) && OF_A_TIME.test(behind);
}

const BESIDE = /\b(?:day|night|week|weekend|month)s? (?:before|after) (?:the )?$/i;

/** "The week before Christmas", "the day after Friday"; "Christmas party" is a thing. */
function isBesideIt({ kind, expression, before, behind }: FoundExpression): boolean {
  if (kind === HOLIDAYS && isHolidayOfThing(expression, behind)) return true;
  return (kind === HOLIDAYS || isWeekday(expression)) && BESIDE.test(before);
}
