import { atOnce, wallTime } from '@agent-faculties/service-kit';
import { namedDaysInSteps } from '../../text/days/named-days.ts';
import type { Pair } from './pair.ts';
import { tellsOfChange } from './tells-of-change.ts';

/**
 * Whether the older statement names a day that is asked for, and the newer one other days alone: that Bob is on call on 5 December says
 * nothing of 4 December. What says a change may say which day it is instead: "The review has moved to 14 December."
 */
export function isOfOtherDay({ older, newer }: Pair): boolean {
  const { namesDay, createdAt } = newer.candidate.evidence;
  if (!older.candidate.evidence.namesDay || namesDay || tellsOfChange(newer.text)) return false;
  return atOnce(namedDaysInSteps(newer.text, wallTime(createdAt))).length > 0;
}
