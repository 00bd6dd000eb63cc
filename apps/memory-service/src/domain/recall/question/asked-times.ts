import { DAY_MS, instantOf, wallTime } from '@agent-faculties/service-kit';
import { termsOfAsked } from '../../text/days/day-terms.ts';
import { SATURDAY, TELLS_PAST } from '../../text/days/side-of-now.ts';
import { periodNamed } from '../../text/times/period-named.ts';
import { beginningOf, type TimePeriod } from '../../text/times/time-period.ts';
import { askingPart } from './asking-part.ts';

/** The times that a question names. */
interface AskedTimes {
  /** Before now, or today; null where it names none. */
  readonly past: TimePeriod | null;
  /** Ahead, or today; null where it names none or asks about the past. */
  readonly ahead: TimePeriod | null;
  /** The terms of the days in them, by which memories that name those are found. */
  readonly days: readonly string[];
  /** Whether the time ahead is that of all that is coming up, for which only an agenda asks: "the upcoming launch" is a thing. */
  readonly isAnyAhead: boolean;
  /** The text in which they are read: of a message that tells something too, what it asks; the whole text else. */
  readonly readIn: string;
}

/** Characters in which the form of a question is looked for. */
const LOOKED_AT = 300;
/** "What happened in May", "what is new this week", "what did Ann say on Friday": in the last May, on the last Friday. */
const OF_THE_PAST = new RegExp(
  `\\b(?:${TELLS_PAST}|says?|since|ago|last|yesterday|news|recap|summary|summari[sz]e|(?:what(?:['’]s| is)|anything|something) new|[a-z]{3,}(?<!arrang|book|decid|expect|invit|need|plann|reserv|schedul|suppos)ed)\\b`,
  'i',
);
/** "Due by Friday": from today on. */
const UP_TO =
  /\b(?:by|until|till|before) (?:the )?(?:\d|end\b|early\b|mid\b|late\b|next\b|this\b|to(?:day|morrow|night)\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|christmas\b|new year\b|boxing\b|halloween\b|eo[wmqy]\b|q[1-4]\b)/i;
/** "What did we plan for Friday?": said before a day that may be over or ahead. */
const PLANNED =
  /\b(?:agreed?|arranged?|book(?:ed)?|plan(?:ned)?|promised?|reserved?|scheduled?|set up)\b.{0,40}? (for|on) (?:the )?(?:weekend|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)/i;
/** What lies ahead without a day. */
const UPCOMING =
  /\b(?:coming up|upcoming|lies? ahead|ahead of (?:me|us)|on (?:my|our|the|[\p{L}]+['’]s) (?:agenda|calendar|schedule))\b/iu;
/** The days of which it asks, and in which what happens each week is on the agenda. */
const UPCOMING_DAYS = 31;

/**
 * Reads the times of a question. "I was ill last week. What broke on 14 November?" asks about that day, and "My train leaves at noon. How
 * much does the parcel weigh?" about none.
 * @param now epoch milliseconds; what "tomorrow" refers to
 */
export function timesAsked(text: string, now: number): AskedTimes {
  const { past, ahead, ...times } = timesIn(askingPart(text) ?? text, wallTime(now));
  return { ...times, past: past && ofInstants(past), ahead: ahead && ofInstants(ahead) };
}

function ofInstants(period: TimePeriod): TimePeriod {
  return { ...period, from: instantOf(period.from), until: instantOf(period.until) };
}

/** All in wall time. */
function timesIn(text: string, now: number): AskedTimes {
  const past = periodNamed(text, now);
  const form = text.slice(0, LOOKED_AT);
  const isOfThePast = OF_THE_PAST.test(form.replace(SATURDAY, ''));
  const isOver = past !== null && isOfThePast;
  const planned = isOver ? PLANNED.exec(form)?.[1]?.toLowerCase() : undefined;
  // "Agreed on Friday" is what was said then, or said of the Friday ahead.
  const beside = planned === 'on' ? aheadNamed(text, now, form) : null;
  const next = isOver && planned !== 'for' ? null : aheadNamed(text, now, form);
  // Of a quarter that has just begun, the past is not read.
  const named = isOfThePast && next?.unit === 'quarter' && next.from <= now ? null : next;
  const isAnyAhead = past === null && named === null && UPCOMING.test(form);
  const ahead = isAnyAhead ? upcoming(now) : named;
  // "On Friday" is one day, and a month or a date without a year may be the last one or the next.
  const before = past && (!ahead || past.ofAnyYear || planned) ? termsOfAsked(past, { recurring: false }) : [];
  const recurring = ahead !== null && ahead.from - now < UPCOMING_DAYS * DAY_MS;
  const behind = ahead ?? beside;
  const days = [...before, ...(behind ? termsOfAsked(behind, { recurring }) : [])];
  return { past, ahead, days: [...new Set(days)], isAnyAhead, readIn: text };
}

function aheadNamed(text: string, now: number, form: string): TimePeriod | null {
  const period = periodNamed(text, now, 'ahead');
  return period && UP_TO.test(form) ? { ...period, from: Math.min(period.from, beginningOf(now, 'day')) } : period;
}

function upcoming(now: number): TimePeriod {
  const from = beginningOf(now, 'day');
  return { from, until: from + UPCOMING_DAYS * DAY_MS, unit: 'week', ofAnyYear: false };
}
