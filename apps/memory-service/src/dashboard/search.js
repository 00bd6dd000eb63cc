/** The memories that an agent would recall for a query, with the reasons of each score, and the context for its prompt. */

import { memoryItem } from './memory-item.js';
import { el, setText } from './shared/dom.js';
import { countOf, formatDuration } from './shared/format.js';
import { TRUST } from './view-state.js';
import { whyBar } from './why-bar.js';

const MEMORIES_RECALLED = 20;

/** @param {any} memory @param {import('./page.js').Page} page */
function result(memory, page) {
  return memoryItem(
    memory,
    page,
    el(
      'div',
      { class: 'score' },
      el('span', { class: 'score-value num' }, memory.score.toFixed(2)),
      el('span', { class: 'relevance', 'data-relevance': memory.relevance }, memory.relevance),
      whyBar(memory.score, memory.why),
    ),
  );
}

/** @param {HTMLElement} section @param {import('./page.js').Page} page */
export function createSearch(section, page) {
  const { state } = page;
  const field = el('input', {
    id: 'query',
    type: 'search',
    placeholder: 'What does this agent want to know?',
    autocomplete: 'off',
  });
  const trust = el(
    'select',
    { id: 'trust' },
    el('option', { value: '' }, 'any'),
    ...TRUST.map((source) => el('option', {}, source)),
  );
  const form = el(
    'form',
    { class: 'query', role: 'search' },
    el('label', { class: 'visually-hidden', for: 'query' }, 'Query'),
    field,
    el('label', { class: 'field field-inline', for: 'trust' }, el('span', {}, 'Least trusted source'), trust),
    el('button', { type: 'submit', class: 'button button-main' }, 'Recall'),
  );
  const note = el('p', { class: 'card-note', role: 'status' });
  const list = el('ol', { class: 'memories' });
  const hint = el('p', { class: 'empty' });
  const contextText = el('pre', { class: 'context', tabindex: '0', 'aria-label': 'Context' });
  const contextSize = el('p', { class: 'card-note num' });
  const context = el(
    'aside',
    { class: 'card context-card', hidden: true },
    el('div', { class: 'card-head' }, el('h2', {}, 'Context'), contextSize),
    contextText,
    el(
      'p',
      { class: 'card-foot' },
      'What the agent would get to put before its prompt: what is of high or medium relevance.',
    ),
  );
  section.append(
    el(
      'div',
      { class: 'card' },
      form,
      el('p', { class: 'card-foot' }, 'Looking leaves no trace: nothing is strengthened, nothing is primed.'),
    ),
    el(
      'div',
      { class: 'search-grid' },
      el('div', { class: 'card' }, el('div', { class: 'card-head' }, el('h2', {}, 'Recalled'), note), list, hint),
      context,
    ),
  );

  const asked = () => `${state.trust} ${state.query}`;
  /** @type {string | null} what was asked for the results that are shown */ let shown = null;

  /** @param {string} text */
  function clear(text) {
    list.replaceChildren();
    context.hidden = true;
    setText(note, '');
    hint.hidden = text === '';
    setText(hint, text);
  }

  async function load() {
    const api = page.api();
    const question = asked();
    shown = question;
    setText(note, 'Asking …');
    try {
      const answer = await api.recall(state.query, { trust: state.trust, most: MEMORIES_RECALLED });
      if (api !== page.api() || question !== shown) return;
      page.fine();
      list.replaceChildren(...answer.memories.map((/** @type {any} */ memory) => result(memory, page)));
      setText(
        note,
        `${countOf(answer.memories.length, 'memory', 'memories')} in ${formatDuration(answer.took_ms / 1000)}`,
      );
      hint.hidden = answer.memories.length > 0;
      setText(hint, 'Nothing that is remembered bears on it.');
      context.hidden = false;
      setText(contextText, answer.context === '' ? 'Empty: nothing is relevant enough.' : answer.context);
      setText(contextSize, countOf(answer.context.length, 'character'));
    } catch (error) {
      if (api !== page.api() || question !== shown) return;
      shown = null;
      clear('');
      page.failed(error);
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const query = field.value.trim();
    // The same query is sent again, because new memories may have come meanwhile.
    shown = null;
    page.go({ query });
  });
  trust.addEventListener('change', () => page.go({ trust: trust.value }));

  return {
    show() {
      if (asked() === shown) return;
      field.value = state.query;
      trust.value = state.trust;
      if (state.query !== '') void load();
      else {
        shown = asked();
        clear('Ask something to see what comes back, and why.');
      }
    },
    forget() {
      shown = null;
      clear('');
    },
    /** @param {string} id @param {any} memory null when it is gone */
    memoryChanged(id, memory) {
      if (memory === null) list.querySelector(`[data-key="${CSS.escape(id)}"]`)?.remove();
    },
  };
}
