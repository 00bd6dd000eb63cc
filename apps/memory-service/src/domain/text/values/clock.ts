import type { Word } from '../words/words.ts';
import { isWeekday } from './date.ts';
import { ONES } from './number.ts';
import { lowerAt, type Value } from './value.ts';

/** Words with which a time may begin, but for numbers. */
export const CLOCK_WORDS = 'noon midday midnight half quarter'.split(' ');
export const CLOCK = /^(\d{1,2})(?:[:.](\d{2}))?(am|pm|h)?$/;

export function clockAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  if (lower === 'noon' || lower === 'midday') return { kind: 'clock', value: 720, unit: '', from: at, to: at };
  if (lower === 'midnight') return { kind: 'clock', value: 0, unit: '', from: at, to: at };
  const spoken = spokenAt(words, at);
  if (spoken) return spoken;
  const match = CLOCK.exec(lower);
  if (!match) return null;
  const next = lowerAt(words, at + 1);
  const suffix = match[3] ?? (next === 'am' || next === 'pm' ? next : undefined);
  const isClock =
    suffix === 'am' || suffix === 'pm' || (match[2] !== undefined && lower.includes(':')) || next === "o'clock";
  if (!isClock) return null;
  const hour = (Number(match[1]) % (suffix === 'pm' || suffix === 'am' ? 12 : 24)) + (suffix === 'pm' ? 12 : 0);
  const to = match[3] === undefined && (suffix !== undefined || next === "o'clock") ? at + 1 : at;
  return { kind: 'clock', value: hour * 60 + Number(match[2] ?? 0), unit: '', from: at, to };
}

/** Times as they are spoken: half past nine, quarter to ten, nine o'clock, at nine in the morning, at nine. */
function spokenAt(words: readonly Word[], at: number): Value | null {
  const past = pastAt(words, at);
  const hour = hourOf(lowerAt(words, at));
  if (past === null && hour === null) return null;
  const last = past === null ? at : at + 2;
  const to = lowerAt(words, last + 1) === "o'clock" ? last + 1 : last;
  const half = halfOfDayAt(words, to + 1);
  if (to === at && !isHourAlone(words, at, half)) return null;
  const minutes = past ?? (hour as number) * 60;
  if (half === null) {
    return { kind: 'clock', value: minutes, unit: '', isOfEitherHalf: minutes < HALF_A_DAY + 60, from: at, to };
  }
  // "At night" is from six in the evening to six in the morning.
  const isLate = half.of === 'night' ? minutes % HALF_A_DAY >= HALF_A_DAY / 2 : half.of !== 'morning';
  const value = (minutes % HALF_A_DAY) + (isLate ? HALF_A_DAY : 0);
  return { kind: 'clock', value, unit: '', from: at, to: half.to };
}

/** In minutes. */
export const HALF_A_DAY = 720;

/** Half past nine and quarter to ten, in minutes after midnight. */
function pastAt(words: readonly Word[], at: number): number | null {
  const [part, link] = [lowerAt(words, at), lowerAt(words, at + 1)];
  if ((part !== 'half' && part !== 'quarter') || (link !== 'past' && link !== 'to')) return null;
  const hour = hourOf(lowerAt(words, at + 2));
  if (hour === null) return null;
  const minutes = part === 'half' ? 30 : 15;
  return (hour * 60 + (link === 'past' ? minutes : 2 * HALF_A_DAY - minutes)) % (2 * HALF_A_DAY);
}

/** An hour of the clock, in words or digits. */
function hourOf(lower: string): number | null {
  const word = ONES.indexOf(lower);
  if (word > 0 && word <= 12) return word;
  return /^\d{1,2}$/.test(lower) && Number(lower) <= 24 ? Number(lower) : null;
}

interface HalfOfDay {
  readonly of: string;
  /** Position of its last word. */
  readonly to: number;
}

/** "In the morning", "at night", "pm". */
function halfOfDayAt(words: readonly Word[], at: number): HalfOfDay | null {
  const [first, second, third] = [lowerAt(words, at), lowerAt(words, at + 1), lowerAt(words, at + 2)];
  const short = HALVES_IN_SHORT.get(first);
  if (short !== undefined) return { of: short, to: at };
  if (first === 'at' && second === 'night') return { of: second, to: at + 1 };
  const isNamed = first === 'in' && second === 'the' && HALVES.has(third);
  return isNamed ? { of: third, to: at + 2 } : null;
}

const HALVES = new Set('morning afternoon evening'.split(' '));
const HALVES_IN_SHORT = new Map([
  ['am', 'morning'],
  ['a.m', 'morning'],
  ['pm', 'evening'],
  ['p.m', 'evening'],
]);

/**
 * Whether an hour counts nothing: "four pm", "ten sharp", "at nine in the morning", "starts at 10", "Friday at 10", and in words also "at nine", but not
 * "nine in the morning", "at nine sites" nor "the limit stays at nine".
 */
function isHourAlone(words: readonly Word[], at: number, half: HalfOfDay | null): boolean {
  const [word, before, next] = [words[at] as Word, lowerAt(words, at - 1), words[at + 1]];
  if (half?.to === at + 1 || next?.lower === 'sharp') return true;
  if (half !== null) return BEFORE_A_TIME.has(before) || BEFORE_A_TIME_OF_DAY.has(before);
  if (!BEFORE_A_TIME.has(before) || followsAmount(words, at)) return false;
  if (/\d/.test(word.lower) && !TAKES_A_TIME.test(lowerAt(words, at - 2)) && !isOfDay(words, at)) return false;
  const endsPart = next === undefined || next.startsSentence || next.start > word.end + 1;
  return endsPart || AFTER_A_TIME.has(next.lower) || isWeekday(next.lower);
}

/** "Wednesday at 5", "today at 4". */
function isOfDay(words: readonly Word[], at: number): boolean {
  const day = lowerAt(words, at - 2);
  return lowerAt(words, at - 1) === 'at' && (isWeekday(day) || NEAR_DAY.test(day));
}

/** Whether a word before it in the sentence is of an amount. */
function followsAmount(words: readonly Word[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - MOST_BETWEEN); before--) {
    if (AMOUNTS.has(lowerAt(words, before))) return true;
    if (words[before]?.startsSentence) return false;
  }
  return false;
}

const MOST_BETWEEN = 8;
const AMOUNTS = new Set('limit quota count number score rate level maximum minimum cap capped limited'.split(' '));
/** Before "at 10". */
const TAKES_A_TIME = /^(?:starts?|begins?|opens?|closes?|ends?|meets?|leaves?|arrives?|departs?)$/;
const NEAR_DAY = /^(?:today|tomorrow|tonight)$/;
const BEFORE_A_TIME = new Set('at until till before'.split(' '));
const BEFORE_A_TIME_OF_DAY = new Set('from to by after since around about'.split(' '));
const AFTER_A_TIME = new Set(
  'on in from for until till and but every each now today tomorrow sharp instead'.split(' '),
);
