/** What a memory comes from and led to, what speaks against it, and what was said around it. */

import { speakerOf } from '../pieces/texts.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { part } from './memory-facts.js';

/** @typedef {import('../page.js').Page} Page */

const STATE_WORDS = { open: 'undecided', resolved: 'decided', dismissed: 'both may stand' };

/** @param {import('../reading/api.js').Relations} relations @param {import('../reading/api.js').Memory} memory the memory itself @param {Page} page */
export function relationParts(relations, memory, page) {
  const { sources, derived, supersedes } = relations;
  /** @param {string} title @param {any[]} all @param {(one: any) => unknown} [item] */
  const partOf = (title, all, item = (one) => related(one, page)) =>
    all.length === 0 ? nothing : part(title, html`<ol class="related">${all.map(item)}</ol>`);
  return html`
    ${partOf('Recalled by', relations.recalled_by, recall)}
    ${partOf(`Derived from ${sources.length}`, sources)}
    ${partOf('Derived from it', derived)}
    ${partOf('In the place of', supersedes)}
    ${partOf('Contradictions', relations.contradictions, (one) => contradiction(one, memory, page))}
    ${saidAround(relations, memory, page)}
  `;
}

/** @param {import('../reading/api.js').Relations['recalled_by'][number]} recall */
const recall = ({ agent_id: agent, at }) =>
  html`<li><p class="origin"><span class="origin-agent"><bdi>${agent}</bdi></span>${instant(at)}</p></li>`;

/** @param {import('../reading/api.js').Relations['contradictions'][number]} contradiction @param {import('../reading/api.js').Memory} memory @param {Page} page */
function contradiction({ a, b, state }, memory, page) {
  const other = a.memory_id === memory.id ? b : a;
  return html`<li>
    <a href=${page.linkTo({ memory: other.memory_id })}>${other.gist}</a>
    <p class="origin"><span class="origin-agent"><bdi>${other.agent_id}</bdi></span><span>${STATE_WORDS[/** @type {'open'} */ (state)]}</span>${instant(other.created_at)}</p>
  </li>`;
}

/** @param {import('../reading/api.js').Relations} relations @param {import('../reading/api.js').Memory} memory @param {Page} page */
function saidAround({ said_before: before, said_after: after }, memory, page) {
  if (before.length + after.length === 0) return nothing;
  const all = [...before, memory, ...after];
  return part(
    memory.session_id === null ? 'Said around it' : 'Said around it in its session',
    html`<ol class="related around">${all.map((one) => related(one, page, { isSelf: one.id === memory.id }))}</ol>`,
  );
}

/** @param {import('../reading/api.js').Memory} memory @param {Page} page @param {{ isSelf?: boolean }} [how] */
function related(memory, page, { isSelf = false } = {}) {
  const speaker = speakerOf(memory);
  return html`<li aria-current=${isSelf ? 'true' : nothing} data-past=${memory.superseded_by === null ? nothing : 'yes'}>
    ${isSelf ? html`<strong>${memory.gist}</strong>` : html`<a href=${page.linkTo({ memory: memory.id })}>${memory.gist}</a>`}
    <p class="origin">
      <span class="origin-agent"><bdi>${memory.agent_id}</bdi></span>
      ${speaker === '' ? nothing : html`<span><bdi>${speaker}</bdi></span>`}
      ${instant(memory.created_at)}
    </p>
  </li>`;
}
