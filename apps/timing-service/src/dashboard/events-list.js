/** Recent events, newest first, with filters. */

import { nowMs } from './clock.js';
import { copyableId, el, setOptions, setText, syncChildren } from './shared/dom.js';
import { countOf, formatMetadata, formatTime } from './shared/format.js';
import { whoseText } from './whose.js';

const A_PAGE = 50;
const ALWAYS_OFFERED = ['task_start', 'task_end'];
const COLUMNS = ['Time', 'Agent', 'Event', 'Task type', 'Metadata', 'Task id', 'Event id'];

/** @param {import('./store.js').TimingEvent} event @param {string} text lower case */
function containsText(event, text) {
  if (text === '') return true;
  return [
    event.id,
    event.agent_id,
    event.project,
    event.event_type,
    event.task_type,
    event.correlation_id,
    formatMetadata(event.metadata),
  ].some((part) => part?.toLowerCase().includes(text));
}

/** @param {import('./store.js').TimingEvent} event @param {(id: string) => void} onOpenTask */
function createRow(event, onOpenTask) {
  const at = Date.parse(event.timestamp);
  const metadata = formatMetadata(event.metadata);
  const cell = (/** @type {number} */ i, /** @type {any[]} */ ...children) =>
    el('td', { 'data-label': COLUMNS[i] }, ...children);
  return el(
    'tr',
    { 'data-event-type': event.event_type },
    cell(0, el('time', { class: 'num', datetime: event.timestamp, title: event.timestamp }, formatTime(at, nowMs()))),
    cell(1, el('span', { class: 'name', title: whoseText(event) }, whoseText(event))),
    cell(2, el('span', { class: 'event-type name', title: event.event_type }, event.event_type)),
    cell(3, el('span', { class: 'name', title: event.task_type }, event.task_type ?? '–')),
    cell(4, el('span', { class: 'name metadata', title: metadata }, metadata || '–')),
    cell(5, event.correlation_id === null ? '–' : taskCell(event.correlation_id, onOpenTask)),
    cell(6, copyableId(event.id, 'event id')),
  );
}

/** @param {string} id @param {(id: string) => void} onOpenTask */
const taskCell = (id, onOpenTask) =>
  el(
    'span',
    { class: 'task-cell' },
    copyableId(id, 'task id'),
    el(
      'button',
      { type: 'button', class: 'link-button', 'aria-label': `Open task ${id}`, onclick: () => onOpenTask(id) },
      'Open',
    ),
  );

/** @param {HTMLElement} section @param {import('./controller.js').Controller} controller @param {{ onOpenTask: (id: string) => void }} actions */
export function createEventsList(section, controller, { onOpenTask }) {
  let visible = A_PAGE;
  const eventTypes = el('datalist', { id: 'event-types' });
  const eventType = el('input', {
    id: 'filter-event-type',
    type: 'search',
    list: 'event-types',
    placeholder: 'All events',
    autocomplete: 'off',
    onchange: () => filter(),
  });
  const taskType = el('select', { id: 'filter-task-type', onchange: () => filter() });
  const text = el('input', {
    id: 'filter-text',
    type: 'search',
    placeholder: 'Text, id, metadata',
    autocomplete: 'off',
    oninput: () => render(controller.store),
  });
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control) =>
    el('label', { class: 'field', for: control.id }, el('span', {}, label), control);
  const note = el('p', { class: 'card-note' });
  const body = el('tbody');
  const table = el(
    'table',
    { class: 'event-table' },
    el('caption', { class: 'visually-hidden' }, 'Recent events, newest first'),
    el('thead', {}, el('tr', {}, ...COLUMNS.map((column) => el('th', { scope: 'col' }, column)))),
    body,
  );
  const empty = el('p', { class: 'empty' });
  const more = el('button', { type: 'button', class: 'button', onclick: () => void loadMore() }, 'Load more');
  section.append(
    el('div', { class: 'card-head' }, el('h2', { id: 'events-heading' }, 'Recent events'), note),
    el(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'Filter events' },
      field('Event type', eventType),
      eventTypes,
      field('Task type', taskType),
      field('Search in loaded events', text),
    ),
    el('div', { class: 'table-scroll' }, table),
    empty,
    more,
  );

  function filter() {
    controller.eventFilter.event_type = eventType.value.trim();
    controller.eventFilter.task_type = taskType.value;
    visible = A_PAGE;
    void controller.loadEvents();
  }

  async function loadMore() {
    more.disabled = true;
    if (visible >= controller.store.events.length) await controller.loadMoreEvents();
    more.disabled = false;
    visible += A_PAGE;
    render(controller.store);
  }

  /** @param {import('./store.js').Store} store */
  function render(store) {
    const seen = [...new Set([...ALWAYS_OFFERED, ...store.events.map((event) => event.event_type)])].sort();
    if (eventTypes.childElementCount !== seen.length) {
      eventTypes.replaceChildren(...seen.map((value) => el('option', { value })));
    }
    setOptions(taskType, [
      ['', 'All task types'],
      ...store.taskTypes.map((name) => /** @type {[string, string]} */ ([name, name])),
    ]);
    const wanted = text.value.trim().toLowerCase();
    const matching = store.events.filter((event) => containsText(event, wanted));
    syncChildren(body, matching.slice(0, visible), {
      key: (event) => event.id,
      create: (event) => createRow(event, onOpenTask),
    });
    table.hidden = matching.length === 0;
    empty.hidden = matching.length > 0 || !store.loaded;
    const filtered = wanted !== '' || eventType.value !== '' || taskType.value !== '';
    setText(empty, filtered ? 'No loaded event matches these filters.' : 'No event yet.');
    more.hidden = matching.length <= visible && store.eventsCursor === null;
    setText(
      note,
      store.events.length === 0
        ? ''
        : `${Math.min(visible, matching.length)} of ${countOf(store.events.length, 'loaded event')}`,
    );
  }

  return { render };
}
