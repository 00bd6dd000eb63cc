/** The timeline as a table, for who sees no picture. */

import { alternative } from '../shared/alternative.js';
import { formatClock, formatDuration, formatElapsed } from '../shared/format.js';
import { OUTCOMES, outcomeOf } from './outcomes.js';

const TABLE_ROWS = 50;

/** @param {import('../state/store.js').Task[]} tasks @param {number} atMs */
export const taskTable = (tasks, atMs) =>
  alternative({
    summary: 'Timeline as a table',
    caption: `Newest ${TABLE_ROWS} tasks of the time range`,
    columns: ['Started', 'Agent', 'Task type', 'Outcome', 'Took'],
    words: [1, 2, 3],
    rows: () =>
      tasks
        .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
        .slice(0, TABLE_ROWS)
        .map((task) => rowOf(task, atMs)),
  });

/** @param {import('../state/store.js').Task} task @param {number} atMs */
const rowOf = (task, atMs) => [
  formatClock(Date.parse(task.started_at)),
  task.agent_id,
  task.task_type,
  OUTCOMES[outcomeOf(task)].word,
  task.state === 'active'
    ? formatElapsed((atMs - Date.parse(task.started_at)) / 1000)
    : formatDuration(task.duration_seconds),
];
