import { DAY_NUMBER, MONTH, ORDINAL_DAY, RANGE_TO } from '../../words/calendar.ts';

// Parts of patterns of several kinds.

/** "3", "3rd to 5th". */
export const DAYS = `${DAY_NUMBER}(?:${RANGE_TO}${DAY_NUMBER})?`;
/** Before a date, where the parser of times does not want it. */
export const FROM = /^(?:from|since) /i;
export const CLOCK = '\\d{1,2}(?:[:.]\\d\\d|h| ?[ap]m)';
/** A clause goes on behind it, and no other word: "wed 9:30", "Mon or Tue". */
export const TIME_GOES_ON = `(?=$|[\\n,;:!?)/&]|\\.(?![a-z])| ?[–-] | (?:${CLOCK}|afternoon|and|at|eve(?:ning)?|from|i|is|morning|night|noon|or|the|to|we)\\b)`;
/** "On the 9th", "by Friday, the 9th", and not "March the 9th", which names its month; its group is without the first word. */
export const ENDS_IN_ORDINAL = new RegExp(`^(?!.*\\b${MONTH}\\b)(?:\\S+ )?(.*the ${ORDINAL_DAY})$`, 'i');
