/** Who contradicts whom, the most often first; each shows what lies between the two. */

import { countOf, formatCount } from '../shared/format.js';
import { html, nothing } from '../shared/template.js';
import { countsByPair, pairName } from './speaker-pairs.js';

/** More come on demand. */
const PAIRS_AT_ONCE = 8;

/**
 * @param {import('./queue.js').Contradiction[]} items
 * @param {{ chosen: string | null, isWhole: boolean, onChoose: (speakers: string | null) => void, onUnfold: () => void }} how `chosen`: null for all
 */
export function pairButtons(items, { chosen, isWhole, onChoose, onUnfold }) {
  const counts = countsByPair(items);
  if (counts.length < 2) return nothing;
  const shown = counts.filter(({ speakers }, at) => isWhole || at < PAIRS_AT_ONCE || speakers === chosen);
  const choice = (/** @type {string | null} */ speakers, /** @type {string} */ name, /** @type {number} */ count) =>
    html`<button type="button" class="button" aria-pressed=${chosen === speakers} @click=${() => onChoose(speakers)}><bdi>${name}</bdi> <span class="num muted">${formatCount(count)}</span></button>`;
  return html`
    <div class="agent-pairs" role="group" aria-label="Between whom">
      ${choice(null, 'All speakers', items.length)}
      ${shown.map(({ speakers, count }) => choice(speakers, pairName(speakers), count))}
      ${shown.length === counts.length ? nothing : html`<button type="button" class="button" @click=${onUnfold}>${countOf(counts.length - shown.length, 'more pair')}</button>`}
    </div>
  `;
}
