import { MONTH, SHORT_WEEKDAY, WEEKDAY } from '../words/calendar.ts';
import { MOVED, MOVED_FROM } from './moved.ts';
import { type Place, sentenceAround } from './sentence-around.ts';

// What does not take place on a day that its sentence names: "no stand-up on Friday", "Thursday's demo is cancelled", "moved from Friday to
// Monday". Precision comes first: an agenda that calls off what takes place is worse than one that leaves the words to the reader.

const DAY = `(?:${WEEKDAY}|today|tomorrow)`;
/** Where a clause ends; not between the days of a list. */
const CLAUSE_BREAK = new RegExp(
  `,(?! (?:and )?(?:the )?(?:\\d|${DAY}))| [–-] |;| (?:but|so|because|since|while|then)\\b| and (?=(?:the|we|it|i|they|he|she|you|there|our|my|that|this|will|is|are|now)\\b)`,
  'gi',
);
const CANCELLED = 'cancel+ed|called off|scrapped';
const NEGATED = "(?:do|does|did|is|are|was|were|will|wo|has|have|had)(?:n['’]t| not)";
const NOT_HELD = `${NEGATED} (?:be |been |being )?(?:taking place|take place|taken place|happen(?:ing|ed)?|held|meet(?:ing)?|met|going ahead)|not meeting`;
const IS_OFF = new RegExp(
  `\\b(?:${CANCELLED}|${NOT_HELD}|skip(?:s|ping)?|skipped(?= (?:next|this|today|tomorrow)))\\b`,
  'i',
);
/** "It is not cancelled", "the match may be cancelled": it takes place, as far as is known. */
const IS_NOT_SURE =
  /\b(?:not|never|n['’]t)(?: (?:be|been|being|get))? (?:cancel|called off)|\b(?:if|unless|whether|might|may be|could|would|in case|risk)\b/i;
/** What is cancelled on a day and does not lie on it. */
const NO_EVENT =
  /\b(?:accounts?|cards?|contracts?|insurances?|licen[cs]es?|memberships?|orders?|polic(?:y|ies)|subscriptions?)\b/i;
/** "Tom cancelled on Friday": when he said so, or for that day. */
const DONE_THEN = new RegExp(
  `(?<!\\b(?:is|are|be|being|been|gets?|['’]s) )(?:${CANCELLED}) (?:it |them |this |that )?(?:(?:by|before|on|since) )(?:the )?$`,
  'i',
);
const UP_TO = /\b(?:by|before|since|until|till|than)(?: the)? $/i;
const TO_ANOTHER = `(?: (?:back|forward|on|again))?(?= (?:to|until|till) (?:the )?(?:\\d{1,2}(?! ?(?:[ap]m|[:.]\\d))|(?:next|tomorrow|${WEEKDAY}|${SHORT_WEEKDAY}|${MONTH}|another|later)\\b))`;
const MOVED_AWAY = new RegExp(
  `^(?:['’]s(?: [\\p{L}\\p{N}-]+){1,4})?(?: (?:is|are|was|were|has been|have been|had to be|will be|gets?|got))?(?: being)? (?:(?:${MOVED})${TO_ANOTHER}|(?:postponed|put off|rescheduled)\\b(?! (?:to|until|till) (?:\\d{1,2} ?(?:[ap]m|[:.]\\d))))`,
  'iu',
);
/** "Moved to Thursday (was Wednesday)". */
const WAS_THEN = new RegExp(`\\b(?:${MOVED})\\b.*\\b(?:was|were)(?: on)? $`, 'i');
const MOVED_OF = new RegExp(`\\b(?:${MOVED}) $`, 'i');
const OF_THE_DAY = /^['’]s /;
/** Behind "no": what is no event. */
const NO_THING =
  '(?:answers?|chance|change|choice|comments?|danger|deadlines?|decisions?|doubt|earlier|fewer|good|hurry|idea|issues?|later|less|longer|matter|more|need|news|objections?|one|plans?|pressure|problems?|questions?|reason|repl(?:y|ies)|rush|sign|sooner|thanks|time|updates?|use|way|wonder|worr(?:y|ies))';
const NO_EVENT_ON = new RegExp(
  `\\b(?:no|(?:do|does|did|wo|will)(?:n['’]t| not) have(?: an?| any| our| the)?|wo(?:n['’]t| not) be(?: an?| any)?|will not be(?: an?| any)?) (?!${NO_THING}\\b)((?:[\\p{L}-]+ ){1,4}?)(?:(?:on|this|for|in|at|during|over) )?(?:the )?$`,
  'iu',
);
const HAS_VERB = /\b(?:are|can|came|comes?|did|do|does|had|has|have|is|made|was|were|will)\b/i;
const NO_EVENT_THEN = new RegExp(
  `^(?:['’]s)?[:,]?(?: –| -)?(?: (?:(?:there|we|it) (?:is|are|has|have|will be|will have)|there['’](?:s|ll be)|we['’](?:ve|ll have)|is|are|has|have))? no (?!${NO_THING}\\b)\\p{L}(?![^.;]* (?:next|on|this) ${WEEKDAY})`,
  'iu',
);

/** Whether what a text says of a day is that something does not take place on it. @param place of the expression for it */
export function isCalledOff(text: string, place: Place): boolean {
  const { left, right } = sentenceAround(text, place);
  if (UP_TO.test(left) || IS_NOT_SURE.test(left + right)) return false;
  if (isMovedAway(left, right) || isNoEvent(left, right)) return true;
  const clause = `${left.split(CLAUSE_BREAK).at(-1)}${text.slice(place.at, place.end)}${right.split(CLAUSE_BREAK, 1)[0]}`;
  return IS_OFF.test(clause) && !NO_EVENT.test(clause) && !DONE_THEN.test(left);
}

function isMovedAway(left: string, right: string): boolean {
  return (
    MOVED_FROM.test(left) ||
    WAS_THEN.test(left) ||
    MOVED_AWAY.test(right) ||
    (MOVED_OF.test(left) && OF_THE_DAY.test(right))
  );
}

/** "No stand-up on Friday", "Friday: no call". */
function isNoEvent(left: string, right: string): boolean {
  const event = NO_EVENT_ON.exec(left)?.[1];
  return (event !== undefined && !HAS_VERB.test(event)) || NO_EVENT_THEN.test(right);
}
