/** One memory in a list: speaker, text and time, with a link to its details. */

import { nowMs } from '../shared/clock.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { speakerOf } from './texts.js';

const SOURCE_HINTS = {
  tool: 'A tool returned it: anybody may have written it',
  import: 'Brought in from elsewhere',
};
const SCOPE_HINTS = {
  TEAM: 'Every agent sees it',
  SHARED: 'Every agent sees it, in other projects too',
  PRIVATE: 'Only the agent that made it sees it',
};

/** Whether what it says no longer holds. @param {import('../reading/api.js').Memory} memory */
const hasEnded = ({ valid_until }) => valid_until !== null && Date.parse(valid_until) <= nowMs();

/** Of any but the usual one. @param {Pick<import('../reading/api.js').Memory, 'scope'>} memory */
export const scopeBadge = ({ scope }) =>
  scope !== 'TEAM' && html`<span class="badge" data-scope=${scope} title=${SCOPE_HINTS[scope]}>${scope}</span>`;

/** @param {import('../reading/api.js').Memory} memory */
export function badges(memory) {
  const sourceHint = SOURCE_HINTS[/** @type {'tool'} */ (memory.source)];
  return [
    scopeBadge(memory),
    memory.kind === 'semantic' && html`<span class="badge" data-kind="semantic">semantic</span>`,
    sourceHint && html`<span class="badge" title=${sourceHint}>${memory.source}</span>`,
    memory.superseded_by !== null && html`<span class="badge">superseded</span>`,
    hasEnded(memory) && html`<span class="badge">ended</span>`,
  ].filter(Boolean);
}

/** @param {import('../reading/api.js').Memory | import('../reading/api.js').Contradiction['a']} memory or a claim */
export function origin(memory) {
  const speaker = speakerOf(memory);
  return html`
    <p class="origin">
      <span class="origin-agent"><bdi>${memory.agent_id}</bdi></span>
      ${memory.project ? html`<span class="origin-project" title="Project"><bdi>${memory.project}</bdi></span>` : nothing}
      ${speaker === '' ? nothing : html`<span><bdi>${speaker}</bdi></span>`}
      ${memory.session_id === null ? nothing : html`<span class="origin-session"><bdi>${memory.session_id}</bdi></span>`}
      ${instant(memory.created_at)}
    </p>
  `;
}

/**
 * @param {import('../reading/api.js').Memory} memory
 * @param {import('../page.js').Page} page
 * @param {unknown} [more] such as the reasons of a score
 */
export function memoryItem(memory, page, more = nothing) {
  const marks = [
    ...badges(memory),
    ...memory.tags.map((/** @type {string} */ tag) => html`<span class="tag">${tag}</span>`),
  ];
  return html`
    <li class="memory" data-key=${memory.id}>
      ${origin(memory)}
      <a class="memory-gist" href=${page.linkTo({ memory: memory.id })}>${memory.gist}</a>
      ${marks.length === 0 ? nothing : html`<p class="memory-marks">${marks}</p>`}
      ${more}
    </li>
  `;
}
