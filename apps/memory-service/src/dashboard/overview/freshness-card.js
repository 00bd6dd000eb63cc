/** How strong the memories are: what is said or recalled is fresh, and fades. */

import { histogram } from '../shared/chart.js';
import { factList } from '../shared/fact-list.js';
import { formatCount, formatShare } from '../shared/format.js';
import { html } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';

/** The first column, of tenths, from which on memories count as strong. */
const STRONG_FROM = 7;

/** @param {import('../reading/api.js').Answer<'getSummary'>} summary @param {import('../page.js').Page} page */
export function freshnessCard(summary, page) {
  /** @type {number[]} by tenths of the full strength */
  const counts = summary.strength;
  const never = page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, recalled: 'never' } });
  // The unit stands at the first one, beside which there is room for it.
  const unitAt = (/** @type {number} */ place) => (place === 0 ? ' %' : '');
  const steps = counts.map((value, place) => ({
    name: `${place * 10}${unitAt(place)}`,
    value,
    className: `fresh-${place}`,
  }));
  const strong = counts.slice(STRONG_FROM).reduce((sum, one) => sum + one, 0);
  return html`
    <section class="card" aria-label="Freshness">
      <div class="card-head">
        <h2>Freshness</h2>
        <p class="card-note"><span class="num">${formatShare(strong / Math.max(1, summary.total))}</span> are still strong</p>
      </div>
      ${histogram({ label: 'Memories by strength in per cent', steps })}
      <p class="card-foot">A memory begins at 100 % when it is said or recalled, and fades from then on. The column 70 counts those between 70 and 80 %; from there on they are still strong.</p>
      ${factList([
        ['Superseded', formatCount(summary.superseded)],
        ['Ended', formatCount(summary.ended)],
        ['Never recalled', html`<a href=${never}>${formatCount(summary.never_recalled)}</a>`],
      ])}
    </section>
  `;
}
