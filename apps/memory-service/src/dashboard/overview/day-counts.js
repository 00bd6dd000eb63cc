/** What was said on which day. Pure. */

/** @typedef {{ agent_id: string, kind: string, counts: number[] }} Lane how much was said in each span */
/** @typedef {{ since: string, until: string, lanes: Lane[] }} DayTimeline with a span for each day, of which today is the last */

const DAY_MS = 86_400_000;
/** Columns of a chart whose days have no memories before the first. */
const FEWEST_DAYS = 14;
const MOST_DAYS = 180;

/** How many days are drawn. @param {number} firstMs the begin of the first day on which something was said @param {number} endMs the end of today */
export const daysDrawn = (firstMs, endMs) =>
  Math.min(MOST_DAYS, Math.max(FEWEST_DAYS, Math.round((endMs - firstMs) / DAY_MS)));

/** How much each agent said on the last days. @param {Pick<DayTimeline, 'lanes'>} timeline @param {number} days @returns {Map<string, number>} */
export function countsOfLastDays({ lanes }, days) {
  const counts = new Map();
  for (const { agent_id: agent, counts: ofDays } of lanes)
    for (const count of ofDays.slice(-days)) counts.set(agent, (counts.get(agent) ?? 0) + count);
  return counts;
}

/** The middle of each span, which is in its day whatever the clock change; in epoch milliseconds. @param {DayTimeline} timeline */
export function daysOf({ since, until, lanes }) {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const count = lanes[0]?.counts.length ?? Math.round((to - from) / DAY_MS);
  return Array.from({ length: count }, (_, place) => from + ((to - from) * (place + 0.5)) / count);
}

/** A series for each agent or each kind. @param {readonly Lane[]} lanes @param {'agent_id' | 'kind'} field @returns {{ name: string, values: number[] }[]} */
export function seriesOf(lanes, field) {
  /** @type {Map<string, number[]>} */
  const series = new Map();
  for (const lane of lanes) {
    const before = series.get(lane[field]);
    series.set(
      lane[field],
      lane.counts.map((count, place) => count + (before?.[place] ?? 0)),
    );
  }
  return [...series].map(([name, values]) => ({ name, values }));
}
