/** The figures at the top of the overview. */

import { formatCount, formatShare } from '../shared/format.js';
import { html } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';

/** @param {{ health: any, stats: any, summary: any, today: any, contradictions: any }} seen @param {import('../page.js').Page} page */
export function figures({ health, stats, summary, today, contradictions: { total: openCount } }, page) {
  const waiting = health.embedding.pending + health.contradictions.pending;
  const holds = summary.total - summary.superseded - summary.ended;
  const contradictions = html`<a href=${page.linkTo({ view: 'contradictions' })}>${formatCount(openCount)}</a>`;
  return tiles([
    { label: 'Memories', value: formatCount(stats.totals.total) },
    { label: 'Learnt today', value: formatCount(today.total) },
    { label: 'Not superseded or ended', value: formatShare(holds / Math.max(1, summary.total)) },
    { label: 'Open contradictions', value: contradictions, needsLook: openCount > 0 },
    { label: 'Waiting for the models', value: waiting === 0 ? 'none' : formatCount(waiting) },
    { label: 'Agents', value: formatCount(Object.keys(stats.agents).length) },
  ]);
}
