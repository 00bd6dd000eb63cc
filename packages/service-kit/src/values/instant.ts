import { InvalidInputError } from '../problems/errors.ts';

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\- ])(\d{2}):?(\d{2})?)?)?$/;

/** What an instant of four digits a year can say in UTC: answers and exports have to be read again. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const AFTER_LAST_MS = Date.parse('+010000-01-01T00:00:00Z');

/**
 * An ISO 8601 instant as epoch milliseconds with microseconds in the fraction.
 * Without an offset it is UTC; a date alone is its midnight. A blank before the offset is read as `+`, because that is
 * what a raw `+` in a query becomes.
 * @param where names the input in the error, e.g. `query/since`
 * @throws InvalidInputError when the text is no such instant
 */
export function parseInstant(text: string, where: string): number {
  const milliseconds = isoInstant(text);
  if (milliseconds === null) {
    const message = `'${text}' is not an instant: send ISO 8601 such as 2026-11-21T09:30:00Z or 2026-11-21T10:30:00+01:00, of a year before 10000 in UTC`;
    throw new InvalidInputError(`${where}: ${message}.`, { faults: [{ where, message }] });
  }
  return milliseconds;
}

/** Epoch milliseconds, as `parseInstant` gives them; null when the text is no such instant. */
export function isoInstant(text: string): number | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', , sign, offsetHour, offsetMinute] =
    match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;
  const wholeSeconds = utc(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (wholeSeconds === null) return null;
  const offsetMinutes = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const milliseconds = Number(`0.${fraction || '0'}`) * 1000;
  const instant = wholeSeconds + milliseconds - (sign === '-' ? -1 : 1) * offsetMinutes * 60_000;
  return instant >= FIRST_MS && instant < AFTER_LAST_MS ? instant : null;
}

/** Epoch ms of a UTC date, or null where the calendar has no such day (Date would roll 31 February over to March). */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}
