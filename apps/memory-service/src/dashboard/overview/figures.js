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
  /**
   * Its name says what is counted: a list of links shows it without the words above it.
   * @param {string} label @param {number} count @param {Partial<import('../state/view-state.js').ViewState>} to
   */
  const linked = (label, count, to) => ({
    label,
    value: html`<a href=${page.linkTo(to)} aria-label=${`${formatCount(count)}, ${label}`}>${formatCount(count)}</a>`,
  });
  const learntToday = { ...NO_FILTERS, from: calendarDay(firstDay(1)) };
  return tiles([
    linked('Memories', stats.totals.total, { view: 'browse', filters: NO_FILTERS }),
    linked('Learnt today', today.total, { view: 'browse', filters: learntToday }),
    { label: 'Not superseded or ended', value: formatShare(holds / Math.max(1, summary.total)) },
    { ...linked('Open contradictions', openCount, { view: 'contradictions' }), needsLook: openCount > 0 },
    { label: 'Waiting for the models', value: waiting === 0 ? 'none' : formatCount(waiting) },
    { label: 'Agents', value: formatCount(Object.keys(stats.agents).length) },
  ]);
}
