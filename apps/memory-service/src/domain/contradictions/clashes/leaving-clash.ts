import type { Value } from '../../text/values/value.ts';
import type { Statement } from '../statements/statement.ts';
import { type Clash, SURE } from './clash.ts';

const NAME = String.raw`(?:Dr\.? |Mrs?\.? |Ms\.? )?\p{Lu}[\p{L}’'-]+?(?: \p{Lu}[\p{L}’'-]+?)?`;
/** "Kenji leaves at the end of November", "Rita's last day is 3 March": nothing follows that says what for. */
const SOMEBODY = String.raw`(?:${NAME}|(?:The|Our|My) \p{Ll}+(?: \p{Ll}+?)?)`;
const EMPLOYER = '(?:us|(?:the|our) (?:company|team|firm|clinic|group|lab|school|shop|project))';
const LEAVES = [
  new RegExp(
    `^(?<who>${NAME}) (?:leaves|is leaving|retires|is retiring|quits|resigns)(?: ${EMPLOYER})?(?: (?:on|at|in|by))?(?: the)? (?<when>[^,;:]+?)[.!]?$`,
    'u',
  ),
  new RegExp(
    `^(?<who>${SOMEBODY})['’]s? last (?:working )?day(?: (?:here|with us))?(?: is|:) (?:on )?(?:the )?(?<when>[^,;:]+?)[.!]?$`,
    'u',
  ),
];
/** "Of November", in "the end of November". */
const WORDS_OF_DATE = /^(?:the|of|end|beginning|middle|start|early|late|mid|next|this|on|at)$/;
/** What is work, as far as words tell: the farewell party and the next job are none. */
const WORKS =
  /^(?:is|will be) (?:on call|on duty|on (?:the )?(?:\p{L}+ )?shift|in charge|responsible)\b|^(?:will )?(?:leads?|presents?|teach(?:es)?|covers?|runs?|trains?|reviews?|chairs?|hosts?|handles?|deploys?|sees? patients|works?|takes? over|operates?|coaches?|conducts?)\b/u;
const MONTHS = 12;

/** One says when somebody leaves, and the other what they do at work later than that. */
export function leavingClash(a: Statement, b: Statement): Clash | null {
  const [there, back] = [workAfterLeaving(a, b), workAfterLeaving(b, a)];
  if (there) return { reason: 'state', strength: SURE, a: there.leaving, b: there.working };
  return back ? { reason: 'state', strength: SURE, a: back.working, b: back.leaving } : null;
}

function workAfterLeaving(leaving: Statement, working: Statement) {
  const found = LEAVES.map((form) => form.exec(leaving.text)?.groups).find((groups) => groups !== undefined);
  const [end, later] = [dateIn(leaving), dateIn(working)];
  if (!found || !end || !later || !isLater(later, end)) return null;
  const { who = '' } = found;
  if (!working.text.startsWith(`${who} `) || !WORKS.test(working.text.slice(who.length + 1))) return null;
  return isDateAlone(leaving, found.when ?? '', end) ? { leaving: placesOf(end), working: placesOf(later) } : null;
}

/** Whether a text is a date and nothing else: not "on 31 May for a holiday". */
function isDateAlone({ words, text }: Statement, when: string, { from, to }: Value): boolean {
  const start = text.lastIndexOf(when);
  return words.every(
    ({ start: at, end, lower }, place) =>
      at < start || end > start + when.length || (place >= from && place <= to) || WORDS_OF_DATE.test(lower),
  );
}

/** The one date of a statement. */
function dateIn({ values }: Statement): Value | null {
  const dates = values.filter(({ kind }) => kind === 'date');
  return dates.length === 1 ? (dates[0] as Value) : null;
}

/** Whether a date is after another one, within half a year: the year is mostly not said. */
function isLater(later: Value, earlier: Value): boolean {
  const [[month, day], [otherMonth, otherDay]] = [partsOf(later), partsOf(earlier)];
  if (month === 0 || otherMonth === 0) return false;
  const months = (month - otherMonth + MONTHS) % MONTHS;
  return (months > 0 && months < MONTHS / 2) || (months === 0 && otherDay > 0 && day > otherDay);
}

/** Month and day of a date; 0 for what it does not say. */
function partsOf({ value }: Value): [number, number] {
  const [month = '', day = ''] = String(value).split('-');
  return [Number(month), Number(day)];
}

function placesOf({ from, to }: Value): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
