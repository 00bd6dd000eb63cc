import type { Word } from '../words/words.ts';
import { lowerAt, type Value } from './value.ts';

export const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
export const NUMBER_WORDS = new Map<string, number>([
  ...ONES.map((word, index) => [word, index] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
  ...TENS.flatMap((ten, i) => ONES.slice(1, 10).map((one, j) => [`${ten}-${one}`, 20 + 10 * i + j + 1] as const)),
  ['dozen', 12],
  ['once', 1],
  ['twice', 2],
]);
const SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['k', 1_000],
  ['million', 1e6],
  ['m', 1e6],
  ['billion', 1e9],
  ['dozen', 12],
]);
/** Units by dimension, each with its factor to the base unit. */
export const UNITS = new Map<string, readonly [string, number]>();
for (const [dimension, spellings] of Object.entries({
  time: 'ms:.001 millisecond:.001 s:1 sec:1 second:1 min:60 minute:60 h:3600 hr:3600 hour:3600 day:86400 week:604800 fortnight:1209600',
  months: 'month:1 year:12 yr:12 decade:120',
  length:
    'mm:.001 millimetre:.001 cm:.01 centimetre:.01 m:1 metre:1 meter:1 km:1000 kilometre:1000 kilometer:1000 mile:1609 feet:.3048 foot:.3048 inch:.0254',
  weight:
    'mg:.000001 g:.001 gram:.001 gramme:.001 kg:1 kilo:1 kilogram:1 t:1000 tonne:1000 ton:1000 pound:.4536 lb:.4536',
  volume: 'ml:.001 cl:.01 l:1 litre:1 liter:1 gallon:3.785',
  bytes:
    'b:1 byte:1 kb:1e3 kib:1024 kilobyte:1e3 mb:1e6 mib:1048576 megabyte:1e6 gb:1e9 gib:1073741824 gigabyte:1e9 gig:1e9 tb:1e12 terabyte:1e12',
  share: '%:1 percent:1 per-cent:1',
  temperature: 'degree:1 celsius:1 °c:1',
  euro: '€:1 euro:1 eur:1 cent:.01',
  dollar: '$:1 dollar:1 usd:1 buck:1',
  pound: '£:1 quid:1 gbp:1',
  power: 'w:1 watt:1 kw:1000 mw:1e6',
})) {
  for (const unit of spellings.split(' ')) {
    const [spelling = '', factor] = unit.split(':');
    UNITS.set(spelling, [dimension, Number(factor)]);
    if (spelling.length > 2) UNITS.set(`${spelling}s`, [dimension, Number(factor)]);
  }
}
UNITS.set('secs', ['time', 1]).set('mins', ['time', 60]).set('hrs', ['time', 3_600]).set('inches', ['length', 0.0254]);
/** The mean month of a year of 365.25 days. */
export const DAYS_OF_MONTH = 365.25 / 12;
const CURRENCY: Readonly<Record<string, string>> = { $: 'dollar', '€': 'euro', '£': 'pound', '¥': 'yen' };
const CURRENCY_CODES = new Map([
  ['eur', 'euro'],
  ['usd', 'dollar'],
  ['gbp', 'pound'],
]);
/** Words with which a price may begin, but for numbers. */
export const PRICE_WORDS = [...CURRENCY_CODES.keys()];
export const NUMBER = /^([$€£¥]?)(\d{1,3}(?:[,’]\d{3})+|\d+)(\.\d+)?([%€£]|°c|[a-z]{1,4})?$/;
/** Words that may stand between a number and the thing that it counts: seven new members. */
const PASSED_OVER = new Set('new old more other extra further whole full different'.split(' '));

/** "After a week"; not "twice a week". */
const BEFORE_A_SPAN = /^(?:after|within|for|lasts?|takes?)$/;
/** Behind "two of": a part of what another number counts. */
const OF_THEM = /^(?:them|these|those|us|you|which|whom)$/;
const PARTS = new Map([
  ['half', 1 / 2],
  ['quarter', 1 / 4],
]);
/** Words with which a part may begin. */
export const PART_WORDS = ['a', 'an', ...PARTS.keys()];
/** Units of a time that may go on in a smaller one. */
const SPANS: ReadonlySet<string> = new Set(['time', 'months']);

/** A unit with an article, and its parts: after a week, an hour and a half, half an hour, a quarter of a pound. */
export function partAt(words: readonly Word[], at: number): Value | null {
  const whole = UNITS.get(lowerAt(words, at + 1));
  if (whole && /^an?$/.test(lowerAt(words, at))) {
    const part = andAPart(words, at + 2);
    if (part !== null) return { kind: 'number', value: whole[1] * (1 + part), unit: whole[0], from: at, to: at + 4 };
    if (whole[0] === 'time' && BEFORE_A_SPAN.test(lowerAt(words, at - 1)))
      return { kind: 'number', value: whole[1], unit: whole[0], from: at, to: at + 1 };
  }
  const part = PARTS.get(lowerAt(words, at));
  if (part === undefined) return null;
  const article = lowerAt(words, at + 1) === 'of' ? at + 2 : at + 1;
  const unit = UNITS.get(lowerAt(words, article + 1));
  if (!unit || !/^an?$/.test(lowerAt(words, article))) return null;
  return { kind: 'number', value: part * unit[1], unit: unit[0], from: at, to: article + 1 };
}

/** The part in "and a half"; null where the words from there on name none. */
function andAPart(words: readonly Word[], at: number): number | null {
  if (lowerAt(words, at) !== 'and' || lowerAt(words, at + 1) !== 'a') return null;
  return PARTS.get(lowerAt(words, at + 2)) ?? null;
}

/** "EUR 4,900". */
export function priceAt(words: readonly Word[], at: number): Value | null {
  const unit = CURRENCY_CODES.get(lowerAt(words, at));
  const number = unit === undefined ? null : plainNumber(lowerAt(words, at + 1));
  if (unit === undefined || number?.unit !== null) return null;
  return { kind: 'number', value: number.value, unit, from: at, to: at + 1 };
}

/** "Two and a half million", "12 new members", "5 km". */
export function numberAt(words: readonly Word[], at: number): Value | null {
  const first = plainNumber(lowerAt(words, at));
  if (!first) return null;
  const part = first.unit === null ? andAPart(words, at + 1) : null;
  const whole = part === null ? { value: first.value, to: at } : { value: first.value + part, to: at + 3 };
  const { value, to } = scaled(words, whole);
  const unit = first.unit ?? UNITS.get(lowerAt(words, to + 1));
  if (unit) {
    const measured = { kind: 'number', value: value * unit[1], unit: unit[0], from: at } as const;
    return withSmallerUnit(words, { ...measured, to: first.unit === null ? to + 1 : to }, unit[1]);
  }
  if (lowerAt(words, to + 1) === 'of' && OF_THEM.test(lowerAt(words, to + 2))) return null;
  // "one" without a counted word is mostly a pronoun.
  if (lowerAt(words, at) === 'one' && !words[to + 1]?.isContent) return null;
  return { kind: 'number', value, unit: countedAfter(words, to), from: at, to };
}

/** A number with the scales behind it: "two hundred thousand". A scale that is a unit too is the unit: "5 m". */
function scaled(words: readonly Word[], number: { value: number; to: number }): { value: number; to: number } {
  let { value, to } = number;
  for (;;) {
    const next = lowerAt(words, to + 1);
    const scale = UNITS.has(next) ? undefined : SCALES.get(next);
    if (scale === undefined) return { value, to };
    value *= scale;
    to++;
  }
}

/** A span that goes on in a smaller unit: "1 h 30 min", "2 days and 3 hours". @param factor of its unit */
function withSmallerUnit(words: readonly Word[], span: Value & { value: number }, factor: number): Value {
  const next = span.to + 1 + Number(lowerAt(words, span.to + 1) === 'and');
  const number = plainNumber(lowerAt(words, next));
  const unit = number?.unit ?? UNITS.get(lowerAt(words, next + 1));
  const goesOn = SPANS.has(span.unit) && number && unit?.[0] === span.unit && unit[1] < factor;
  if (!goesOn || !areBeside(words, span.to, next)) return span;
  const to = number.unit ? next : next + 1;
  return withSmallerUnit(words, { ...span, value: span.value + number.value * unit[1], to }, unit[1]);
}

/** Whether nothing but single blanks stands between words: no comma and no full stop. */
function areBeside(words: readonly Word[], from: number, to: number): boolean {
  return words.slice(from, to).every(({ end }, index) => words[from + index + 1]?.start === end + 1);
}

export function plainNumber(lower: string): { value: number; unit: readonly [string, number] | null } | null {
  const word = NUMBER_WORDS.get(lower);
  if (word !== undefined) return { value: word, unit: null };
  const match = NUMBER.exec(lower);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const value = Number(whole.replaceAll(/[,’]/g, '') + fraction);
  if (sign !== '') return { value: value * (SCALES.get(suffix) ?? 1), unit: [CURRENCY[sign] as string, 1] };
  if (suffix === '') return { value, unit: null };
  const unit = UNITS.get(suffix);
  if (unit) return { value, unit };
  const scale = SCALES.get(suffix);
  return scale === undefined ? null : { value: value * scale, unit: null };
}

/** The counted word; at most one adjective may stand before it. "12.99, launch discount as planned" counts no launches. */
function countedAfter(words: readonly Word[], at: number): string {
  const next = words[at + 1];
  if (next?.isBehindComma || (next?.startsSentence && !areBeside(words, at, at + 1))) return '';
  const near = words.slice(at + 1, at + 4).filter(({ lower }) => !PASSED_OVER.has(lower));
  const [first, second] = near;
  if (!first?.isContent) return '';
  const counted = second?.isContent && second.lower.endsWith('s') && !first.lower.endsWith('s') ? second : first;
  // Not the dimension: "five times" is no time.
  return counted.lower === 'times' ? counted.lower : counted.stem;
}
