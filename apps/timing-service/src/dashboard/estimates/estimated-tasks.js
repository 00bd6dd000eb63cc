/** Which tasks had an estimate, and how far each agent's are off. Pure. */

/** Below it, durations count as this: they are noise, and a logarithm knows no 0. */
export const LEAST_SECONDS = 0.01;

/** @typedef {{ agent: string, count: number, median: number, near: number }} Off `median`: of actual / estimate; `near`: share within a factor of two */

/**
 * Tasks that began within a time, had an estimate and ended ok.
 * @param {Iterable<import('../state/store.js').Task>} tasks @param {{ sinceMs: number, toMs: number }} time
 */
export const estimatedTasks = (tasks, { sinceMs, toMs }) =>
  [...tasks].filter(
    ({ state, outcome, started_at: startedAt, estimated_seconds: estimated }) =>
      state === 'ended' &&
      outcome === 'ok' &&
      estimated !== null &&
      estimated > 0 &&
      Date.parse(startedAt) >= sinceMs &&
      Date.parse(startedAt) <= toMs,
  );

/**
 * By agent, the one with most tasks first.
 * @param {import('../state/store.js').Task[]} tasks with an estimate and a duration
 * @returns {Off[]}
 */
export function offsOf(tasks) {
  /** @type {Map<string, number[]>} */
  const ratios = new Map();
  for (const { agent_id: agent, duration_seconds: took, estimated_seconds: estimated } of tasks) {
    const ratio = Math.max(LEAST_SECONDS, took ?? 0) / Math.max(LEAST_SECONDS, estimated ?? 0);
    const own = ratios.get(agent);
    if (own) own.push(ratio);
    else ratios.set(agent, [ratio]);
  }
  return [...ratios].map(([agent, own]) => offOf(agent, own)).sort((a, b) => b.count - a.count);
}

/** @param {string} agent @param {number[]} ratios actual / estimate @returns {Off} */
function offOf(agent, ratios) {
  const sorted = [...ratios].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = Math.sqrt((sorted[Math.floor(middle)] ?? 1) * (sorted[Math.ceil(middle)] ?? 1));
  const near = sorted.filter((ratio) => ratio >= 0.5 && ratio <= 2).length / sorted.length;
  return { agent, count: sorted.length, median, near };
}
