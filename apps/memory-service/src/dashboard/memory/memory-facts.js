/** All fields of a memory, for reading, and what it is connected with. */

import { level } from '../pieces/bar.js';
import { badges, origin } from '../pieces/memory-item.js';
import { copyableId } from '../shared/copyable-id.js';
import { factList } from '../shared/fact-list.js';
import { countOf } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';

/** @typedef {import('../page.js').Page} Page */

/** @param {string} title @param {unknown} content */
export const part = (title, content) => html`<section class="detail-part"><h3>${title}</h3>${content}</section>`;

/** Who did it, when and why. @param {{ agent_id: string, at: string, reason: string }} done */
const act = ({ agent_id, at, reason }) =>
  html`<p><strong><bdi>${agent_id}</bdi></strong>, ${instant(at)}: ${reason}</p>`;

/** @param {import('../reading/api.js').Memory} memory @param {{ page: Page, successor: import('../reading/api.js').Memory | null }} more `successor`: what came in its place; null before it is known, or where it is not to be seen */
export function memoryFacts(memory, { page, successor }) {
  const { gist, content, tags, entities, metadata } = memory;
  const isSummed = gist !== content;
  return html`
    ${origin(memory)}
    <p class="memory-marks">${badges(memory)}</p>
    ${isSummed ? part('Gist', said(gist)) : nothing}
    ${part(isSummed ? 'Content' : 'What was said', said(content))}
    ${memory.superseded_by === null ? nothing : part('Superseded by', supersededBy(memory, { page, successor }))}
    ${memory.invalidation === null ? nothing : part('Invalidated', act(memory.invalidation))}
    ${tags.length === 0 ? nothing : part('Tags', chips(tags.map((/** @type {string} */ tag) => browseLink(page, { tag }, tag))))}
    ${entities.length === 0 ? nothing : part('Entities', chips(entities.map((one) => entityLink(page, one))))}
    ${factList(factsOf(memory, page), { className: 'facts facts-columns' })}
    ${memory.consolidated_into === null ? nothing : part('Consolidated into', memoryLink(memory.consolidated_into, page))}
    ${
      Object.keys(metadata).length === 0
        ? nothing
        : part('Metadata', html`<pre tabindex="0">${JSON.stringify(metadata, null, 2)}</pre>`)
    }
  `;
}

/** @param {import('../reading/api.js').Memory} memory @param {Page} page @returns {[string, unknown][]} */
function factsOf(memory, page) {
  const when = (/** @type {string | null} */ at, /** @type {string} */ otherwise) =>
    at === null ? otherwise : instant(at);
  const { session_id: session } = memory;
  return [
    ['Strength', level(memory.strength)],
    ['Importance', level(memory.importance)],
    ['Recalled', memory.recall_count === 0 ? 'never' : countOf(memory.recall_count, 'time')],
    ['Last recalled', when(memory.last_recalled_at, '–')],
    ['Said', instant(memory.created_at)],
    ['Changed', instant(memory.updated_at)],
    ['Holds from', when(memory.valid_from, '–')],
    ['Holds until', when(memory.valid_until, '–')],
    ['Expires', when(memory.expires_at, 'never')],
    ['Project', html`<bdi>${memory.project ?? '–'}</bdi>`],
    ['Scope', memory.scope],
    ['Kind', memory.kind],
    ['Role', memory.role ?? '–'],
    ['Source', memory.source],
    ['Session', session === null ? '–' : browseLink(page, { session }, session)],
    ['Id', copyableId(memory.id, 'memory id')],
  ];
}

/** @param {string} text */
const said = (text) => html`<p class="said" tabindex="0">${text}</p>`;

/** @param {unknown[]} links */
const chips = (links) => html`<p class="chips">${links}</p>`;

/** @param {Page} page @param {Partial<typeof NO_FILTERS>} filter @param {unknown} content */
const browseLink = (page, filter, content) =>
  html`<a class="tag" href=${page.linkTo({ view: 'browse', memory: null, filters: { ...NO_FILTERS, ...filter } })}>${content}</a>`;

/** @param {Page} page @param {{ name: string, type: string }} entity */
const entityLink = (page, { name, type }) =>
  browseLink(page, { q: name }, html`<bdi>${name}</bdi><span class="entity-type">${type}</span>`);

/** @param {import('../reading/api.js').Memory} memory @param {{ page: Page, successor: import('../reading/api.js').Memory | null }} more */
const supersededBy = ({ superseded_by: id, supersession }, { page, successor }) => html`
  <p>${successor === null ? (id === null ? nothing : memoryLink(id, page)) : html`<a href=${page.linkTo({ memory: successor.id })}>${successor.gist}</a>`}</p>
  ${supersession ? act(supersession) : nothing}
`;

/** @param {string} id @param {Page} page */
const memoryLink = (id, page) =>
  html`<a class="memory-link" href=${page.linkTo({ memory: id })} title=${id}>…${id.slice(-8)}</a>`;
