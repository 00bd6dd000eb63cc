/** Windows of time, and lines of what lies in them. Pure. */

/** No window is narrower: what is said within two minutes lies on top of each other anyway. */
export const LEAST_SPAN_MS = 120_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of a column: what repeats by day or by week looks the same in each, and no day falls between two. */
const COLUMN_SPANS = [HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS];

/** How many columns a window has. @param {number} spanMs @param {number} most */
export function columnsOf(spanMs, most) {
  const fitting = COLUMN_SPANS.find((width) => spanMs / width <= most);
  return fitting === undefined || spanMs < HOUR_MS * most ? most : Math.round(spanMs / fitting);
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
