/** The figures at the top of the overview. */

import { calendarDay } from '../shared/calendar-day.js';
import { formatCount, formatShare } from '../shared/format.js';
import { html } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { NO_FILTERS } from '../state/view-state.js';
import { firstDay } from './learnt-card.js';

/** @param {import('./read-overview.js').Overview} seen @param {import('../page.js').Page} page */
export function figures({ health, stats, summary, today, contradictions: { total: openCount } }, page) {
  const waiting = health.embedding.pending + health.contradictions.pending;
  const holds = summary.total - summary.superseded - summary.ended;
  const link = (/** @type {number} */ count, /** @type {Partial<import('../state/view-state.js').ViewState>} */ to) =>
    html`<a href=${page.linkTo(to)}>${formatCount(count)}</a>`;
  const learntToday = { ...NO_FILTERS, from: calendarDay(firstDay(1)) };
  return tiles([
    { label: 'Memories', value: link(stats.totals.total, { view: 'browse', filters: NO_FILTERS }) },
    { label: 'Learnt today', value: link(today.total, { view: 'browse', filters: learntToday }) },
    { label: 'Not superseded or ended', value: formatShare(holds / Math.max(1, summary.total)) },
    { label: 'Open contradictions', value: link(openCount, { view: 'contradictions' }), needsLook: openCount > 0 },
    { label: 'Waiting for the models', value: waiting === 0 ? 'none' : formatCount(waiting) },
    { label: 'Agents', value: formatCount(Object.keys(stats.agents).length) },
  ]);
}
