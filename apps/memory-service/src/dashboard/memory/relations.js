/** What a memory comes from and led to, what speaks against it, and what was said around it. */

import { speakerOf } from '../pieces/texts.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { part } from './memory-facts.js';

const STATE_WORDS = { open: 'undecided', resolved: 'decided', dismissed: 'both may stand' };

/** @param {any} relations @param {any} memory the memory itself @param {import('../page.js').Page} page */
export function relationParts(relations, memory, page) {
  const {
    recalled_by: recalls,
    sources,
    derived,
    supersedes,
    contradictions,
    said_before: before,
    said_after: after,
  } = relations;
  const links = (/** @type {any[]} */ memories) =>
    html`<ol class="related">${memories.map((one) => related(one, page))}</ol>`;
  const around = [...before, memory, ...after];
  return html`
    ${
      recalls.length === 0
        ? nothing
        : part(
            'Recalled by',
            html`<ol class="related">
              ${recalls.map((/** @type {any} */ { agent_id: agent, at }) => html`<li><p class="origin"><span class="origin-agent">${agent}</span>${instant(at)}</p></li>`)}
            </ol>`,
          )
    }
    ${sources.length === 0 ? nothing : part(`Derived from ${sources.length}`, links(sources))}
    ${derived.length === 0 ? nothing : part('Derived from it', links(derived))}
    ${supersedes.length === 0 ? nothing : part('In the place of', links(supersedes))}
    ${
      contradictions.length === 0
        ? nothing
        : part(
            'Contradictions',
            html`<ol class="related">
              ${contradictions.map((/** @type {any} */ one) => {
                const other = one.a.memory_id === memory.id ? one.b : one.a;
                return html`<li>
                  <a href=${page.linkTo({ memory: other.memory_id })}>${other.gist}</a>
                  <p class="origin"><span class="origin-agent">${other.agent_id}</span><span>${STATE_WORDS[/** @type {'open'} */ (one.state)]}</span>${instant(other.created_at)}</p>
                </li>`;
              })}
            </ol>`,
          )
    }
    ${
      around.length === 1
        ? nothing
        : part(
            memory.session_id === null ? 'Said around it' : 'Said around it in its session',
            html`<ol class="related around">${around.map((one) => related(one, page, one.id === memory.id))}</ol>`,
          )
    }
  `;
}

/** @param {any} memory @param {import('../page.js').Page} page @param {boolean} [isSelf] */
function related(memory, page, isSelf = false) {
  const speaker = speakerOf(memory);
  return html`<li aria-current=${isSelf ? 'true' : nothing} data-past=${memory.superseded_by === null ? nothing : 'yes'}>
    ${isSelf ? html`<strong>${memory.gist}</strong>` : html`<a href=${page.linkTo({ memory: memory.id })}>${memory.gist}</a>`}
    <p class="origin">
      <span class="origin-agent">${memory.agent_id}</span>
      ${speaker === '' ? nothing : html`<span>${speaker}</span>`}
      ${instant(memory.created_at)}
    </p>
  </li>`;
}
