/** The list of memories, newest first, with filters that are part of the address. It loads on as the reader scrolls. */

import { memoryItem } from '../pieces/memory-item.js';
import { inProject } from '../pieces/texts.js';
import { typedText } from '../pieces/typed-text.js';
import { countOf, formatCount } from '../shared/format.js';
import { html, live, nothing, render } from '../shared/template.js';
import { createVirtualList } from '../shared/virtual-list.js';
import { FILTERS, NO_CONDITIONS } from '../state/view-state.js';

const MEMORIES_A_PAGE = 50;
/** Delay after a key press: while somebody types, the list is requested only in pauses. */
const TYPING_PAUSE_MS = 300;

/** @type {Record<typeof FILTERS[number], { label: string, type: string, options?: string[], hint?: string }>} */
const FIELDS = {
  q: { label: 'Text', type: 'search', hint: 'holds this text' },
  by: { label: 'Agent', type: 'search', hint: 'any' },
  session: { label: 'Session', type: 'search', hint: 'any' },
  tag: { label: 'Tag', type: 'search', hint: 'any' },
  kind: { label: 'Kind', type: 'select', options: ['episodic', 'semantic'] },
  scope: { label: 'Scope', type: 'select', options: ['TEAM', 'SHARED', 'PRIVATE'] },
  recalled: { label: 'Recalled', type: 'select', options: ['never', 'ever'] },
  from: { label: 'From', type: 'date' },
  to: { label: 'To', type: 'date' },
  held: { label: 'What held on', type: 'date' },
};

/** @param {typeof FILTERS[number]} name @param {string} value */
function fieldOf(name, value) {
  const { label, type, options, hint } = FIELDS[name];
  const id = `filter-${name}`;
  const control =
    type === 'select'
      ? html`<select id=${id} .value=${live(value)}>
          <option value="">any</option>
          ${options?.map((option) => html`<option ?selected=${option === value}>${option}</option>`)}
        </select>`
      : html`<input id=${id} type=${type} placeholder=${hint ?? nothing} autocomplete="off" list=${name === 'by' ? 'known-agents' : nothing} .value=${live(value)}>`;
  return html`<label class="field" for=${id}><span>${label}</span>${control}</label>`;
}

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createBrowse(section, page) {
  const { state } = page;
  /** The filters of the shown list, so that coming back from a memory needs no request. @type {string | null} */
  let shown = null;
  let total = 0;
  /** @type {string | null} */
  let cursor = null;
  let isLoading = false;
  /** What was deleted here, and may come back. @type {Set<string>} */
  const gone = new Set();
  /** Something was said since the list was read, which stays as it is under the reader's eyes. */
  let isBehind = false;
  /** Whether the reader asked for more and goes on there. */
  let focusesNext = false;
  let isUnfolded = FILTERS.some((name) => name !== 'q' && state.filters[name] !== '');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  render(html`<div class="card"><div></div><div class="memories-place"></div><div></div></div>`, section);
  const [head, place, foot] = /** @type {HTMLElement[]} */ ([...(section.firstElementChild?.children ?? [])]);
  const list = createVirtualList(/** @type {HTMLElement} */ (place), {
    className: 'memories',
    item: (memory) => memoryItem(memory, page),
    onEnd: () => {
      if (cursor !== null && !isLoading) void load(cursor);
    },
    awaited: () => (cursor === null ? 0 : total - list.length),
  });

  const isFiltered = () => FILTERS.some((name) => state.filters[name] !== '');

  function draw() {
    const isTyping = pause !== undefined;
    const filters = FILTERS.map((name) =>
      fieldOf(name, typedText(section, `filter-${name}`, state.filters[name], { isTyping })),
    );
    const { q, session: _, recalled: __, ...conditions } = state.filters;
    const byMeaning = { view: /** @type {const} */ ('search'), query: q, recall: { ...NO_CONDITIONS, ...conditions } };
    const count = shown === null ? '' : `${formatCount(list.length)} of ${countOf(total, 'memory', 'memories')}`;
    render(
      html`
        <div class="card-head"><h2>Memories</h2>
          ${isBehind ? html`<button type="button" class="button" @click=${showNew}>Show what is new</button>` : nothing}
          <p class="card-note num" role="status">${count}</p>
        </div>
        <form class="filters" role="search" aria-label="Filters" data-open=${isUnfolded ? 'yes' : 'no'}
          @submit=${onSubmit} @change=${readFilters} @input=${onInput} @reset=${() => setTimeout(readFilters)}>
          ${filters[0]}
          <button type="button" class="button filters-toggle" aria-expanded=${isUnfolded} @click=${unfold}>
            ${isUnfolded ? 'Fewer filters' : 'More filters'}
          </button>
          ${filters.slice(1)}
          <button type="button" class="button clear-filters" @click=${clearFilters}>Clear</button>
        </form>
        ${q === '' ? nothing : html`<p class="card-foot">Only memories that hold this very text are listed. <a href=${page.linkTo(byMeaning)}>Search by meaning</a></p>`}
      `,
      /** @type {HTMLElement} */ (head),
    );
    const isEmpty = shown !== null && !isLoading && total === 0;
    render(
      html`
        ${
          isEmpty
            ? html`<p class="empty">
              ${isFiltered() ? 'No memory fits these filters.' : `Nothing is remembered yet that this agent may see${inProject(state)}.`}
            </p>`
            : nothing
        }
        ${
          cursor === null
            ? nothing
            : html`<button type="button" class="button" @click=${() => void load(cursor, { focus: true })}>More</button>`
        }
      `,
      /** @type {HTMLElement} */ (foot),
    );
  }

  function showNew() {
    scrollTo(0, 0);
    void load(null);
  }

  function unfold() {
    isUnfolded = !isUnfolded;
    draw();
  }

  /** @param {string | null} after @param {{ focus?: boolean }} [options] */
  async function load(after, { focus = false } = {}) {
    if (focus) focusesNext = true;
    // The end came near while the button was pressed.
    if (isLoading && after !== null) return;
    const api = page.api();
    const wanted = JSON.stringify(state.filters);
    shown = wanted;
    isLoading = true;
    if (after === null) isBehind = false;
    draw();
    try {
      const answer = await api.browse(state.filters, { cursor: after, limit: MEMORIES_A_PAGE });
      if (api !== page.api() || wanted !== shown) return;
      page.fine();
      total = answer.total;
      cursor = answer.next_cursor;
      const before = list.length;
      if (after === null) list.replace(answer.memories);
      else list.append(answer.memories);
      if (after !== null && focusesNext) list.focusOn(before);
      focusesNext = false;
    } catch (error) {
      if (api !== page.api() || wanted !== shown) return;
      shown = null;
      page.failed(error);
    } finally {
      if (api === page.api() && (wanted === shown || shown === null)) {
        isLoading = false;
        draw();
      }
    }
  }

  function endPause() {
    clearTimeout(pause);
    pause = undefined;
  }
  function readFilters() {
    endPause();
    const filters = /** @type {any} */ ({});
    for (const name of FILTERS) {
      filters[name] = /** @type {HTMLInputElement} */ (section.querySelector(`#filter-${name}`)).value.trim();
    }
    page.go({ filters });
  }
  function clearFilters() {
    endPause();
    page.go({ filters: /** @type {any} */ (Object.fromEntries(FILTERS.map((name) => [name, '']))) });
  }
  function onSubmit(/** @type {Event} */ event) {
    event.preventDefault();
    readFilters();
  }
  function onInput() {
    clearTimeout(pause);
    pause = setTimeout(readFilters, TYPING_PAUSE_MS);
  }

  return {
    show() {
      if (shown === JSON.stringify(state.filters)) return draw();
      endPause();
      void load(null);
    },
    forget() {
      shown = null;
      cursor = null;
      isBehind = false;
      list.replace([]);
      draw();
    },
    changed(/** @type {Set<string>} */ kinds) {
      isBehind ||= kinds.has('added') || kinds.has('reset');
      draw();
    },
    /** @param {string} id @param {any} memory null when it is gone */
    memoryChanged(id, memory) {
      if (memory === null) gone.add(id);
      else if (!gone.delete(id)) return list.change(id, memory);
      if (shown !== null) void load(null);
    },
  };
}
