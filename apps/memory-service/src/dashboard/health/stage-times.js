/** Where the time of requests goes, from the figures of the service. Pure. */

/** @typedef {import('./metrics-text.js').Metrics} Metrics */
/** @typedef {{ operation: string, stage: string, count: number, mean: number, p95: number | null }} StageTimes in seconds; `p95`: 95 of 100 were within it, null where no bound is known */

const OPERATIONS = ['ingest', 'recall'];
/** In the order in which a request goes through them. */
const STAGES = ['reading', 'embedding', 'vector_search', 'evidence', 'scoring', 'journal'];
const NAME = 'memory_stage_duration_seconds';

/** Of the stages that anything went through. @param {Metrics} metrics @returns {StageTimes[]} */
export function stageTimes(metrics) {
  const all = OPERATIONS.flatMap((operation) => STAGES.map((stage) => timesOf(metrics, { operation, stage })));
  return all.filter(({ count }) => count > 0);
}

/** How often requests of a kind went through a stage. @param {Metrics} metrics @param {{ operation: string, stage: string }} of */
export const stageCount = (metrics, of) => metrics.value(`${NAME}_count`, of);

/** @param {Metrics} metrics @param {{ operation: string, stage: string }} of @returns {StageTimes} */
function timesOf(metrics, of) {
  const count = stageCount(metrics, of);
  return { ...of, count, mean: metrics.value(`${NAME}_sum`, of) / count, p95: metrics.quantile(NAME, of, 0.95) };
}
