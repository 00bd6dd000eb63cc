import type { Word } from '../words/words.ts';
import { DAYS_OF_MONTH, plainNumber } from './number.ts';
import { lowerAt, type Value } from './value.ts';

/** How many days a span of time has. */
const DAYS_OF = new Map(
  Object.entries({
    minute: 1 / 1440,
    hour: 1 / 24,
    day: 1,
    night: 1,
    week: 7,
    month: DAYS_OF_MONTH,
    quarter: 3 * DAYS_OF_MONTH,
    year: 12 * DAYS_OF_MONTH,
  }),
);

/** How many days lie between two times of what happens so often. */
const DAYS_APART = new Map(
  Object.entries({
    hourly: 1 / 24,
    daily: 1,
    nightly: 1,
    weekly: 7,
    fortnightly: 14,
    monthly: DAYS_OF_MONTH,
    quarterly: 3 * DAYS_OF_MONTH,
    yearly: 12 * DAYS_OF_MONTH,
    annually: 12 * DAYS_OF_MONTH,
  }),
);

/** Words with which such an expression may begin, but for numbers. */
export const OFTEN_WORDS = [...DAYS_APART.keys(), 'every', 'each', 'once', 'twice'];

/** How often something happens, in times a day: "nightly", "once a week", "every six hours". */
export function oftenAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  const daysApart = DAYS_APART.get(lower);
  if (daysApart !== undefined) return { kind: 'number', value: 1 / daysApart, unit: 'often', from: at, to: at };
  const isEvery = lower === 'every' || lower === 'each';
  const times = lower === 'once' ? 1 : lower === 'twice' ? 2 : null;
  if (!isEvery && times === null) return null;
  const counted = isEvery ? plainNumber(lowerAt(words, at + 1)) : null;
  const unitAt = counted || /^(?:an?|per|every|each|second|other)$/.test(lowerAt(words, at + 1)) ? at + 2 : at + 1;
  const days = DAYS_OF.get(lowerAt(words, unitAt).replace(/s$/, ''));
  if (days === undefined || (times !== null && unitAt === at + 1)) return null;
  const apart = /^(?:second|other)$/.test(lowerAt(words, at + 1)) ? 2 : (counted?.value ?? 1);
  return { kind: 'number', value: (times ?? 1) / (apart * days), unit: 'often', from: at, to: unitAt };
}
