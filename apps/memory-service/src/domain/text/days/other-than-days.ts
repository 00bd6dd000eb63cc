import { dateOfHoliday, isHolidayOfThing } from '../times/holidays.ts';
import { isBeforeThing, isNoDay, isOtherWord } from '../times/names-of-days.ts';
import { isShortWeekday, isWeekday, MONTH, SHORT_WEEKDAY, WEEKDAY } from '../words/calendar.ts';
import { ORDINAL_DAY } from './day-forms.ts';

const ENDS_IN_ORDINAL = new RegExp(`(?:^|^\\S+ .*)the ${ORDINAL_DAY}$`, 'i');
const ENDS_IN_WEEKDAY = new RegExp(`${WEEKDAY}$`, 'i');
/** "10 may be enough": in small letters it is mostly a verb. */
const ENDS_IN_MAY = /(?:\d|st|nd|rd|th) may$/;
/** Behind "the 12th": the word of a thing, as in "the 12th floor"; behind "may": another verb. */
const OF_A_THING = /^ (?!(?:at|and|or|to|until|till|we|i|he|she|they|it|is|are|for|with|in)\b)\p{L}/iu;
/** "The week before Christmas", "the day after Friday". */
const BESIDE = /\b(?:day|night|week|weekend|month)s? (?:before|after) (?:the )?$/i;
/** "The last Friday of November". */
const OF_A_TIME = /^ of /i;
/** "Thu Nguyen" is a name. */
const NAME_BEHIND = /^ \p{Lu}\p{Ll}+/u;
const MONTH_BEHIND = new RegExp(`^ ${MONTH}\\b`, 'i');
/** "She is the 2nd" is a rank; later ones mostly are days. */
const IS_THE = /^(?:is|was) the (\d{1,2})/i;
/** "The 14th works", which its form tells. */
const BARE = /^the /i;
const LAST_RANK = 12;
/** "Shifts: mon tue thu" are of each week, or of one. */
const BEHIND_ANOTHER = new RegExp(`\\b${SHORT_WEEKDAY} $`, 'i');
const BEFORE_ANOTHER = new RegExp(`^ ${SHORT_WEEKDAY}\\b`, 'i');
/** "They wed in May." */
const WEDS = /\b(?:are|be|get|got|he|i|newly|she|they|to|was|we|were|who|will) $/i;
/** "The Saturday before", "the Friday after the release". */
const BEFORE_OR_AFTER = /^ (?:before|after)(?=$|[.,;:!?)\n])/i;

/** Whether an expression is another thing than a day, or another day, by what stands around it. */
export function isOfAnother(expression: string, { before, behind, written, isInSentence }: Around): boolean {
  if (ENDS_IN_MAY.test(expression)) return OF_A_THING.test(behind);
  if (ENDS_IN_ORDINAL.test(expression)) {
    const rank = Number(IS_THE.exec(expression)?.[1]);
    return (!BARE.test(expression) && isBeforeThing(behind)) || (rank <= LAST_RANK && !isInSentence);
  }
  if (isWeekday(expression) && (BEFORE_OR_AFTER.test(behind) || isOtherThanShort(written, before, behind))) return true;
  if (isWeekday(expression) ? isNoDay(before, behind) : isOtherWord(expression, behind)) return true;
  if (ENDS_IN_WEEKDAY.test(expression) && OF_A_TIME.test(behind)) return true;
  const isHoliday = dateOfHoliday(expression, 0) !== null;
  return (isHoliday || isWeekday(expression)) && (BESIDE.test(before) || isHolidayOfThing(expression, behind));
}

function isOtherThanShort(written: string, before: string, behind: string): boolean {
  if (written === 'wed' && WEDS.test(before)) return true;
  if (!isShortWeekday(written)) return false;
  if (BEHIND_ANOTHER.test(before) || BEFORE_ANOTHER.test(behind)) return true;
  return NAME_BEHIND.test(behind) && !MONTH_BEHIND.test(behind);
}

interface Around {
  /** What stands before it and behind it. */
  readonly before: string;
  readonly behind: string;
  /** As it was written: "thu" for an expression "thursday". */
  readonly written: string;
  /** Whether its sentence names a time before it. */
  readonly isInSentence: boolean;
}
