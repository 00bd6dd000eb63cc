/** How many tasks started when. Pure. */

/** @typedef {{ all: number, failed: number }} Column */

/**
 * Counts the tasks that started in each column.
 * @param {readonly import('../state/store.js').Task[]} tasks @param {{ fromMs: number, toMs: number }} span
 * @param {{ width: number, columnWidth: number }} size of the lane and of a column, in pixels
 * @returns {Column[]}
 */
export function columnsOf(tasks, { fromMs, toMs }, { width, columnWidth }) {
  const columns = Array.from({ length: Math.ceil(width / columnWidth) }, () => ({ all: 0, failed: 0 }));
  for (const { started_at: startedAt, outcome } of tasks) {
    const share = (Date.parse(startedAt) - fromMs) / (toMs - fromMs);
    const column = columns[Math.floor((share * width) / columnWidth)];
    if (column === undefined) continue;
    column.all += 1;
    if (outcome === 'error' || outcome === 'timeout') column.failed += 1;
  }
  return columns;
}
