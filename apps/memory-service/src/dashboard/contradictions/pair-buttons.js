/** Who contradicts whom, the most often first; each shows what lies between the two. */

import { countOf, formatCount } from '../shared/format.js';
import { html, nothing } from '../shared/template.js';
import { countsByPair, pairName } from './agent-pairs.js';

/** More come on demand. */
const PAIRS_AT_ONCE = 8;

/**
 * @param {import('./queue.js').Contradiction[]} items
 * @param {{ chosen: string | null, isWhole: boolean, onChoose: (agents: string | null) => void, onUnfold: () => void }} how `chosen`: null for all agents
 */
export function pairButtons(items, { chosen, isWhole, onChoose, onUnfold }) {
  const counts = countsByPair(items);
  if (counts.length < 2) return nothing;
  const shown = isWhole ? counts : counts.slice(0, PAIRS_AT_ONCE);
  const choice = (/** @type {string | null} */ agents, /** @type {string} */ name, /** @type {number} */ count) =>
    html`<button type="button" class="button" aria-pressed=${chosen === agents} @click=${() => onChoose(agents)}>${name} <span class="num muted">${formatCount(count)}</span></button>`;
  return html`
    <div class="agent-pairs" role="group" aria-label="Between whom">
      ${choice(null, 'All agents', items.length)}
      ${shown.map(({ agents, count }) => choice(agents, pairName(agents), count))}
      ${shown.length === counts.length ? nothing : html`<button type="button" class="button" @click=${onUnfold}>${countOf(counts.length - shown.length, 'more pair')}</button>`}
    </div>
  `;
}
