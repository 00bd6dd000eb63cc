import { DAY_MS } from '@agent-faculties/service-kit';

/** A day of a time zone, or the part of it that is asked about. Epoch milliseconds, up to but without `untilMs`. */
export interface LocalDay {
  /** `2026-11-28` */
  readonly date: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Beyond the longest day since 1970, which has 31 hours: Vostok, 1994-01-31. */
const INTO_NEXT_DAY_MS = 32 * 60 * 60 * 1000;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The calendar of a time zone. */
export class Calendar {
  readonly #dates: Intl.DateTimeFormat;

  /** @param timeZone IANA name. @throws RangeError for what is no time zone */
  constructor(timeZone: string) {
    const inDigits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    // Swedish dates are those of ISO 8601.
    this.#dates = new Intl.DateTimeFormat('sv-SE', { timeZone, ...inDigits });
  }

  /** The midnight with which `count` days begin, the last of which is that of the instant; or what the day has in place of midnight. */
  startOfDays(ms: number, count: number): number {
    let startMs = this.#startOfDay(ms);
    for (let days = 1; days < count; days++) startMs = this.#startOfDay(startMs - 1);
    return startMs;
  }

  /**
   * The days between two instants, in order; the first and the last may be parts. Where clocks are put back over midnight, from 00:01
   * to 23:01 in St. John's until 2011, what is a day for the second time belongs to the day that has begun.
   */
  days(sinceMs: number, untilMs: number): LocalDay[] {
    const days: LocalDay[] = [];
    for (let fromMs = sinceMs; fromMs < untilMs; ) {
      const toMs = Math.min(untilMs, this.#dayAfter(fromMs));
      days.push({ date: this.#dates.format(fromMs), sinceMs: fromMs, untilMs: toMs });
      fromMs = toMs;
    }
    return days;
  }

  #dayAfter(ms: number): number {
    // Most days that begin at a midnight have 24 hours: two dates tell that, where a search takes thirty.
    const usualMs = ms + DAY_MS;
    const date = this.#dates.format(ms);
    const isUsual = this.#dates.format(usualMs) !== date && this.#dates.format(usualMs - 1) === date;
    // The end of the search may lie in the day after the next one: the first instant of any later day is sought.
    return isUsual ? usualMs : this.#firstOf(ms, ms + INTO_NEXT_DAY_MS, (other) => other > date);
  }

  #startOfDay(ms: number): number {
    const date = this.#dates.format(ms);
    return this.#firstOf(ms - INTO_NEXT_DAY_MS, ms, (other) => other >= date);
  }

  /** The first whole millisecond whose date is sought, where that of `beforeMs` is not and that of `atMs` is. */
  #firstOf(beforeMs: number, atMs: number, isSought: (date: string) => boolean): number {
    let before = Math.floor(beforeMs);
    let at = Math.floor(atMs);
    while (at - before > 1) {
      const middle = Math.floor((before + at) / 2);
      if (isSought(this.#dates.format(middle))) at = middle;
      else before = middle;
    }
    return at;
  }
}
