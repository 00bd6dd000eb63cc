/** Windows of time and their marks. Pure. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Steps of marks below a day, which divide it. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** In days. */
const LONG_STEPS = [1, 2, 7, 14, 28, 61, 92, 183, 366];

/** No window is narrower: what is said within a second lies on top of each other anyway. */
export const LEAST_SPAN_MS = 2 * MINUTE_MS;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/**
 * Marks at round times of the reader's time zone.
 * @param {number} since epoch milliseconds @param {number} until @param {number} most how many there is room for
 * @returns {{ share: number, text: string }[]} share: where, from 0 to 1
 */
export function marksBetween(since, until, most) {
  const span = until - since;
  const at = (/** @type {number} */ time, /** @type {string} */ text) => ({ share: (time - since) / span, text });
  const step = STEPS.find((one) => span / one <= most);
  const start = new Date(since);
  if (step !== undefined) {
    const marks = [];
    const midnight = new Date(start.getFullYear(), start.getMonth(), start.getDate()).getTime();
    for (let time = midnight + Math.ceil((since - midnight) / step) * step; time < until; time += step) {
      const isMidnight = new Date(time).getHours() === 0 && new Date(time).getMinutes() === 0;
      marks.push(at(time, isMidnight ? day.format(time) : clock.format(time)));
    }
    return marks;
  }
  const days = LONG_STEPS.find((one) => span / (one * DAY_MS) <= most) ?? 366;
  const marks = [];
  for (let place = 1; ; place += days) {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate() + place).getTime();
    if (time >= until) return marks;
    marks.push(at(time, day.format(time)));
  }
}

/** A window after a zoom around a point in it. @param {{ since: number, until: number }} span @param {number} factor below 1 is closer @param {number} [share] 0 to 1 */
export function zoomed({ since, until }, factor, share = 0.5) {
  const width = Math.max(LEAST_SPAN_MS, (until - since) * factor);
  const centre = since + (until - since) * share;
  return { since: Math.round(centre - width * share), until: Math.round(centre + width * (1 - share)) };
}

/** Lines of spans of which none overlaps another: each in the first line with room. @template {{ from: number, to: number }} Span @param {readonly Span[]} spans by `from` @param {number} gap @returns {{ span: Span, line: number }[]} */
export function inLines(spans, gap) {
  /** @type {number[]} where each line ends */
  const ends = [];
  return spans.map((span) => {
    let line = ends.findIndex((end) => end + gap <= span.from);
    if (line < 0) line = ends.length;
    ends[line] = span.to;
    return { span, line };
  });
}
