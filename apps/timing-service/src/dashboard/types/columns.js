/** The columns of the table of task types and how they sort. Pure. */

import { failureShare } from '../pieces/failure-share.js';

const CONFIDENCE_ORDER = ['none', 'low', 'medium', 'high'];

/** @typedef {{ type: string, summary: any, outcomes: any, trend: any }} Row */
/** @type {{ id: import('../state/view-state.js').Sort['column'], label: string, hint: string, value: (row: Row) => string | number | null }[]} */
export const COLUMNS = [
  { id: 'type', label: 'Task type', hint: 'The name', value: (row) => row.type },
  { id: 'count', label: 'Runs', hint: 'Runs that ended ok', value: (row) => row.summary?.count ?? 0 },
  {
    id: 'median',
    label: 'Median',
    hint: 'Half of the runs that ended ok took less',
    value: (row) => row.summary?.median_seconds ?? null,
  },
  {
    id: 'p95',
    label: 'p95',
    hint: '95 % of the runs take less, those that were cut off or still run taken into account; with its 95 % interval',
    value: (row) => row.summary?.p95_seconds ?? null,
  },
  {
    id: 'failures',
    label: 'Failures',
    hint: 'Errors and timeouts among finished runs',
    value: (row) => failureShare(row.outcomes),
  },
  {
    id: 'confidence',
    label: 'Confidence',
    hint: 'From the number of runs; low where so many were cut off that the p95 is only "at least"',
    value: (row) => CONFIDENCE_ORDER.indexOf(row.summary?.confidence ?? 'none'),
  },
  {
    id: 'trend',
    label: 'Trend',
    hint: 'Newer half of the runs against the older half, or the runs since a change against those before',
    value: (row) => row.trend?.ratio ?? null,
  },
];

/** @param {import('../state/store.js').Store} store @returns {Row[]} */
export function rowsOf(store) {
  const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
  const withoutOk = new Map(store.withoutOk.map(({ task_type, outcomes }) => [task_type, outcomes]));
  return [...new Set([...store.taskTypes, ...summaries.keys()])].map((type) => {
    const summary = summaries.get(type);
    return { type, summary, outcomes: summary?.outcomes ?? withoutOk.get(type), trend: store.trends.get(type) };
  });
}

/** @param {Row[]} rows @param {string} columnId @param {boolean} descending @returns {Row[]} unknown values last */
export function sortRows(rows, columnId, descending) {
  const column = COLUMNS.find((candidate) => candidate.id === columnId) ?? COLUMNS[0];
  return [...rows].sort((a, b) => {
    const [left, right] = [column?.value(a) ?? null, column?.value(b) ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order = typeof left === 'string' ? left.localeCompare(String(right)) : left - Number(right);
    return (descending ? -order : order) || a.type.localeCompare(b.type);
  });
}
