/** All fields of a memory, for reading. */

import { bar } from './bar.js';
import { badges, origin } from './memory-item.js';
import { copyableId, el } from './shared/dom.js';
import { countOf } from './shared/format.js';
import { instant } from './texts.js';

const NO_FILTERS = { q: '', by: '', session: '', kind: '', scope: '', tag: '', from: '', to: '' };

/** @param {string} title @param {...import('./shared/dom.js').Child} children */
const part = (title, ...children) => el('section', { class: 'detail-part' }, el('h3', {}, title), ...children);

/** @param {number} share 0 to 1 */
const level = (share) =>
  el('div', { class: 'level' }, bar(share), el('span', { class: 'num' }, `${Math.round(share * 100)} %`));

/** Who did it, when and why. @param {{ agent_id: string, at: string, reason: string }} done */
const act = ({ agent_id, at, reason }) => el('p', {}, el('strong', {}, agent_id), ', ', instant(at), `: ${reason}`);

/** @param {any} memory @param {import('./page.js').Page} page */
export function memoryFacts(memory, page) {
  /** @param {Partial<typeof NO_FILTERS>} filter @param {string} text @param {...import('./shared/dom.js').Child} more */
  const browseLink = (filter, text, ...more) =>
    el(
      'a',
      { class: 'tag', href: page.linkTo({ view: 'browse', memory: null, filters: { ...NO_FILTERS, ...filter } }) },
      text,
      ...more,
    );
  /** @param {string} id */
  const memoryLink = (id) =>
    el('a', { class: 'memory-link', href: page.linkTo({ memory: id }), title: id }, `…${id.slice(-8)}`);
  const { tags, entities, sources, metadata, gist, content } = memory;
  const isSummed = gist !== content;
  /** @type {[string, import('./shared/dom.js').Child][]} */
  const facts = [
    ['Strength', level(memory.strength)],
    ['Importance', level(memory.importance)],
    ['Recalled', memory.recall_count === 0 ? 'never' : countOf(memory.recall_count, 'time')],
    ['Last recalled', memory.last_recalled_at === null ? '–' : instant(memory.last_recalled_at)],
    ['Said', instant(memory.created_at)],
    ['Changed', instant(memory.updated_at)],
    ['Holds from', memory.valid_from === null ? '–' : instant(memory.valid_from)],
    ['Holds until', memory.valid_until === null ? '–' : instant(memory.valid_until)],
    ['Expires', memory.expires_at === null ? 'never' : instant(memory.expires_at)],
    ['Project', memory.project ?? '–'],
    ['Scope', memory.scope],
    ['Kind', memory.kind],
    ['Role', memory.role ?? '–'],
    ['Source', memory.source],
    ['Session', memory.session_id === null ? '–' : browseLink({ session: memory.session_id }, memory.session_id)],
    ['Id', copyableId(memory.id, 'memory id')],
  ];
  return el(
    'div',
    {},
    origin(memory),
    el('p', { class: 'memory-marks' }, ...badges(memory)),
    isSummed && part('Gist', el('p', { class: 'said', tabindex: '0' }, gist)),
    part(isSummed ? 'Content' : 'What was said', el('p', { class: 'said', tabindex: '0' }, content)),
    tags.length > 0 &&
      part('Tags', el('p', { class: 'chips' }, ...tags.map((/** @type {string} */ tag) => browseLink({ tag }, tag)))),
    entities.length > 0 &&
      part(
        'Entities',
        el(
          'p',
          { class: 'chips' },
          ...entities.map((/** @type {any} */ { name, type }) =>
            browseLink({ q: name }, name, el('span', { class: 'entity-type' }, type)),
          ),
        ),
      ),
    el(
      'dl',
      { class: 'facts facts-columns' },
      ...facts.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))),
    ),
    sources.length > 0 &&
      part(
        `Drawn from ${countOf(sources.length, 'memory', 'memories')}`,
        el('p', { class: 'chips' }, ...sources.map(memoryLink)),
      ),
    memory.consolidated_into !== null && part('Consolidated into', memoryLink(memory.consolidated_into)),
    memory.invalidation !== null && part('Invalidated', act(memory.invalidation)),
    memory.superseded_by !== null &&
      part('Superseded by', memoryLink(memory.superseded_by), memory.supersession && act(memory.supersession)),
    Object.keys(metadata).length > 0 &&
      part('Metadata', el('pre', { tabindex: '0' }, JSON.stringify(metadata, null, 2))),
  );
}
