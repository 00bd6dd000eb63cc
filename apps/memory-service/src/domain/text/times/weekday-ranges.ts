import { longWeekday, SHORT_WEEKDAY } from '../words/calendar.ts';

/** "Mon-Wed", "Tue to Thu"; one alone may be another word. */
const SHORT_RANGE = new RegExp(
  `\\b(?<![.-])(${SHORT_WEEKDAY})\\.?(?: ?[-–] ?| (?:to|until|till|through|thru) )(${SHORT_WEEKDAY})(?![\\w-])`,
  'gi',
);
/** Of the words that are looked at behind a range. */
const LONGEST_BEHIND = 12;

/**
 * A text with the weekdays of "Mon-Wed" written out.
 * @param written what stands there for a range such as "monday to wednesday", by what stands behind it
 */
export function withLongWeekdays(text: string, written: (range: string, behind: string) => string): string {
  return text.replace(SHORT_RANGE, (range, first, last, at) => {
    const end = at + range.length;
    return written(`${longWeekday(first)} to ${longWeekday(last)}`, text.slice(end, end + LONGEST_BEHIND));
  });
}
