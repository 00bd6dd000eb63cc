/** The charts of a task type as tables. */

import { alternative } from '../shared/alternative.js';
import { browserNowMs } from '../shared/clock.js';
import { formatDuration, formatShare, formatTime } from '../shared/format.js';

const SURVIVAL_ROWS = 20;
const RUN_ROWS = 30;

/** @param {string} type @param {any} distribution */
export const durationTable = (type, { histogram }) =>
  alternative({
    summary: 'Durations as a table',
    caption: `Durations of ${type}`,
    columns: ['From', 'To', 'Runs'],
    rows: () =>
      histogram.map((/** @type {any} */ bin) => [
        formatDuration(bin.from_seconds),
        formatDuration(bin.to_seconds),
        bin.count,
      ]),
  });

/** @param {string} type @param {any} distribution */
export const survivalTable = (type, { survival: steps }) =>
  alternative({
    summary: 'Survival curve as a table',
    caption: `Share of ${type} still running`,
    columns: ['After', 'Still running', '95 % interval'],
    rows: () => {
      const every = Math.ceil(steps.length / SURVIVAL_ROWS);
      return steps
        .filter((/** @type {any} */ _step, /** @type {number} */ i) => i % every === 0 || i === steps.length - 1)
        .map((/** @type {any} */ step) => [
          formatDuration(step.seconds),
          formatShare(step.survival),
          `${formatShare(step.low)} – ${formatShare(step.high)}`,
        ]);
    },
  });

/** @param {string} type @param {any} trend oldest first */
export const runTable = (type, { points }) =>
  alternative({
    summary: 'Runs as a table',
    caption: `Newest runs of ${type}`,
    columns: ['Started', 'Agent', 'Took', 'Running median'],
    words: [1],
    rows: () =>
      points
        .slice(-RUN_ROWS)
        .reverse()
        .map((/** @type {any} */ point) => [
          formatTime(Date.parse(point.started_at), browserNowMs()),
          point.agent_id,
          formatDuration(point.duration_seconds),
          formatDuration(point.running_median_seconds),
        ]),
  });
