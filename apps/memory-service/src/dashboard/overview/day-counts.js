/** What was said on which day. Pure. */

/** @typedef {{ agent_id: string, kind: string, counts: number[] }} Lane how much was said in each span */
/** @typedef {{ since: string, until: string, total: number, lanes: Lane[] }} DayTimeline with a span for each day, of which today is the last */

const DAY_MS = 86_400_000;
/** Columns of a chart whose days have no memories before the first. */
const FEWEST_DAYS = 14;
const MOST_DAYS = 180;

/** How many days are drawn. @param {number} firstMs the begin of the first day on which something was said @param {number} endMs the end of today */
export const daysDrawn = (firstMs, endMs) =>
  Math.min(MOST_DAYS, Math.max(FEWEST_DAYS, Math.round((endMs - firstMs) / DAY_MS)));

/**
 * Days side by side that are equally long, which the service counts in one answer: one on which the clocks change stands alone.
 * @param {readonly number[]} starts of each day, and the end of the last, in epoch milliseconds
 */
export function runsOfDays(starts) {
  /** @type {{ since: number, until: number, days: number }[]} */
  const runs = [];
  for (const [place, until] of starts.entries()) {
    const since = starts[place - 1];
    if (since === undefined) continue;
    const last = runs.at(-1);
    if (last && (last.until - last.since) / last.days === until - since) {
      last.until = until;
      last.days += 1;
    } else runs.push({ since, until, days: 1 });
  }
  return runs;
}

/** One timeline of several that follow each other. @param {readonly { days: number, timeline: DayTimeline }[]} parts @returns {DayTimeline} */
export function joined(parts) {
  /** @type {Map<string, Lane>} */
  const lanes = new Map();
  let daysBefore = 0;
  for (const { days, timeline } of parts) {
    for (const { agent_id, kind, counts } of timeline.lanes) {
      const key = JSON.stringify([agent_id, kind]);
      const lane = lanes.get(key) ?? { agent_id, kind, counts: [] };
      lanes.set(key, { ...lane, counts: [...filled(lane.counts, daysBefore), ...counts] });
    }
    daysBefore += days;
  }
  const all = [...lanes.values()].map((lane) => ({ ...lane, counts: filled(lane.counts, daysBefore) }));
  return {
    since: parts[0]?.timeline.since ?? '',
    until: parts.at(-1)?.timeline.until ?? '',
    total: parts.reduce((sum, { timeline }) => sum + timeline.total, 0),
    lanes: all,
  };
}

/** Nothing was said on the days that are missing. @param {readonly number[]} counts @param {number} days */
const filled = (counts, days) => [...counts, ...Array.from({ length: days - counts.length }, () => 0)];

/** How much each agent said on the last days. @param {Pick<DayTimeline, 'lanes'>} timeline @param {number} days @returns {Map<string, number>} */
export function countsOfLastDays({ lanes }, days) {
  const counts = new Map();
  for (const { agent_id: agent, counts: ofDays } of lanes)
    for (const count of ofDays.slice(-days)) counts.set(agent, (counts.get(agent) ?? 0) + count);
  return counts;
}

/** The middle of each span, which is in its day whatever the clock change; in epoch milliseconds. @param {Pick<DayTimeline, 'since' | 'until' | 'lanes'>} timeline */
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
