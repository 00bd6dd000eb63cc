import { DAYS_APART, DAYS_OF } from './periods.ts';
import { stemOf, type Word } from './words.ts';

export type ValueKind = 'number' | 'clock' | 'weekday' | 'date' | 'year' | 'version' | 'identifier';

/** An exact value in a text. */
export interface Value {
  readonly kind: ValueKind;
  /** Comparable among values of the same kind and unit: base units, minutes after midnight, `10-3` for 3 October. */
  readonly value: number | string;
  /** What the number counts or measures: a dimension such as `time`, else the stem of the word after it, else ''. */
  readonly unit: string;
  /** Whether it is a time of which nothing says whether it is before or after noon: half past nine. */
  readonly isOfEitherHalf?: boolean;
  /** Positions of its first and last word. */
  readonly from: number;
  readonly to: number;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)$/;
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const NUMBER_WORDS = new Map<string, number>([
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
const UNITS = new Map<string, readonly [string, number]>();
for (const [dimension, spellings] of Object.entries({
  time: 'ms:.001 millisecond:.001 s:1 sec:1 second:1 min:60 minute:60 h:3600 hr:3600 hour:3600 day:86400 week:604800 fortnight:1209600',
  months: 'month:1 year:12 yr:12 decade:120',
  length:
    'mm:.001 millimetre:.001 cm:.01 centimetre:.01 m:1 metre:1 meter:1 km:1000 kilometre:1000 kilometer:1000 mile:1609 feet:.3048 foot:.3048 inch:.0254',
  weight: 'mg:.000001 g:.001 gram:.001 gramme:.001 kg:1 kilo:1 kilogram:1 tonne:1000 ton:1000 pound:.4536 lb:.4536',
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
const CURRENCY: Readonly<Record<string, string>> = { $: 'dollar', '€': 'euro', '£': 'pound', '¥': 'yen' };

const CLOCK = /^(\d{1,2})(?:[:.](\d{2}))?(am|pm|h)?$/;
const NUMBER = /^([$€£¥]?)(\d{1,3}(?:[,’]\d{3})+|\d+)(\.\d+)?(%|[a-z]{1,4})?$/;
const VERSION = /^v?\d+(?:\.\d+){2,}$|^v\d+(?:\.\d+)*$/;
const IDENTIFIER = /^(?=.*\d)(?=.*\p{L})[\p{L}\d]+(?:[-_/.][\p{L}\d]+)*$/u;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** 11/2027, 2027-11 */
const MONTH_OF_YEAR = /^(?:(0?[1-9]|1[0-2])\/((?:19|20)\d\d)|((?:19|20)\d\d)[-/](0[1-9]|1[0-2]))$/;
/** 14/3, 3/14: one of both is no month. 24/7 is no date. */
const DAY_AND_MONTH = /^(?!24\/7$)(?:(1[3-9]|2\d|3[01])\/(0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])\/(1[3-9]|2\d|3[01]))$/;
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const YEAR = /^(?:19|20)\d\d$/;
/** Before 1900 only where it stands as a year does: "in 1887", not "1,887 lines". */
const EARLY_YEAR = /^1[5-8]\d\d$/;
const BEFORE_A_YEAR = new Set('in since from until year'.split(' '));
const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/;
/** Words before a number that identifies one of several things: "ticket 88213", "bed 4". */
export const LABELS: ReadonlySet<string> = new Set(
  `ticket bed room line bus platform gate flight lane build node page chapter section unit block floor number no phase
  task issue pr release episode hall track locker apartment flat house seat row table plot court week round batch lot q
  version schema change rev revision level zone pump oven shed machine order bug parcel train stage invoice case stand
  model branch desk exercise problem chapter clause lesson route trail`.split(/\s+/),
);
const VERSIONED = new Set('version release v'.split(' '));
const BARE_VERSIONS = new Set(['', ...[...VERSIONED].map(stemOf)]);
/** Words that may stand between a number and the thing that it counts: seven new members. */
const PASSED_OVER = new Set('new old more other extra further whole full different'.split(' '));

/** The values of a text, in order. Every word belongs to one value at most, but for a month of a year in digits. */
export function valuesOf(words: readonly Word[]): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < words.length; ) {
    const ofMonth = monthOfYearAt(words, at);
    if (ofMonth) {
      values.push(...ofMonth);
      at++;
      continue;
    }
    const value =
      oftenAt(words, at) ??
      dateAt(words, at) ??
      clockAt(words, at) ??
      namedAt(words, at) ??
      partAt(words, at) ??
      numberAt(words, at);
    if (value) values.push(value);
    at = (value?.to ?? at) + 1;
  }
  return values;
}

/**
 * Whether two values of one kind and unit are different, the rounding of numbers aside: 2027 and 2029 are two years. Half past nine
 * may be 21:30, and 30 September is in September.
 */
export function differ(a: Value, b: Value): boolean {
  if (a.kind === 'date' && b.kind === 'date') return !isWithin(a.value, b.value) && !isWithin(b.value, a.value);
  if (a.kind === 'version' && b.kind === 'version') return !isRefined(a.value, b.value) && !isRefined(b.value, a.value);
  if (a.isOfEitherHalf || b.isOfEitherHalf) return (Number(a.value) - Number(b.value)) % HALF_A_DAY !== 0;
  const mayBeRounded = a.kind === 'number' && typeof a.value === 'number' && typeof b.value === 'number';
  if (!mayBeRounded) return String(a.value) !== String(b.value);
  const [one, other] = [inSecondsOf(a, b), inSecondsOf(b, a)];
  const rounding = areSpans(a, b) ? ROUNDING_OF_MONTHS : ROUNDING;
  return Math.abs(one - other) > rounding * Math.max(Math.abs(one), Math.abs(other));
}

/** Whether one is a time in months or years, and the other one in shorter units: "90 days", "one year". */
export function areSpans(a: Value, b: Value): boolean {
  return [a, b].every(({ kind }) => kind === 'number') && [a.unit, b.unit].sort().join(' ') === 'months time';
}

function inSecondsOf(one: Value, other: Value): number {
  return Number(one.value) * (one.unit === 'months' && other.unit === 'time' ? SECONDS_OF_MONTH : 1);
}

/** The mean of a year; four weeks are a month too. */
const SECONDS_OF_MONTH = 2_629_800;
const ROUNDING_OF_MONTHS = 0.1;

/** Whether a version says more of the other one, or the same: 3.8.2 is a 3.8, and 14.1 a 14. */
function isRefined(longer: Value['value'], version: Value['value']): boolean {
  return `${longer}.`.startsWith(`${version}.`);
}

/** Whether a date is a day of a month, or the same. */
function isWithin(date: Value['value'], month: Value['value']): boolean {
  return date === month || (String(month).endsWith('-') && String(date).startsWith(String(month)));
}

/** Whether a version does not say what it is a version of: "version 2.2". */
export function isBareVersion({ kind, unit }: Pick<Value, 'kind' | 'unit'>): boolean {
  return kind === 'version' && BARE_VERSIONS.has(unit);
}

/** Values that differ by less than this are equal but for rounding: "about a mile" is 1.6 km. */
const ROUNDING = 0.02;

function dateAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  const iso = ISO_DATE.exec(lower);
  if (iso) return { kind: 'date', value: `${Number(iso[2])}-${Number(iso[3])}`, unit: '', from: at, to: at };
  if (WEEKDAY.test(lower)) return { kind: 'weekday', value: lower.slice(0, 3), unit: '', from: at, to: at };
  const isYear = YEAR.test(lower) || (EARLY_YEAR.test(lower) && BEFORE_A_YEAR.has(lowerAt(words, at - 1)));
  const inDigits = DAY_AND_MONTH.exec(lower);
  if (inDigits) {
    const [day, month] = [inDigits[1] ?? inDigits[4], inDigits[2] ?? inDigits[3]];
    return { kind: 'date', value: `${Number(month)}-${Number(day)}`, unit: '', from: at, to: at };
  }
  if (isYear && !UNITS.has(lowerAt(words, at + 1))) {
    return { kind: 'year', value: Number(lower), unit: '', from: at, to: at };
  }
  return monthAt(words, at);
}

/** What "November 2027" gives: a month, and a year. */
function monthOfYearAt(words: readonly Word[], at: number): [Value, Value] | null {
  const match = MONTH_OF_YEAR.exec(lowerAt(words, at));
  if (!match) return null;
  const where = { unit: '', from: at, to: at };
  return [
    { kind: 'date', value: `${Number(match[1] ?? match[4])}-`, ...where },
    { kind: 'year', value: Number(match[2] ?? match[3]), ...where },
  ];
}

/** 3 October, 3rd of October, October 3; a month alone counts as a date without a day. */
function monthAt(words: readonly Word[], at: number): Value | null {
  const day = DAY.exec(lowerAt(words, at))?.[1];
  const skip = lowerAt(words, at + 1) === 'of' ? 2 : 1;
  if (day !== undefined && isMonth(words, at + skip))
    return dateOf(words, { month: at + skip, day, from: at, to: at + skip });
  if (!isMonth(words, at)) return null;
  const after = DAY.exec(lowerAt(words, at + 1))?.[1];
  if (after !== undefined && Number(after) <= 31) return dateOf(words, { month: at, day: after, from: at, to: at + 1 });
  return dateOf(words, { month: at, day: '', from: at, to: at });
}

/** Whether a word is a month: "may" and "march" only with a capital that no start of a sentence explains, or beside a day. */
function isMonth(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || !MONTH.test(word.lower)) return false;
  const isVerb = word.lower === 'may' || word.lower === 'march' || word.lower === 'mar';
  return !isVerb || (word.text !== word.lower && !word.startsSentence) || DAY.test(lowerAt(words, at - 1));
}

function dateOf(words: readonly Word[], found: { month: number; day: string; from: number; to: number }): Value {
  const month = MONTHS.indexOf(lowerAt(words, found.month).slice(0, 3)) + 1;
  return { kind: 'date', value: `${month}-${found.day}`, unit: '', from: found.from, to: found.to };
}

function clockAt(words: readonly Word[], at: number): Value | null {
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
const HALF_A_DAY = 720;

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
 * Whether an hour counts nothing: "four pm", "ten sharp", "at nine in the morning", "starts at 10", and in words also "at nine", but not
 * "nine in the morning", "at nine sites" nor "the limit stays at nine".
 */
function isHourAlone(words: readonly Word[], at: number, half: HalfOfDay | null): boolean {
  const [word, before, next] = [words[at] as Word, lowerAt(words, at - 1), words[at + 1]];
  if (half?.to === at + 1 || next?.lower === 'sharp') return true;
  if (half !== null) return BEFORE_A_TIME.has(before) || BEFORE_A_TIME_OF_DAY.has(before);
  if (!BEFORE_A_TIME.has(before) || followsAmount(words, at)) return false;
  if (/\d/.test(word.lower) && !TAKES_A_TIME.test(lowerAt(words, at - 2))) return false;
  const endsPart = next === undefined || next.startsSentence || next.start > word.end + 1;
  return endsPart || AFTER_A_TIME.has(next.lower) || WEEKDAY.test(next.lower);
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
const BEFORE_A_TIME = new Set('at until till before'.split(' '));
const BEFORE_A_TIME_OF_DAY = new Set('from to by after since around about'.split(' '));
const AFTER_A_TIME = new Set(
  'on in from for until till and but every each now today tomorrow sharp instead'.split(' '),
);

/** How often something happens, in times a day: "nightly", "once a week", "every six hours". */
function oftenAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  const period = DAYS_APART.get(lower);
  if (period !== undefined) return { kind: 'number', value: 1 / period, unit: 'often', from: at, to: at };
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

/** Versions, identifiers, and labels with their number. */
function namedAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  if (VERSION.test(lower)) {
    return { kind: 'version', value: lower.replace(/^v/, ''), unit: versionedBy(words, at), from: at, to: at };
  }
  const number = numberedAt(words, at + 1);
  if (LABELS.has(lower) && number !== null && !UNITS.has(lowerAt(words, at + 2))) {
    const kind = VERSIONED.has(lower) ? 'version' : 'identifier';
    return { kind, value: number, unit: stemOf(lower), from: at, to: at + 1 };
  }
  const before = words[at - 1];
  if (
    before &&
    namesVersioned(before, words[at + 1]) &&
    (/^\d+\.\d+$/.test(lower) || (/^\d{1,2}$/.test(lower) && isRun(words, at))) &&
    !UNITS.has(lowerAt(words, at + 1))
  ) {
    return { kind: 'version', value: lower, unit: before.stem, from: at, to: at };
  }
  if (!IDENTIFIER.test(lower) || NUMBER.test(lower) || ORDINAL.test(lower) || CLOCK.test(lower)) return null;
  return { kind: 'identifier', value: lower, unit: lower.replace(/\d+/g, '0'), from: at, to: at };
}

/** The number of a label: "platform 5", and "platform five" where that counts nothing. */
function numberedAt(words: readonly Word[], at: number): string | null {
  const lower = lowerAt(words, at);
  if (/^#?\d+(?:\.\d+)*$/.test(lower)) return lower;
  const number = NUMBER_WORDS.get(lower);
  return number === undefined || words[at + 1]?.isContent ? null : String(number);
}

/** Whether a word before "2.1" may be what has this version: a name, or the first word of a sentence that goes on with a verb. */
function namesVersioned(before: Word, next: Word | undefined): boolean {
  if (before.isName) return true;
  const isCapital = before.startsSentence && before.isContent && before.text !== before.lower;
  return isCapital && (next === undefined || !next.isContent || /[a-z]ed$/.test(next.lower));
}

/** Whether a name before a whole number is of what somebody runs: "prod runs on Postgres 14". */
function isRun(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return RUNS.test(lowerAt(words, at - 2)) && words[at - 1]?.isName === true && !next?.isContent && !next?.isName;
}

const RUNS = /^(?:is|on|runs?|uses?|using|running|requires?|needs?)$/;

function versionedBy(words: readonly Word[], at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - 2); before--) {
    const word = words[before] as Word;
    if (word.isContent && !VERSIONED.has(word.lower)) return word.stem;
  }
  return '';
}

/** "After a week"; not "twice a week". */
const BEFORE_A_SPAN = /^(?:after|within|for|lasts?|takes?)$/;

/** A unit with an article, and its parts: after a week, half an hour, a quarter of a pound. */
function partAt(words: readonly Word[], at: number): Value | null {
  const whole = UNITS.get(lowerAt(words, at + 1));
  if (whole?.[0] === 'time' && /^an?$/.test(lowerAt(words, at)) && BEFORE_A_SPAN.test(lowerAt(words, at - 1))) {
    return { kind: 'number', value: whole[1], unit: whole[0], from: at, to: at + 1 };
  }
  const part = PARTS.get(lowerAt(words, at));
  if (part === undefined) return null;
  const article = lowerAt(words, at + 1) === 'of' ? at + 2 : at + 1;
  const unit = UNITS.get(lowerAt(words, article + 1));
  if (!unit || !/^an?$/.test(lowerAt(words, article))) return null;
  return { kind: 'number', value: part * unit[1], unit: unit[0], from: at, to: article + 1 };
}

const PARTS = new Map([
  ['half', 1 / 2],
  ['quarter', 1 / 4],
]);

function numberAt(words: readonly Word[], at: number): Value | null {
  const first = plainNumber(lowerAt(words, at));
  if (!first) return null;
  let { value } = first;
  let to = at;
  for (
    let scale = SCALES.get(lowerAt(words, to + 1));
    scale !== undefined;
    scale = SCALES.get(lowerAt(words, to + 1))
  ) {
    if (UNITS.has(lowerAt(words, to + 1))) break;
    value *= scale;
    to++;
  }
  const unit = first.unit ?? UNITS.get(lowerAt(words, to + 1));
  if (unit) {
    if (first.unit === null) to++;
    return { kind: 'number', value: value * unit[1], unit: unit[0], from: at, to };
  }
  // "one" without a counted word is mostly a pronoun.
  if (lowerAt(words, at) === 'one' && !words[to + 1]?.isContent) return null;
  return { kind: 'number', value, unit: countedAfter(words, to), from: at, to };
}

function plainNumber(lower: string): { value: number; unit: readonly [string, number] | null } | null {
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

/** The counted word; at most one adjective may stand before it. */
function countedAfter(words: readonly Word[], at: number): string {
  const near = words.slice(at + 1, at + 4).filter(({ lower }) => !PASSED_OVER.has(lower));
  const [first, second] = near;
  if (!first?.isContent) return '';
  const counted = second?.isContent && second.lower.endsWith('s') && !first.lower.endsWith('s') ? second : first;
  // Not the dimension: "five times" is no time.
  return counted.lower === 'times' ? counted.lower : counted.stem;
}

function lowerAt(words: readonly Word[], at: number): string {
  return words[at]?.lower ?? '';
}
