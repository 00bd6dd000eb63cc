import type { Side } from '../times/time-period.ts';
import { MONTH, SHORT_WEEKDAY, WEEKDAY } from '../words/calendar.ts';
import { IRREGULAR_PASTS } from '../words/irregular-verbs.ts';
import type { Expression } from './kinds/kind.ts';
import { ENDS_IN_ORDINAL } from './kinds/patterns.ts';
import { MOVED_FROM } from './moved.ts';
import { SENTENCE_END, sentenceAround } from './sentence-around.ts';

/** Where a clause ends, or its sentence. */
const CLAUSE_END = /[,;:()]| [–-] |[.!?](?=\s|$)|\n/;
/** "The dentist is booked: 3 May", "Friday's review moved to Monday": what was arranged says nothing of when the day itself is. */
const MOVED_TO_A_DAY = `moved(?= to (?:the )?(?:\\d|(?:next|tomorrow|${WEEKDAY}|${SHORT_WEEKDAY}|${MONTH})\\b))`;
const ARRANGED = new RegExp(
  `\\b(?:agreed|arranged|booked|called off|cancell?ed|confirmed|decided|due|expected|invited|planned|postponed|promised|rescheduled|reserved|scheduled|supposed|wanted|${MOVED_TO_A_DAY})\\b`,
  'i',
);
/** "We decided on Friday": then, or for that day. */
const SETTLED_ON = /\b(?:agreed|confirmed|decided|promised)(?: (?:on|in))?(?: the)? $/i;
/** "Friday's demo has been cancelled": the next one. */
const IS_CANCELLED = /\b(?:has|have|['’](?:s|ve)) been (?:called off|cancell?ed|moved|postponed|rescheduled)\b/gi;
/** "We cancelled the demo on Friday", "Friday's demo was cancelled": of the last one or the next. */
const CANCELLED_BEFORE = /(?<!\b(?:are|be|been|being|is) )\bcancell?ed (?:[\p{L}'’-]+ ){0,4}(?:on|in)(?: the)? $/iu;
const WAS_CANCELLED = /\b(?:was|were) (?:called off|cancell?ed|postponed|rescheduled)\b/i;
/** Pasts that no ending tells, in a pattern; "won't" is none. */
export const TELLS_PAST = `(?:was|were|did|had|been|came|fell|(?<!\\b(?:have|has) (?:i |we |you )?)got|lost|made|met|said|sat|went|won|(?<!\\b(?:am|are|be|have|is) )left|${IRREGULAR_PASTS.join('|')})(?!['’]t\\b)`;
/** "A packed lunch", "our shared room": a participle that tells which one. */
const OF_A_THING = '(?<!\\b(?:an?|any|each|every|her|his|its|my|no|our|some|that|the|their|this|your) )';
const OF_THE_PAST = new RegExp(`\\b(?:${TELLS_PAST}|${OF_A_THING}[a-z]{3,}ed)\\b`, 'i');
/** "On sat 28" is a day. */
export const SATURDAY = /\b(?:by|last|next|on|this|till|until) sat\b|\bsat(?=[.,]? \d)/gi;
/** "Closed on 26 December" is said before it and after. */
const BEGINS_CLOSED = /^\W*closed\b/i;
const IS_OR_WILL_BE = /\b(?:will|shall|going to|is|are|am|be|let['’]s)\b|['’](?:ll|m|re)\b/i;
/** Behind these a day lies ahead of what was done: "we had to finish by Friday". */
const UP_TO = /\b(?:for|to|by|until|till|before)(?: the)? $/i;
/** "Rescheduled to 3 December (was 2 December)". */
const MOVED_AND_WAS = /\b(?:moved|postponed|pushed|rescheduled|shifted)\b.*\b(?:was|were)(?: on)? $/i;
/** "Tom had surgery and is back on the 3rd": the verb right before a day tells of it, whatever else its sentence tells; "was back" is past. */
const WILL = "(?:can|may|might|must|shall|should|will|['’]ll)";
const IS_COMING = new RegExp(
  `(?:${[
    `(?:\\b(?:am|are|comes|flies|gets|goes|is|(?:he|it|she)['’]s|(?:i|they|we|you) (?:come|fly|get|go))|['’](?:m|re)|${WILL} be) back`,
    '(?<!\\b(?:became|been|came|fell|was|were) )\\bdue',
    '\\b(?:arrives|begins|comes|ends|lands|opens|starts)',
    `${WILL} (?:arrive|begin|come|end|land|leave|open|return|start)`,
  ].join('|')})(?: again)?(?: on)?(?: the)? $`,
  'i',
);
const SINCE = /\bsince(?: the)? $/i;
const STARTS_SINCE = /^since /i;
const STARTS_UP_TO = /^(?:(?:by|until|till|before) |for the \d)/i;

/**
 * On which sides of the moment at which a text was said an expression in it may lie, by the words of its sentence: "we met on Friday" and
 * "we meet on Friday"; of the day of a month alone by those of its clause: "Tom has an interview on the 16th, told nobody". Empty where
 * they tell nothing.
 */
export function sidesTold({
  text,
  written,
  at,
  end,
}: Pick<Expression, 'text' | 'written' | 'at' | 'end'>): readonly Side[] {
  const { left, right } = sentenceAround(text, { at, end }, ENDS_IN_ORDINAL.test(written) ? CLAUSE_END : SENTENCE_END);
  if (UP_TO.test(left) || MOVED_FROM.test(left) || MOVED_AND_WAS.test(left) || STARTS_UP_TO.test(written))
    return ['ahead'];
  if (SINCE.test(left) || STARTS_SINCE.test(written)) return ['past'];
  if (IS_COMING.test(left)) return ['ahead'];
  if (SETTLED_ON.test(left) || CANCELLED_BEFORE.test(left) || WAS_CANCELLED.test(right)) return ['past', 'ahead'];
  const sentence = left + right;
  const isPast = OF_THE_PAST.test(
    sentence.replace(IS_CANCELLED, '').replace(ARRANGED, '').replace(BEGINS_CLOSED, '').replace(SATURDAY, ''),
  );
  const isAhead = IS_OR_WILL_BE.test(sentence) || (!isPast && ARRANGED.test(sentence));
  return [...(isPast ? ['past' as const] : []), ...(isAhead ? ['ahead' as const] : [])];
}
