/** One memory in a list: speaker, text and time, with a link to its details. */

import { el } from './shared/dom.js';
import { instant, speakerOf } from './texts.js';

const SOURCE_HINTS = {
  tool: 'A tool returned it: anybody may have written it',
  import: 'Brought in from elsewhere',
};
const SCOPE_HINTS = {
  TEAM: 'Every agent sees it',
  SHARED: 'Every agent sees it, in other projects too',
  PRIVATE: 'Only the agent that made it sees it',
};

/** Whether what it says no longer holds. @param {any} memory */
const hasEnded = ({ valid_until }) => valid_until !== null && Date.parse(valid_until) <= Date.now();

/** @param {any} memory */
export function badges(memory) {
  return [
    memory.scope === 'TEAM'
      ? null
      : el(
          'span',
          { class: 'badge', 'data-scope': memory.scope, title: SCOPE_HINTS[/** @type {'TEAM'} */ (memory.scope)] },
          memory.scope,
        ),
    memory.kind === 'semantic' ? el('span', { class: 'badge', 'data-kind': 'semantic' }, 'semantic') : null,
    memory.source in SOURCE_HINTS
      ? el('span', { class: 'badge', title: SOURCE_HINTS[/** @type {'tool'} */ (memory.source)] }, memory.source)
      : null,
    memory.superseded_by === null ? null : el('span', { class: 'badge' }, 'superseded'),
    hasEnded(memory) ? el('span', { class: 'badge' }, 'ended') : null,
  ];
}

/** @param {any} memory */
export function origin(memory) {
  const speaker = speakerOf(memory);
  return el(
    'p',
    { class: 'origin' },
    el('span', { class: 'origin-agent' }, memory.agent_id),
    memory.project === null ? null : el('span', { class: 'origin-project', title: 'Project' }, memory.project),
    speaker === '' ? null : el('span', {}, speaker),
    memory.session_id === null ? null : el('span', { class: 'origin-session' }, memory.session_id),
    instant(memory.created_at),
  );
}

/**
 * @param {any} memory
 * @param {import('./page.js').Page} page
 * @param {...import('./shared/dom.js').Child} more such as the reasons of a score
 */
export function memoryItem(memory, page, ...more) {
  return el(
    'li',
    { class: 'memory', 'data-key': memory.id },
    origin(memory),
    el('a', { class: 'memory-gist', href: page.linkTo({ memory: memory.id }) }, memory.gist),
    el(
      'p',
      { class: 'memory-marks' },
      ...badges(memory),
      ...memory.tags.map((/** @type {string} */ tag) => el('span', { class: 'tag' }, tag)),
    ),
    ...more,
  );
}
