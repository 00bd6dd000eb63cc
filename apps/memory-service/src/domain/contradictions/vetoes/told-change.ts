import type { Clash, Reason } from '../clashes/clash.ts';
import { saysItLasts } from '../clashes/lasting-clash.ts';
import { areOfTwoCourses } from '../statements/courses.ts';
import type { Statement } from '../statements/statement.ts';

/** By these a statement says itself that something was otherwise before. */
const SINCE_THEN =
  /\bnew: |\b(?:(?<!right |for |by |until |up to )now(?! that)|from now on|no longer|any ?more|as of|instead(?! of)|from (?:[\w.]+ ){1,4}on(?:wards?)?|(?:up|down) from|(?<=\b(?:is|are|was|were) |['’](?:s|re|m) )down to)\b/i;
const CHANGED =
  /\b(?:moved|changed|switched|replaced|postponed|delayed|rescheduled|extended|shortened|prolonged|rais(?:ed|es|ing)|lower(?:ed|s|ing)|increased|reduced|doubled|halved|renamed|put off|pushed back|brought forward)\b/i;
/** It was never otherwise: "Jonas owns it now, he has been the owner since it was written". */
const ALL_ALONG = /\balways\b|\ball along\b|\bbeen\b.*\bsince\b/i;
/** Where nothing clashes, or a word its opposite, the change is what is said: "she has moved out". */
const OF_VALUES = new Set<Reason>(['number', 'date', 'version', 'name', 'state', 'exclusive_choice']);

/** What was still so may have ended since. */
const ENDS_IT = new Set<Reason>(['state', 'antonym']);

/** Whether the newer of two statements says itself that it changes what the older one says: "the voucher is 20 euros now". */
export function isToldChange(older: Statement, newer: Statement, clash: Clash | null): boolean {
  if (clash !== null && ENDS_IT.has(clash.reason) && saysItLasts(older) && !saysItLasts(newer)) return true;
  // Who kept a thing may change their mind.
  if (older.speaker === newer.speaker && areOfTwoCourses(older, newer)) return true;
  if (clash !== null && !OF_VALUES.has(clash.reason)) return false;
  const isTold = (text: string) => SINCE_THEN.test(text) || (clash !== null && CHANGED.test(text));
  return isTold(newer.text) && !isTold(older.text) && !ALL_ALONG.test(newer.text);
}
