import { DAY_NUMBER, MAYBE_YEAR, MONTH, WRITTEN_MONTH } from '../words/calendar.ts';
import type { Expression } from './kinds/kind.ts';
import { isMovedFrom } from './moved.ts';

// "Moved from 3 to 5 December": one expression of two days, of which the first is the old one, and the second the new one.

const FIRST_AND_TO = `(${DAY_NUMBER})( (?:to|until|till) (?:the )?)`;
const MONTH_BEHIND = new RegExp(`^${FIRST_AND_TO}(${DAY_NUMBER}((?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}))$`, 'i');
const MONTH_BEFORE = new RegExp(`^(${WRITTEN_MONTH} (?:the )?)${FIRST_AND_TO}(${DAY_NUMBER}(${MAYBE_YEAR}))$`, 'i');
/** "Moved from 3 to 5 December to 8 to 10 December": the span is moved. */
const GOES_ON = new RegExp(`^ (?:to|until|till) (?:the )?(?:\\d|${MONTH}\\b)`, 'i');

/** The days between which something was moved, one after the other; else the expression alone. */
export function daysOfMove<Found extends Expression>(found: Found): readonly Found[] {
  const { expression, text, at, end, behind } = found;
  const parts = partsOf(expression);
  if (!parts || GOES_ON.test(behind) || !isMovedFrom(text, { at, end })) return [found];
  const { from, to } = parts;
  return [
    { ...found, expression: from.expression, written: from.written, end: at + from.written.length },
    { ...found, expression: to.expression, written: to.written, at: end - to.written.length },
  ];
}

/** Each as it is written and as it is read: "3" as "3 December". */
function partsOf(expression: string) {
  const behind = MONTH_BEHIND.exec(expression);
  if (behind) {
    const [, first = '', , last = '', month = ''] = behind;
    return { from: { written: first, expression: `${first}${month}` }, to: { written: last, expression: last } };
  }
  const before = MONTH_BEFORE.exec(expression);
  if (!before) return null;
  const [, month = '', first = '', , last = '', year = ''] = before;
  const from = `${month}${first}`;
  return {
    from: { written: from, expression: `${from}${year}` },
    to: { written: last, expression: `${month}${last}` },
  };
}
