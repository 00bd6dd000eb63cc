/** The contradictions: both sides, the words that clash, and buttons to decide which of them holds. */

import { marked } from './marked.js';
import { origin } from './memory-item.js';
import { el, setText } from './shared/dom.js';
import { countOf } from './shared/format.js';
import { instant } from './texts.js';

const STATES = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['dismissed', 'Dismissed'],
];
const REASONS = {
  negation: 'denied',
  antonym: 'opposite words',
  number: 'other number',
  date: 'other time',
  version: 'other version',
  name: 'other name',
  exclusive_choice: 'other choice',
  preference: 'other preference',
  state: 'other state',
};

/** @param {any} contradiction */
function heading({ topic, reason, confidence, score }) {
  return el(
    'div',
    { class: 'card-head' },
    el('h3', {}, topic === '' ? 'Both cannot be so' : topic),
    el(
      'p',
      { class: 'memory-marks' },
      el('span', { class: 'badge' }, REASONS[/** @type {'state'} */ (reason)]),
      el('span', { class: 'badge', 'data-confidence': confidence }, `${confidence} confidence`),
      el('span', { class: 'badge num' }, score.toFixed(2)),
    ),
  );
}

/** The decision, with who made it and why. @param {any} contradiction */
function decided({ decision }) {
  if (decision === null) return null;
  const note = decision.note === null ? '' : ` “${decision.note}”`;
  return el('p', { class: 'card-foot' }, `${decision.agent_id} decided `, instant(decision.decided_at), note);
}

/** @param {HTMLElement} section @param {import('./page.js').Page} page */
export function createContradictions(section, page) {
  const state = el(
    'select',
    { id: 'contradiction-state', onchange: () => void load() },
    ...STATES.map(([value, label]) => el('option', { value }, label)),
  );
  const sameAgent = el('input', { id: 'same-agent', type: 'checkbox', onchange: () => void load() });
  const note = el('p', { class: 'card-note', role: 'status' });
  const list = el('ol', { class: 'contradictions' });
  const hint = el('p', { class: 'empty', hidden: true });
  section.append(
    el(
      'div',
      { class: 'card' },
      el('div', { class: 'card-head' }, el('h2', {}, 'Contradictions'), note),
      el(
        'div',
        { class: 'contradiction-filters' },
        el('label', { class: 'field field-inline', for: 'contradiction-state' }, el('span', {}, 'Show'), state),
        el('label', { class: 'field field-inline', for: 'same-agent' }, sameAgent, el('span', {}, 'also of one agent')),
      ),
      hint,
    ),
    list,
  );

  /** @param {any} contradiction @param {'a' | 'b'} side */
  function claim(contradiction, side) {
    const { [side]: said, decision } = contradiction;
    const holds = decision?.winner === said.memory_id;
    return el(
      'div',
      { class: 'claim', 'data-holds': holds || null },
      origin(said),
      el('a', { class: 'claim-gist', href: page.linkTo({ memory: said.memory_id }) }, ...marked(said.gist, said.clash)),
      holds
        ? el('p', { class: 'card-note' }, 'This holds')
        : el(
            'button',
            { type: 'button', class: 'button', onclick: () => void decide(contradiction, { winner: said.memory_id }) },
            'This holds',
          ),
    );
  }

  /** @param {any} contradiction */
  function item(contradiction) {
    const isOpen = contradiction.state === 'open';
    return el(
      'li',
      { class: 'card', 'data-key': contradiction.id },
      heading(contradiction),
      el('p', {}, contradiction.explanation),
      el('div', { class: 'claims' }, claim(contradiction, 'a'), claim(contradiction, 'b')),
      decided(contradiction),
      el(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => void decide(contradiction, isOpen ? { dismiss: true } : { reopen: true }),
        },
        isOpen ? 'Dismiss: both may stand' : 'Open again',
      ),
    );
  }

  async function load() {
    const api = page.api();
    setText(note, 'Comparing …');
    try {
      const answer = await api.contradictions({ states: [state.value], include_same_agent: sameAgent.checked });
      if (api !== page.api()) return;
      page.fine();
      list.replaceChildren(...answer.contradictions.map(item));
      const pending = answer.pending === 0 ? '' : `, ${answer.pending} more wait`;
      setText(note, `${countOf(answer.compared, 'memory', 'memories')} compared${pending}`);
      hint.hidden = answer.total > 0;
      setText(hint, state.value === 'open' ? 'Nothing that is remembered disagrees.' : 'Nothing was decided so yet.');
    } catch (error) {
      if (api !== page.api()) return;
      setText(note, '');
      page.failed(error);
    }
  }

  /** @param {any} contradiction @param {object} verdict */
  async function decide(contradiction, verdict) {
    const api = page.api();
    try {
      await api.decide(contradiction.id, verdict);
      if (api !== page.api()) return;
      page.say('Decided.');
      await load();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  return {
    show: () => void load(),
    forget: () => list.replaceChildren(),
  };
}
