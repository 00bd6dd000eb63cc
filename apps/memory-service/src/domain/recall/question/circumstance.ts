import type { Role } from '../../memory/memory.ts';
import { HOLIDAY } from '../../text/times/holidays.ts';
import { inYearOf, isWeekAtMost, type TimePeriod } from '../../text/times/time-period.ts';
import { STOP_WORDS } from '../../text/words/stop-words.ts';

/** What a question without a subject asks for: all that was said in a time, by one speaker, or both; or all that lies in a time ahead. */
export interface Circumstance {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  /** Whether it may be the same time of another year. */
  readonly ofAnyYear: boolean;
  /** Whether what lies in that time is asked for, which is told by memories that name its days, and not what was said in it. */
  readonly isAhead: boolean;
  /** Whether the words of one speaker are asked for, whom the question names. */
  readonly isOfSpeaker: boolean;
  /** Whether only what was said in that time is asked for, and not what is told of it later. */
  readonly isOfTalk: boolean;
  /** Whose words are asked for where nobody is named; null: anybody's. */
  readonly saidBy: Role | null;
  /** Whether the message that asks tells something too, which what is of another time or speaker may be about. */
  readonly isBeside: boolean;
}

/** What is known of a memory that was said. */
interface Said {
  readonly createdAt: number;
  /** Whether it names a day that the question asks about. */
  readonly namesDay: boolean;
  readonly role: Role | null;
  /** Whether it is what an agent noted of its user. */
  readonly isOfUser: boolean;
  /** 1 where the speaker whom the question names said it. */
  readonly speaker: -1 | 0 | 1;
}

/** The characters of a question without a subject, at most. */
const MOST_CHARACTERS = 120;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu;
const CLITIC = /['’]\p{L}{1,2}(?!\p{L})/gu;
/** "What happened", "so what did we do", "summarise": a message such as "I worked yesterday" asks nothing. */
const ASKS = /^\W*(?:\w+ ){0,3}?(?:what|who|anything|everything|news|recap|summary|summari[sz]e)\b/i;
/** Words that ask about the past. "What do I have to do today" has none, and asks for messages from before today. */
const OF_THE_PAST =
  /\b(?:did|was|were|happened|changed|went|done|said|told|talked|discussed|mentioned|worked|reported|learned|learnt|news|recap|summary|summari[sz]e)\b|\b(?:what(?:['’]s| is)|anything|something) new\b/i;
/** Words of any talk, any event, anybody and any time. */
const TALK = 'say|said|tell|told|talk(?:ed)?|discuss(?:ed)?|mention(?:ed)?|report(?:ed)?|announced?';
const OF_ANY_TALK = new RegExp(`\\b(?:${TALK})\\b`, 'i');
const DOING = 'happen(?:ed)?|changed?|went|go(?:ing)?|done|did|work(?:ed)?|learn(?:ed|t)?';
const NO_SUBJECT = new RegExp(
  `^(?:${TALK}|${DOING}|news?|recap|summary|summari[sz]e|anything|everything|something|things?|everyone|everybody|anyone|anybody|team|agents?` +
    '|[\\d./-]+(?:st|nd|rd|th)?|today|yesterday|morning|afternoon|evening|night|(?:week|month|year|day|hour)s?|weekend|fortnight|last|past|previous|ago|early|earlier|mid|late|later|half|quarters?|q[1-4]|rest|remainder|eo[wmqy]|beginning|middle|end|one|two|three|four|five|six|seven|few|couple' +
    '|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?' +
    '|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$',
);
/** "Who worked on 3 May?" asks for one who did that, and not for all that was done then. */
const ASKS_WHO = /^\W*(?:\w+ ){0,2}?who\b/i;
const OF_DOING = new RegExp(`^(?:${DOING})$`);
/** "The second week", "the first of May"; "the first version" is a thing. */
const WHICH_PART =
  /\b(?:first|second|third|fourth|latter) (?=(?:few )?(?:day|week|half|quarter)s?\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|of\b)/gi;
/** What somebody did then by saying it: "what did Ann decide yesterday". What was said "for Sunday" was said at another time. */
const BY_SAYING =
  /^(?:agreed?|announced?|answer(?:ed)?|ask(?:ed)?|complain(?:ed)?|decided?|proposed?|recommend(?:ed)?|request(?:ed)?|suggest(?:ed)?|think|thought|want(?:ed)?|warn(?:ed)?)$/;
const FOR = /\bfor\b/i;
/** The time that is named is not the one that is asked for. */
const ANOTHER_TIME = /\b(?:before|after|until|till|by|when|how long|which)\b/i;
const SINCE = /\bsince\b/i;
/** "What is on tomorrow?", "any meetings on Friday", "our agenda for next week". */
const ASKS_AHEAD =
  /^\W*(?:\w+ ){0,3}?(?:what|which|who|is there|are there|do (?:i|we) have|have (?:i|we)|any|anything|everything|agenda|calendar|schedule|plans?|upcoming|(?:am|are) (?:i|we) (?:busy|free|available))\b/i;
const HOLIDAYS = new RegExp(`\\b${HOLIDAY}\\b`, 'giu');
/** "What day is tomorrow?", "what is the date on Friday?" */
const OF_THE_CALENDAR =
  /\b(?:what|which) (?:weekday|day(?: of the week)?|date|week(?: of the year)?|month|year) (?:is|was|will)(?: it| be)* (?:on |in |today|tomorrow|yesterday|next|last|this|now|the \d|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:the|['’]s) (?:date|weekday)(?= ?\?|$| (?:is|on|in|today|tomorrow|next|of (?:the )?(?:next|last|this|coming|first|mon|tues|wednes|thurs|fri|satur|sun))\b)/i;
const NOT_IN_IT = /\b(?:after(?! next)|if|when|how long)\b/i;
/** Words of any event that lies ahead, and those that ask for it. */
const NO_EVENT =
  /^(?:agenda|appointments?|after|ahead|arranged|available|begins?|booked|bring|busy|calendar|coming|dates?|deadlines?|diary|does|due|ends?|events?|expect(?:ed)?|finish|free|gets?|give|got|happen(?:s|ing)?|know|left|lies?|like|list|looks?|meetings?|need|next|plan(?:s|ned|ning)?|remain(?:s|ing)?|rest|schedules?|scheduled|show|start(?:s|ing)?|tasks?|tomorrow|tonight|upcoming)$/;

/** The words of a short question that tell what it is about; null where it does not ask for what was said or happened. */
function subjectOf(text: string, names: readonly string[]): string[] | null {
  if (text.length > MOST_CHARACTERS || !ASKS.test(text) || !OF_THE_PAST.test(text) || ANOTHER_TIME.test(text))
    return null;
  const known = new Set(names.flatMap(wordsOf));
  const isDone = (word: string) => ASKS_WHO.test(text) && OF_DOING.test(word);
  return wordsOf(text.replace(HOLIDAYS, '').replace(WHICH_PART, '')).filter(
    (word) => !(known.has(word) || STOP_WORDS.has(word) || (NO_SUBJECT.test(word) && !isDone(word))),
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().replace(CLITIC, '').match(WORD) ?? [];
}

/** The only word that a question says of whom or what it is about, such as the agent in "what did ops say in May". */
export function onlySubject(text: string): string | null {
  const subject = subjectOf(text, []);
  return subject?.length === 1 ? (subject[0] as string) : null;
}

/**
 * What a question asks for by time and speaker alone, such as "What happened yesterday?"; null where it has a subject. Its words and
 * its meaning tell nothing of its answers.
 * @param about.names of the one speaker that it names; empty: it names none
 */
export function circumstanceAsked(
  text: string,
  {
    names,
    period,
    ahead,
    saidBy,
  }: { names: readonly string[]; period: TimePeriod | null; ahead: TimePeriod | null; saidBy: Role | null },
): Circumstance | null {
  if (ahead !== null && asksAgenda(text, names))
    return { ...ahead, isAhead: true, isOfSpeaker: false, isOfTalk: false, saidBy: null, isBeside: false };
  const isOfSpeaker = names.length > 0;
  // What all have said in a week is little enough; in a month the word for it finds what was decided.
  const isBySaying = period !== null && !FOR.test(text) && (isOfSpeaker || isWeekAtMost(period));
  const subject = subjectOf(text, names)?.filter((word) => !(isBySaying && BY_SAYING.test(word)));
  if (subject?.length !== 0) return null;
  if (!period && !(isOfSpeaker && OF_ANY_TALK.test(text))) return null;
  return {
    from: period?.from ?? Number.NEGATIVE_INFINITY,
    until: period && !SINCE.test(text) ? period.until : Number.POSITIVE_INFINITY,
    ofAnyYear: period?.ofAnyYear ?? false,
    isAhead: false,
    isOfSpeaker,
    isOfTalk: isOfSpeaker && OF_ANY_TALK.test(text),
    saidBy,
    isBeside: false,
  };
}

/** Whether a question asks for all that lies in a time ahead: its words beside those of the time are words of any event. */
function asksAgenda(text: string, names: readonly string[]): boolean {
  if (names.length > 0 || text.length > MOST_CHARACTERS || !ASKS_AHEAD.test(text) || NOT_IN_IT.test(text)) return false;
  if (OF_THE_CALENDAR.test(text)) return false;
  const words = wordsOf(text.replace(HOLIDAYS, '').replace(WHICH_PART, ''));
  return words.every((word) => STOP_WORDS.has(word) || NO_SUBJECT.test(word) || NO_EVENT.test(word));
}

/**
 * Whether a memory was said when and by whom is asked, or names the time ahead that is asked for; null: it was not, and may tell of it,
 * as what was said later may, or what was said before and names it.
 */
export function fitsCircumstance(asked: Circumstance, said: Said): boolean | null {
  const fits = fitsAlone(asked, said);
  return fits === false && asked.isBeside ? null : fits;
}

function fitsAlone(asked: Circumstance, { createdAt, namesDay, role, isOfUser, speaker }: Said): boolean | null {
  if (asked.isAhead) return namesDay;
  if (asked.isOfSpeaker && speaker !== 1) return false;
  const isSaidBy = role === null || role === asked.saidBy || (asked.saidBy === 'user' && isOfUser);
  if (asked.saidBy !== null && !isSaidBy) return false;
  if (createdAt >= asked.until) return asked.isOfTalk ? false : namesDay || null;
  if (createdAt >= asked.from) return true;
  if (namesDay && !asked.isOfTalk) return null;
  if (!asked.ofAnyYear) return false;
  const inItsYear = inYearOf(asked, createdAt);
  return inItsYear >= asked.from && inItsYear < asked.until ? null : false;
}

/**
 * Whether a memory tells what was planned once, for a question about what lies ahead.
 * @param isPast whether what held at another moment is asked for
 */
export function isPlannedNoMore(
  asked: Circumstance | null,
  { supersededBy }: { readonly supersededBy: string | null },
  { isPast }: { readonly isPast: boolean },
): boolean {
  return asked?.isAhead === true && !isPast && supersededBy !== null;
}
