/**
 * How far a running task is along the history of its type. Pure.
 * The page works the level out from one statistics request and from the recommended timeout of each type that runs; asking the
 * service for every task would cost one request per task and second.
 */

/** @typedef {'overdue' | 'high' | 'medium' | 'low' | 'unknown'} RiskLevel */

/** The default safety margin of the recommended timeout, for a type whose timeout is not read. */
const RECOMMENDED_MARGIN = 1.2;

/** With fewer, such as the one run of a new type, the next one often lasts longer than all before: that is no alarm. */
export const RUNS_TO_JUDGE_BY = 5;

/** @type {readonly RiskLevel[]} most urgent first */
export const RISK_LEVELS = ['overdue', 'high', 'medium', 'low', 'unknown'];

/** @type {Readonly<Record<RiskLevel, { word: string, mark: string, meaning: string }>>} */
export const RISK_TEXT = {
  overdue: { word: 'overdue', mark: '!', meaning: 'past the recommended timeout' },
  high: { word: 'high', mark: '▲', meaning: 'longer than 95 % of the runs that the timeout rests on' },
  medium: { word: 'medium', mark: '◆', meaning: 'longer than half of the runs' },
  low: { word: 'low', mark: '●', meaning: 'within the usual half' },
  unknown: { word: 'unknown', mark: '?', meaning: `fewer than ${RUNS_TO_JUDGE_BY} finished runs to compare with` },
};

/**
 * @param {number} elapsedSeconds
 * @param {{ count: number, p50_seconds: number, p95_seconds: number } | undefined} summary of all runs
 * @param {import('../state/store.js').Timeout | undefined} timeout
 * @returns {RiskLevel}
 */
export function riskLevel(elapsedSeconds, summary, timeout) {
  if (!summary || summary.count < RUNS_TO_JUDGE_BY) return 'unknown';
  const p95Seconds = timeout?.percentile_value ?? summary.p95_seconds;
  if (elapsedSeconds > (timeout?.recommended_seconds ?? p95Seconds * RECOMMENDED_MARGIN)) return 'overdue';
  if (elapsedSeconds > p95Seconds) return 'high';
  return elapsedSeconds > summary.p50_seconds ? 'medium' : 'low';
}

/**
 * Most urgent first; among equals the one furthest along, then the oldest.
 * @template {{ level: RiskLevel, elapsedSeconds: number, p95Seconds: number | null }} T
 * @param {readonly T[]} rows
 * @returns {T[]}
 */
export function mostUrgentFirst(rows) {
  const progress = (/** @type {T} */ row) => (row.p95Seconds ? row.elapsedSeconds / row.p95Seconds : 0);
  return [...rows].sort(
    (a, b) =>
      RISK_LEVELS.indexOf(a.level) - RISK_LEVELS.indexOf(b.level) ||
      progress(b) - progress(a) ||
      b.elapsedSeconds - a.elapsedSeconds,
  );
}
