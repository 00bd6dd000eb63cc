/** The charts of a task type as tables. */

import { browserNowMs } from './clock.js';
import { alternative, plainTable } from './shared/dom.js';
import { formatDuration, formatShare, formatTime } from './shared/format.js';

const SURVIVAL_ROWS = 20;
const RUN_ROWS = 30;

/** @param {any} distribution */
function survivalRows({ survival: steps }) {
  const every = Math.ceil(steps.length / SURVIVAL_ROWS);
  return steps
    .filter((/** @type {any} */ _step, /** @type {number} */ i) => i % every === 0 || i === steps.length - 1)
    .map((/** @type {any} */ step) => [
      formatDuration(step.seconds),
      formatShare(step.survival),
      `${formatShare(step.low)} – ${formatShare(step.high)}`,
    ]);
}

/** @param {any} trend newest first */
function runRows({ points }) {
  return points
    .slice(-RUN_ROWS)
    .reverse()
    .map((/** @type {any} */ point) => [
      formatTime(Date.parse(point.started_at), browserNowMs()),
      point.agent_id,
      formatDuration(point.duration_seconds),
      formatDuration(point.running_median_seconds),
    ]);
}

/**
 * Fills the places under the three charts; what was open stays open.
 * @param {string} type @param {any} distribution @param {any} trend @param {HTMLElement[]} places
 */
export function showTables(type, distribution, trend, places) {
  const bins = distribution.histogram.map((/** @type {any} */ bin) => [
    formatDuration(bin.from_seconds),
    formatDuration(bin.to_seconds),
    bin.count,
  ]);
  const tables = [
    ['Durations as a table', plainTable(`Durations of ${type}`, ['From', 'To', 'Runs'], bins)],
    [
      'Survival curve as a table',
      plainTable(
        `Share of ${type} still running`,
        ['After', 'Still running', '95 % interval'],
        survivalRows(distribution),
      ),
    ],
    [
      'Runs as a table',
      plainTable(`Newest runs of ${type}`, ['Started', 'Agent', 'Took', 'Running median'], runRows(trend)),
    ],
  ];
  places.forEach((place, i) => {
    const wasOpen = place.querySelector('details')?.open ?? false;
    const [summary, table] = /** @type {[string, HTMLElement]} */ (tables[i]);
    const details = alternative(summary, table);
    details.open = wasOpen;
    place.replaceChildren(details);
  });
}
