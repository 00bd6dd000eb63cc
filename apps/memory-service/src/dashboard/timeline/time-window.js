/** Windows of time, and lines of what lies in them. Pure. */

/** No window is narrower: what is said within two minutes lies on top of each other anyway. */
export const LEAST_SPAN_MS = 120_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of a column: what repeats by day or by week looks the same in each, and no day falls between two. */
const COLUMN_SPANS = [HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS];

/** @typedef {{ since: number, until: number }} Window epoch milliseconds */

/** How many columns a window has. @param {number} spanMs @param {number} most */
export function columnsOf(spanMs, most) {
  const fitting = COLUMN_SPANS.find((width) => spanMs / width <= most);
  return fitting === undefined || spanMs < HOUR_MS * most ? most : Math.round(spanMs / fitting);
}

/** A window after a zoom around a point in it. @param {Window} span @param {number} factor below 1 is closer @param {number} [share] 0 to 1 */
export function zoomed({ since, until }, factor, share = 0.5) {
  const width = Math.max(LEAST_SPAN_MS, (until - since) * factor);
  const centre = since + (until - since) * share;
  return { since: Math.round(centre - width * share), until: Math.round(centre + width * (1 - share)) };
}

/** A window beside another one. @param {Window} span @param {number} share of its width; below 0 is earlier @returns {Window} */
export function shifted({ since, until }, share) {
  const by = (until - since) * share;
  return { since: since + by, until: until + by };
}

/**
 * A window of this width around the moment of what was held, else up to the last that was said in what is shown.
 * @param {number} width @param {{ span: Window, heldAt: number | null, lastAt: number | null }} shown @returns {Window}
 */
export function windowOf(width, { span, heldAt, lastAt }) {
  const end = lastAt === null ? span.until : lastAt + width * 0.02;
  const until = heldAt === null ? Math.min(span.until, Math.max(end, span.since + width)) : heldAt + width / 2;
  return { since: until - width, until };
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
