const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAME =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
/** In front, and not held against the date. */
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? )?';
const TIME =
  '(?:,? (?:at )?(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?(?: ?(?<half>[ap]m))?(?: ?(?:gmt|utc|z|(?<offset>[+-]\\d{2}:?\\d{2})))?)?';
const FORMS = [
  // 20 January 2026; Tue, 20 Jan 2026 10:00:00 +0100
  `${WEEKDAY}${DAY}[ -](?:of )?${NAME}[ -]?,? ?(?<year>\\d{4})`,
  // January 20th, 2026; Jan 20 2026 at 3:15 PM
  `${WEEKDAY}${NAME} ${DAY},? (?<year>\\d{4})`,
  // 20.1.2026: with dots the day is always the first of them.
  '(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})',
  // 2026/1/20: where digits begin with the year, the day is the last of them; 20/01/2026 may be another one.
  '(?<year>\\d{4})(?<mark>[/.-])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})',
].map((form) => new RegExp(`^${form}${TIME}$`, 'i'));

/** A date as people write it, in English, in ISO 8601; null where it is none, or where it says of two numbers not which is the day. */
export function writtenDate(text: string): string | null {
  const written = text.trim().replace(/\s+/g, ' ');
  const parts = FORMS.map((form) => form.exec(written)).find((match) => match !== null)?.groups;
  if (!parts) return null;
  const { year, name, month = String(MONTHS.indexOf(String(name).slice(0, 3).toLowerCase()) + 1), day } = parts;
  const date = `${year}-${month.padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const { hour, minute, second = '00', half, offset = 'Z' } = parts;
  if (hour === undefined) return date;
  return `${date}T${hourOfDay(hour, half)}:${minute}:${second}${offset}`;
}

/** With `half` (am or pm) 12 comes before 1. */
function hourOfDay(hour: string, half: string | undefined): string {
  if (half === undefined) return hour.padStart(2, '0');
  const isOnClock = Number(hour) >= 1 && Number(hour) <= 12;
  // No hour of a day, so that it is no instant.
  if (!isOnClock) return '99';
  return String((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)).padStart(2, '0');
}
