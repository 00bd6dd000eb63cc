/** The state at a glance. */

import { activeRows } from '../active/active-rows.js';
import { formatCount, formatShare } from '../shared/format.js';
import { render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { nowMs } from '../state/clock.js';

/** @param {HTMLElement} section @param {import('../state/store.js').Store} store */
export function renderOverview(section, store) {
  const rows = activeRows(store, nowMs());
  const overdue = rows.filter((row) => row.level === 'overdue').length;
  const { failed, all } = outcomesOf(store);
  const figures = [
    { label: 'Running', value: `${formatCount(rows.length)}${store.activeCut ? '+' : ''}` },
    { label: 'Overdue', value: formatCount(overdue), isAlert: overdue > 0 },
    { label: 'Agents', value: formatCount(store.agents.length) },
    { label: 'Runs recorded', value: formatCount(all) },
    { label: 'Failures', value: all === 0 ? '–' : formatShare(failed / all) },
  ];
  // Tiles without figures hold the place, so that nothing moves when they come.
  render(tiles(store.loaded ? figures : figures.map(({ label }) => ({ label, value: '–' }))), section);
}

/** @param {import('../state/store.js').Store} store */
function outcomesOf({ summaries, withoutOk }) {
  const total = { failed: 0, all: 0 };
  for (const { outcomes } of [...summaries, ...withoutOk]) {
    total.failed += outcomes.error + outcomes.timeout;
    total.all += outcomes.ok + outcomes.error + outcomes.timeout + outcomes.cancelled;
  }
  return total;
}
