import { END_OF, ORDINAL, QUARTER, REST_OF, WEEKDAY_OF_MONTH } from '../times/calendar-times.ts';
import { DAY_LIST, NO_LIST } from '../times/day-lists.ts';
import { HOLIDAY } from '../times/holidays.ts';
import { NUMERIC_DATE } from '../times/numeric-dates.ts';
import { WEEK_LATER } from '../times/week-later.ts';
import { WRITTEN_MONTH as MONTH, SHORT_WEEKDAY, WEEKDAY, MAYBE_YEAR as YEAR } from '../words/calendar.ts';

// The forms of the expressions by which a text names days, as one regular expression: a text is looked through once.

export const NUMBER = '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const DAYS = `${DAY}(?: ?(?:-|–|to|until|till) ?(?:the )?${DAY})?`;
export const ORDINAL_DAY = '\\d{1,2}(?:st|nd|rd|th)';
const OF_WEEK = `(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? `;
const CLOCK = '\\d{1,2}(?:[:.]\\d\\d|h| ?[ap]m)';
/** A clause goes on behind it, and no other word: "wed 9:30", "Mon or Tue". */
const TIME_GOES_ON = `(?=$|[\\n,;:!?)/&]|\\.(?![a-z])| ?[–-] | (?:${CLOCK}|afternoon|and|at|eve(?:ning)?|from|i|is|morning|night|noon|or|the|to|we)\\b)`;
const OTHER = '(?:other|second|2nd|two|2)';
const FORTNIGHTLY = '(?:bi-?weekly|fortnightly)';
/** "Every other Tuesday", "Mondays, biweekly", "every two weeks on Friday". */
export const ALTERNATE = `(?:each|every) (?:other|second|2nd) ${WEEKDAY}s?|(?:each|every) (?:${OTHER} weeks?|fortnight),?(?: on)? ${WEEKDAY}s?|${FORTNIGHTLY}(?: on)? ${WEEKDAY}s?|${WEEKDAY}s,? (?:${FORTNIGHTLY}|(?:each|every) (?:${OTHER} weeks?|fortnight))`;
const RECURRING_WEEKDAY = `${ALTERNATE}|(?:each|every) (?:${WEEKDAY}|tues?|wed|thu(?:rs?)?|fri|(?:mon|sat|sun)${TIME_GOES_ON})|${WEEKDAY}s`;
const RECURRING_WEEKDAYS = '(?:each|every) (?:week|work|working )day|on (?:week|work|working )days';
const RECURRING_WEEKEND = '(?:each|every) weekend|(?:at|on) (?:the )?weekends';
/** "Daily" alone is said of much that is on no agenda. */
const EACH_DAY = '(?:daily|(?:each|every) (?:day|morning|afternoon|evening|night)) at (?:\\d|noon|midnight)';
const DAY_OF_EACH_MONTH = `(?:each|every) ${ORDINAL_DAY} of the month|(?:(?:each|every) month|monthly) on the ${ORDINAL_DAY}|(?:(?:by|on) )?(?:the )?${ORDINAL_DAY} (?:day )?of (?:each|every) month`;
const WEEKDAY_OF_EACH_MONTH = `(?:(?:each|every) )?(?:${ORDINAL}|last) ${WEEKDAY} (?:of|in) (?:the|each|every) month`;
/** What happens on certain weekdays of each week, or on a day of each month. */
export const RECURRENCES = {
  weekdayOfMonth: WEEKDAY_OF_EACH_MONTH,
  weekday: RECURRING_WEEKDAY,
  weekdays: RECURRING_WEEKDAYS,
  weekend: RECURRING_WEEKEND,
  eachDay: EACH_DAY,
  dayOfMonth: DAY_OF_EACH_MONTH,
} as const;
const BEHIND_WORD = `(?<=\\b(?:back|due|ends|eod|from|off|out|starts|wfh|(?:${WEEKDAY}|${SHORT_WEEKDAY})\\.?(?: and| or| &|,|/)) ?\\w{3})`;
/** "Fri"; of those that are mostly another word, such as "sun", where a time is told. */
const SHORT_ALONE = `(?:tues?|wed|thu(?:rs?)?|fri)(?!-|\\.[a-z])|(?:mon|sat|sun)(?= (?:at )?${CLOCK}\\b| ?(?:and|or|&|/|,) ?${SHORT_WEEKDAY}\\b)|(?:mon|sat|sun)${BEHIND_WORD}${TIME_GOES_ON}`;
const FORMS: readonly string[] = [
  WEEKDAY_OF_MONTH,
  ...Object.values(RECURRENCES),
  WEEK_LATER,
  '(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tonight|tomorrow|yesterday|last night',
  'this (?:morning|afternoon|evening)',
  QUARTER,
  `(?:this|next|last|coming|past) (?:week(?:end)?|month|${WEEKDAY})`,
  `(?:the )?week after next|${WEEKDAY},? (?:of )?(?:(?:the )?week after next|(?:this|next) week)`,
  `in ${NUMBER} (?:day|week|fortnight|month)s?|${NUMBER} (?:day|week|fortnight|month)s? (?:ago|from now)`,
  `between (?:the )?${DAY} and (?:the )?${DAY}(?: of)? ${MONTH}${YEAR}`,
  '(?:at|by|during|for|on|over) the weekend(?! (?:of|before|after))',
  `week of (?:the )?(?:${DAYS}(?: of)? ${MONTH}|${MONTH} ${DAYS})${YEAR}`,
  `(?:(?:by|from|on|since|till|until) )?(?:the )?${ORDINAL_DAY} of (?:this|next|last) month`,
  `\\d{1,2}-${MONTH}-(?:19|20)\\d\\d`,
  DAY_LIST,
  `(?:(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? (?:the )?)?${DAYS}(?: of)? ${MONTH}${YEAR}`,
  `(?:${OF_WEEK})?${MONTH} (?:the )?${DAYS}${YEAR}`,
  `${MONTH},? (?:19|20)\\d\\d`,
  `(?:(?:first|1st|second|2nd|third|3rd|fourth|4th|last) (?:week|half)|beginning|start|middle|end) (?:of|in) ${MONTH}${YEAR}`,
  `(?:in|during|by|until|till|from|since|of|for|early|mid|late|through)[ -]${MONTH}${YEAR}(?!(?: the)? ?\\d)`,
  '(?:19|20)\\d\\d-\\d\\d-\\d\\d(?:T\\d\\d:[\\d:.]+Z?)?|\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d',
  // Not a part of a path, and no date of which the day may be the month.
  '(?<!/)(?:(?:19|20)\\d\\d/[01]?\\d/[0-3]?\\d|(?:1[3-9]|2\\d|3[01])/[01]?\\d/(?:19|20)\\d\\d|[01]?\\d/(?:1[3-9]|2\\d|3[01])/(?:19|20)\\d\\d)(?![/-])',
  NUMERIC_DATE,
  `(?:on|by|until|till|from|before|since) (?:${WEEKDAY},? )?the ${ORDINAL_DAY}(?! (?:of )?${MONTH})${NO_LIST}`,
  `the ${ORDINAL_DAY}(?= (?:suits|works|would (?:suit|work)|is (?:best|better|fine|free|good|ok(?:ay)?))\\b)`,
  // Mostly "the 12th one".
  `(?:after|for|is|was) the ${ORDINAL_DAY}(?=$|[\\n,;:!?)]|\\.(?!\\d)| (?:and|are|at|but|i|is|it|or|so|we)\\b)${NO_LIST}`,
  `${OF_WEEK}(?:the )?${ORDINAL_DAY}(?! (?:of )?${MONTH})`,
  END_OF,
  REST_OF,
  HOLIDAY,
  `(?:on|by|next|this|last|until|till) ${SHORT_WEEKDAY}(?!\\.?,? (?:the )?(?!${CLOCK}\\b)\\d)`,
  WEEKDAY,
  SHORT_ALONE,
];
/** The boundary is there for speed: what stands before is looked at where a word begins alone. */
export const DAY_EXPRESSION = new RegExp(`\\b(?<![\\p{L}\\p{N}_.-])(?:${FORMS.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
