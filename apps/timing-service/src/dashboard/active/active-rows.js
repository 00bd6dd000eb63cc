/** What runs, with how long it should take. Pure. */

import { mostUrgentFirst, riskLevel } from './risk.js';

/** @typedef {{ task: import('../state/store.js').Task, level: import('./risk.js').RiskLevel, elapsedSeconds: number, p50Seconds: number | null, p95Seconds: number | null, runs: number, since: string | null }} Row `runs`: that ended; `since`: p95 and the timeout rest on the runs since then alone */

/**
 * @param {import('../state/store.js').Store} store @param {number} atMs
 * @returns {Row[]} the most urgent first
 */
export function activeRows(store, atMs) {
  const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
  const rows = [...store.tasks.values()]
    .filter((task) => task.state === 'active')
    .map((task) => {
      const summary = summaries.get(task.task_type);
      const elapsedSeconds = Math.max(0, (atMs - Date.parse(task.started_at)) / 1000);
      const timeout = store.timeouts.get(task.task_type);
      const p50Seconds = summary?.p50_seconds ?? null;
      const p95Seconds = (summary && timeout?.percentile_value) ?? summary?.p95_seconds ?? null;
      const level = riskLevel(elapsedSeconds, summary, timeout);
      const runs = summary?.count ?? 0;
      return { task, level, elapsedSeconds, p50Seconds, p95Seconds, runs, since: timeout?.since ?? null };
    });
  return mostUrgentFirst(rows);
}
