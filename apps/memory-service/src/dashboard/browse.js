/** The list of memories, newest first, page by page, with filters that are part of the address. */

import { memoryItem } from './memory-item.js';
import { el, setText } from './shared/dom.js';
import { countOf, formatCount } from './shared/format.js';
import { inProject } from './texts.js';
import { FILTERS } from './view-state.js';

const MEMORIES_A_PAGE = 50;
/** Delay after a key press: while somebody types, the list is requested only in pauses. */
const TYPING_PAUSE_MS = 300;

/** @type {Record<typeof FILTERS[number], { label: string, type: string, options?: string[], hint?: string }>} */
const FIELDS = {
  q: { label: 'Text', type: 'search', hint: 'holds these words' },
  by: { label: 'Agent', type: 'search', hint: 'any' },
  session: { label: 'Session', type: 'search', hint: 'any' },
  tag: { label: 'Tag', type: 'search', hint: 'any' },
  kind: { label: 'Kind', type: 'select', options: ['episodic', 'semantic'] },
  scope: { label: 'Scope', type: 'select', options: ['TEAM', 'SHARED', 'PRIVATE'] },
  from: { label: 'From', type: 'date' },
  to: { label: 'To', type: 'date' },
};

/** @param {typeof FILTERS[number]} name */
function fieldOf(name) {
  const { label, type, options, hint } = FIELDS[name];
  const id = `filter-${name}`;
  const control =
    type === 'select'
      ? el(
          'select',
          { id },
          el('option', { value: '' }, 'any'),
          ...(options ?? []).map((value) => el('option', {}, value)),
        )
      : el('input', { id, type, placeholder: hint, autocomplete: 'off', list: name === 'by' ? 'known-agents' : null });
  return { control, element: el('label', { class: 'field', for: id }, el('span', {}, label), control) };
}

/** @param {HTMLElement} section @param {import('./page.js').Page} page */
export function createBrowse(section, page) {
  const { state } = page;
  const fields = FILTERS.map((name) => ({ name, ...fieldOf(name) }));
  const count = el('p', { class: 'card-note', role: 'status' });
  const list = el('ol', { class: 'memories' });
  const empty = el('p', { class: 'empty', hidden: true });
  const more = el(
    'button',
    { type: 'button', class: 'button', hidden: true, onclick: () => void load(cursor) },
    'More',
  );
  // On a narrow screen this button hides all filters except the first, so that the list comes first.
  const toggle = el('button', { type: 'button', class: 'button filters-toggle', onclick: () => unfold(!isUnfolded()) });
  const form = el(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Filters' },
    fields[0]?.element,
    toggle,
    ...fields.slice(1).map(({ element }) => element),
    el('button', { type: 'reset', class: 'button clear-filters' }, 'Clear'),
  );
  const isUnfolded = () => form.dataset.open === 'yes';
  /** @param {boolean} open */
  function unfold(open) {
    form.dataset.open = open ? 'yes' : 'no';
    toggle.setAttribute('aria-expanded', String(open));
    setText(toggle, open ? 'Fewer filters' : 'More filters');
  }
  section.append(
    el(
      'div',
      { class: 'card' },
      el('div', { class: 'card-head' }, el('h2', {}, 'Memories'), count),
      form,
      list,
      empty,
      more,
    ),
  );

  /** @type {string | null} */ let cursor = null;
  /** The filters of the shown list, so that coming back from a memory needs no request. @type {string | null} */ let shown =
    null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let pause;

  const isFiltered = () => FILTERS.some((name) => state.filters[name] !== '');
  unfold(FILTERS.some((name) => name !== 'q' && state.filters[name] !== ''));

  /** @param {string | null} after */
  async function load(after) {
    const api = page.api();
    const wanted = JSON.stringify(state.filters);
    shown = wanted;
    more.disabled = true;
    try {
      const answer = await api.list(state.filters, { cursor: after, limit: MEMORIES_A_PAGE });
      if (api !== page.api() || wanted !== shown) return;
      page.fine();
      const items = answer.memories.map((/** @type {any} */ memory) => memoryItem(memory, page));
      if (after === null) list.replaceChildren(...items);
      else list.append(...items);
      if (after !== null) items[0]?.querySelector('a')?.focus();
      cursor = answer.next_cursor;
      more.hidden = cursor === null;
      setText(count, `${formatCount(list.childElementCount)} of ${countOf(answer.total, 'memory', 'memories')}`);
      empty.hidden = answer.total > 0;
      setText(
        empty,
        isFiltered()
          ? 'No memory fits these filters.'
          : `Nothing is remembered yet that this agent may see${inProject(state)}.`,
      );
    } catch (error) {
      if (api !== page.api() || wanted !== shown) return;
      shown = null;
      page.failed(error);
    } finally {
      more.disabled = false;
    }
  }

  function readFilters() {
    clearTimeout(pause);
    const filters = /** @type {any} */ ({});
    for (const { name, control } of fields) filters[name] = control.value.trim();
    page.go({ filters });
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    readFilters();
  });
  form.addEventListener('change', readFilters);
  form.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(readFilters, TYPING_PAUSE_MS);
  });
  // The browser empties the fields after this event.
  form.addEventListener('reset', () => setTimeout(readFilters));

  return {
    show() {
      for (const { name, control } of fields) {
        if (control.value.trim() !== state.filters[name]) control.value = state.filters[name];
      }
      if (shown !== JSON.stringify(state.filters)) void load(null);
    },
    forget() {
      shown = null;
      list.replaceChildren();
      setText(count, '');
    },
    /** @param {string} id @param {any} memory null when it is gone */
    memoryChanged(id, memory) {
      const item = list.querySelector(`[data-key="${CSS.escape(id)}"]`);
      if (memory !== null) item?.replaceWith(memoryItem(memory, page));
      else if (item) void load(null);
    },
  };
}
