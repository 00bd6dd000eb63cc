import { type Place, sentenceAround } from './sentence-around.ts';

/** Verbs by which something gets another day, in a pattern. */
export const MOVED =
  'brought forward|changed|delayed|moved|postponed|pushed(?: back)?|put off|rescheduled|shifted|slipped|switched';
/** "The party was moved from Friday to Monday". */
export const MOVED_FROM = new RegExp(`\\b(?:${MOVED})(?: [\\p{L}\\p{N}'’-]+){0,6}? from (?:the )?$`, 'iu');

/** Whether an expression is the day from which something was moved to another. */
export function isMovedFrom(text: string, place: Place): boolean {
  return MOVED_FROM.test(sentenceAround(text, place).left);
}
