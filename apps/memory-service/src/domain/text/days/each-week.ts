import { isCalledOff } from './called-off.ts';
import { everyWeekdayFromTo } from './kinds/recurring.ts';
import type { NamedTime } from './named-time.ts';
import { sentenceAround } from './sentence-around.ts';
import { sidesTold } from './side-of-now.ts';

// A range of weekdays that is said of each week: "Mon-Fri", "daily stand-up Mon-Thu".

const OF_ONE_WEEK = /^,? (?:this|next) week\b/i;

/** "Mon-Fri" is mostly said of each week. @param range with long weekdays @param behind what stands behind it */
export function asEachWeek(range: string, behind: string): string {
  return range === 'monday to friday' && !OF_ONE_WEEK.test(behind) ? 'every weekday' : range;
}

/**
 * Before a range in its clause: "weekly sync Mon-Tue"; "the daily is off Mon-Wed" is of these days, "biweekly" of every other week, and
 * "weekly planning moves from Monday to Tuesday" is a move.
 */
const EACH_WEEK =
  /\b(?:always|(?:each|every) (?:afternoon|day|evening|morning|night|week)|(?<!\bwithout )daily(?!.* (?:away|not|off|out)\b)|(?<!\bwithout |\bbi-)weekly(?!.* (?:away|from|not|off|out)\b))\b[^,;:()]{0,40}[,:]? ?\(?$/i;
const IN_ONE_WEEK = /\b(?:this|next|last|coming|past) week\b/i;

/** Two weekdays as what happens on each of those from one to the other; null where nothing tells that it is of each week. */
export function rangeOfEachWeek(first: NamedTime, last: NamedTime, text: string): NamedTime | null {
  const place = { at: first.at, end: last.end };
  const { left, right } = sentenceAround(text, place);
  if (!EACH_WEEK.test(left) || IN_ONE_WEEK.test(left + right) || isCalledOff(text, place)) return null;
  const { expression: written, at, end } = first;
  // "We had daily calls Mon-Wed."
  const sides = sidesTold({ text, written, at, end });
  if (sides.includes('past') && !sides.includes('ahead')) return null;
  const recurring = everyWeekdayFromTo(first.expression, last.expression);
  return recurring && { ...first, end: last.end, recurring, periods: [] };
}
