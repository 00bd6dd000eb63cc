/** Windows of time, and lines of what lies in them. Pure. */

/** No window is narrower: what is said within two minutes lies on top of each other anyway. */
export const LEAST_SPAN_MS = 120_000;

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
