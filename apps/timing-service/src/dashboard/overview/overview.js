/** The state at a glance; a figure of what can be listed leads to the list. */

import { activeRows } from '../active/active-rows.js';
import { nowMs } from '../shared/clock.js';
import { formatCount, formatShare } from '../shared/format.js';
import { html, render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';

/** @typedef {'running' | 'overdue' | 'agents' | 'runs' | 'failures'} Figure */

/** @param {HTMLElement} section @param {import('../state/store.js').Store} store @param {(figure: Figure) => void} onOpen the list behind a figure is to be shown */
export function renderOverview(section, store, onOpen) {
  const rows = activeRows(store, nowMs());
  const overdue = rows.filter((row) => row.level === 'overdue').length;
  const { failed, all } = outcomesOf(store);
  /** @param {Figure} figure @param {string} label @param {string} value */
  const opening = (figure, label, value) => ({
    label,
    // Tiles without figures hold the place, so that nothing moves when they come.
    value: store.loaded
      ? html`<button type="button" class="tile-button" aria-label=${`${label}: ${value}, show`} @click=${() => onOpen(figure)}>${value}</button>`
      : '–',
  });
  const figures = [
    opening('running', 'Running', `${formatCount(rows.length)}${store.activeCut ? '+' : ''}`),
    { ...opening('overdue', 'Overdue', formatCount(overdue)), isAlert: overdue > 0 },
    opening('agents', 'Agents', formatCount(store.agents.length)),
    opening('runs', 'Runs recorded', formatCount(all)),
    opening('failures', 'Failures', all === 0 ? '–' : formatShare(failed / all)),
  ];
  render(tiles(figures), section);
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
