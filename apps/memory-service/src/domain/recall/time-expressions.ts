/** A span of time that a text names. */
export interface TimePeriod {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  readonly unit: 'day' | 'month' | 'year';
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
export function periodNamed(text: string, now: number): TimePeriod | null {
  const m = new RegExp(
    `(?:(\\d{1,2})(?:st|nd|rd|th)?\\s+)?(?:of\\s+)?\\b(${MONTHS.join('|')})\\b(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b)?(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d))?`,
    'i',
  ).exec(text);
  if (m && (m[2]?.toLowerCase() !== 'may' || /\bMay\b/.test(text))) {
    const month = MONTHS.indexOf((m[2] as string).toLowerCase());
    const day = m[1] ?? m[3];
    let year = m[4] ? +m[4] : new Date(now).getUTCFullYear();
    if (!m[4] && Date.UTC(year, month, 1) > now) year--;
    if (day) return { from: Date.UTC(year, month, +day), until: Date.UTC(year, month, +day + 1), unit: 'day' };
    return { from: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1), unit: 'month' };
  }
  const y = /\b((?:19|20)\d\d)\b/.exec(text);
  if (y) return { from: Date.UTC(+(y[1] as string), 0, 1), until: Date.UTC(+(y[1] as string) + 1, 0, 1), unit: 'year' };
  return null;
}
