import type { ValueKind } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { wordsOf } from '../../text/words/words.ts';

/** What a question asks for: a value that can be compared, or something else, such as a name. */
export type AskedValue = 'clock' | 'weekday' | 'date' | 'number' | 'other';

/** The values by which a question is answered. */
export const VALUE_KINDS: Readonly<Record<AskedValue, ReadonlySet<ValueKind>>> = {
  clock: new Set(['clock']),
  weekday: new Set(['weekday']),
  date: new Set(['date', 'weekday', 'year', 'clock']),
  number: new Set(['number']),
  other: new Set(),
};
const WHO_OR_WHERE = /^(?:\w+ ){0,2}?(?:who|whom|whose|where)\b/i;
const ASKS: readonly (readonly [AskedValue, RegExp])[] = [
  ['other', WHO_OR_WHERE],
  ['date', /\b(?:what|which) days?\b.* what (?:time|hour)\b|\bwhat (?:time|hour)\b.* (?:what|which) days?\b/i],
  // "The response time of the server" is a span.
  ['clock', /\b(?:what time|what hour)\b|(?:^\W*|\bthe )time of (?:the|our|my|your|his|her|their)\b/i],
  ['weekday', /\b(?:weekday|day of the week)\b/i],
  ['date', /\bwhen\b|\b(?:which|what) (?:date|day|month|year|week)s?\b|\b(?:deadline|date (?:of|for))\b/i],
  [
    'number',
    /\bhow (?:many|much|long|often|far|old|large|big|high|deep|fast|heavy|tall|wide)\b|\b(?:amount|average|budget|capacity|code(?= (?:of|for|to)\b|\W*$)|contribution|cost|count|coverage|depth|distance|dosage|dose|fee|goal|height|interval|length|limit|maximum|minimum|number|percentage|pressure|price|quota|rate|rent|salary|share|size|sum|target|temperature|threshold|total|value|weight|width)\b/i,
  ],
  // Behind the numbers: "the minimum of working hours" is one.
  ['clock', /\b(?:opening|office|working|business) hours\W*$/i],
];

/** Whether a question asks for a person or a place, of which no measure tells. */
export function asksWhoOrWhere(question: string): boolean {
  return WHO_OR_WHERE.test(question);
}

export function askedValue(question: string): AskedValue {
  return ASKS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}

/** Whether a text tells a value of the kind that is asked for; every text does where none is. */
export function tellsValue(asked: AskedValue, text: string): boolean {
  return asked === 'other' || valuesOf(wordsOf(text)).some(({ kind }) => VALUE_KINDS[asked].has(kind));
}
