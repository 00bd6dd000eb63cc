/** A card with a few memories, such as those that were learnt today. */

import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';

/**
 * @typedef {object} ShortList
 * @property {string} title
 * @property {string} note beside the title
 * @property {import('../reading/api.js').Memory[]} memories
 * @property {import('../reading/api.js').Memory[]} [before] what came before them
 * @property {string} empty what is said where there is none
 * @property {unknown} [choice] what the reader can choose
 * @property {unknown} [lead] what is said before them
 * @property {string} [more] the address of all of them
 * @property {(memory: import('../reading/api.js').Memory) => unknown} [marks] what is said of each
 */

/** @param {ShortList} list @param {import('../page.js').Page} page */
export function shortList(
  { title, note, memories, before = [], empty, choice, lead, more, marks = () => nothing },
  page,
) {
  const item = (/** @type {import('../reading/api.js').Memory} */ memory) => html`<li>
    <a href=${page.linkTo({ memory: memory.id })}>${memory.gist}</a>
    <p class="origin"><span class="origin-agent"><bdi>${memory.agent_id}</bdi></span>${instant(memory.created_at)}${marks(memory)}</p>
  </li>`;
  return html`
    <section class="card" aria-label=${title}>
      <div class="card-head"><h2>${title}</h2><p class="card-note num">${note}</p>${choice}</div>
      ${lead}
      ${memories.length === 0 ? html`<p class="empty">${empty}</p>` : html`<ol class="short-list">${memories.map(item)}</ol>`}
      ${before.length === 0 ? nothing : html`<h3>Before that</h3><ol class="short-list">${before.map(item)}</ol>`}
      ${more ? html`<p class="card-foot"><a href=${more}>All of them</a></p>` : nothing}
    </section>
  `;
}
