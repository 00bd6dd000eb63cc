/** Recent events, newest first, with filters. */

import { whoseText } from '../pieces/whose.js';
import { copyableId } from '../shared/copyable-id.js';
import { countOf, formatMetadata, formatTime } from '../shared/format.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { nowMs } from '../state/clock.js';

const A_PAGE = 50;
const ALWAYS_OFFERED = ['task_start', 'task_end'];
const COLUMNS = ['Time', 'Agent', 'Event', 'Task type', 'Metadata', 'Task id', 'Event id'];

/** @param {import('../state/store.js').TimingEvent} event @param {string} text lower case */
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

/** @param {import('../state/store.js').TimingEvent} event @param {(id: string) => void} onOpenTask */
function eventRow(event, onOpenTask) {
  const named = (/** @type {string | null} */ text, className = 'name') =>
    html`<span class=${className} title=${text ?? nothing}>${text || '–'}</span>`;
  const time = formatTime(Date.parse(event.timestamp), nowMs());
  const cells = [
    html`<time class="num" datetime=${event.timestamp} title=${event.timestamp}>${time}</time>`,
    named(whoseText(event)),
    named(event.event_type, 'event-type name'),
    named(event.task_type),
    named(formatMetadata(event.metadata), 'name metadata'),
    event.correlation_id === null ? '–' : taskCell(event.correlation_id, onOpenTask),
    copyableId(event.id, 'event id'),
  ];
  return html`<tr data-event-type=${event.event_type}>${cells.map((cell, at) => html`<td data-label=${COLUMNS[at]}>${cell}</td>`)}</tr>`;
}

/** @param {string} id @param {(id: string) => void} onOpenTask */
const taskCell = (id, onOpenTask) => html`
  <span class="task-cell">
    ${copyableId(id, 'task id')}
    <button type="button" class="link-button" aria-label=${`Open task ${id}`} @click=${() => onOpenTask(id)}>Open</button>
  </span>
`;

/** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller @param {{ onOpenTask: (id: string) => void }} actions */
export function createEventsList(section, controller, { onOpenTask }) {
  const { eventFilter } = controller;
  let visible = A_PAGE;
  let text = '';
  let isLoading = false;

  /** @param {'event_type' | 'task_type'} name */
  const filterBy = (name) => (/** @type {Event} */ event) => {
    eventFilter[name] = /** @type {HTMLInputElement} */ (event.currentTarget).value.trim();
    visible = A_PAGE;
    void controller.loadEvents();
  };

  function onText(/** @type {Event} */ event) {
    text = /** @type {HTMLInputElement} */ (event.currentTarget).value.trim().toLowerCase();
    draw(controller.store);
  }

  async function loadMore() {
    isLoading = true;
    draw(controller.store);
    if (visible >= controller.store.events.length) await controller.loadMoreEvents();
    isLoading = false;
    visible += A_PAGE;
    draw(controller.store);
  }

  /** @param {import('../state/store.js').Store} store */
  function filters(store) {
    const seen = [...new Set([...ALWAYS_OFFERED, ...store.events.map((event) => event.event_type)])].sort();
    return html`
      <div class="filters" role="group" aria-label="Filter events">
        <label class="field" for="filter-event-type"><span>Event type</span>
          <input id="filter-event-type" type="search" list="event-types" placeholder="All events" autocomplete="off" @change=${filterBy('event_type')}>
        </label>
        <datalist id="event-types">${seen.map((name) => html`<option value=${name}></option>`)}</datalist>
        <label class="field" for="filter-task-type"><span>Task type</span>
          <select id="filter-task-type" @change=${filterBy('task_type')}>
            <option value="">All task types</option>
            ${repeat(
              store.taskTypes,
              (name) => name,
              (name) => html`<option value=${name}>${name}</option>`,
            )}
          </select>
        </label>
        <label class="field" for="filter-text"><span>Search in loaded events</span>
          <input id="filter-text" type="search" placeholder="Text, id, metadata" autocomplete="off" @input=${onText}>
        </label>
      </div>
    `;
  }

  /** @param {import('../state/store.js').Store} store */
  function draw(store) {
    const matching = store.events.filter((event) => containsText(event, text));
    const isFiltered = text !== '' || eventFilter.event_type !== '' || eventFilter.task_type !== '';
    const count = `${Math.min(visible, matching.length)} of ${countOf(store.events.length, 'loaded event')}`;
    render(
      html`
        <div class="card-head"><h2 id="events-heading">Recent events</h2><p class="card-note">${store.events.length === 0 ? '' : count}</p></div>
        ${filters(store)}
        <div class="table-scroll">
          <table class="event-table" ?hidden=${matching.length === 0}>
            <caption class="visually-hidden">Recent events, newest first</caption>
            <thead><tr>${COLUMNS.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
            <tbody>
              ${repeat(
                matching.slice(0, visible),
                (event) => event.id,
                (event) => eventRow(event, onOpenTask),
              )}
            </tbody>
          </table>
        </div>
        ${
          matching.length === 0 && store.loaded
            ? html`<p class="empty">${isFiltered ? 'No loaded event matches these filters.' : 'No event yet.'}</p>`
            : nothing
        }
        ${
          matching.length <= visible && store.eventsCursor === null
            ? nothing
            : html`<button type="button" class="button" ?disabled=${isLoading} @click=${() => void loadMore()}>Load more</button>`
        }
      `,
      section,
    );
  }

  return { render: draw };
}
