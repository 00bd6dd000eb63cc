/** The fields above the list of events. */

import { html, repeat } from '../shared/template.js';

const ALWAYS_OFFERED = ['task_start', 'task_end'];

/**
 * @param {import('../state/store.js').Store} store
 * @param {{ chosen: import('../state/store.js').EventFilter, onFilter: (change: Partial<import('../state/store.js').EventFilter>) => void, onText: (text: string) => void }} actions
 *   `chosen`: a task type is offered even where another agent has none of it; `onFilter`: the service is to be asked; `onText`: what is loaded is to be searched
 */
export function eventFilters(store, { chosen, onFilter, onText }) {
  const seen = [...new Set([...ALWAYS_OFFERED, ...store.events.map((event) => event.event_type)])].sort();
  const types = [...new Set([...store.taskTypes, chosen.task_type])].filter((name) => name !== '').sort();
  return html`
    <div class="filters" role="group" aria-label="Filter events">
      <label class="field" for="filter-event-type"><span>Event type</span>
        <input id="filter-event-type" type="search" list="event-types" placeholder="All events" autocomplete="off" maxlength="128"
          .value=${chosen.event_type} @change=${(/** @type {Event} */ event) => onFilter({ event_type: textOf(event) })}>
      </label>
      <datalist id="event-types">${seen.map((name) => html`<option value=${name}></option>`)}</datalist>
      <label class="field" for="filter-task-type"><span>Task type</span>
        <select id="filter-task-type" @change=${(/** @type {Event} */ event) => onFilter({ task_type: textOf(event) })}>
          <option value="">All task types</option>
          ${repeat(
            types,
            (name) => name,
            (name) => html`<option value=${name} .selected=${name === chosen.task_type}>${name}</option>`,
          )}
        </select>
      </label>
      <label class="field" for="filter-text"><span>Search in loaded events</span>
        <input id="filter-text" type="search" placeholder="Text, id, metadata" autocomplete="off"
          @input=${(/** @type {Event} */ event) => onText(textOf(event).toLowerCase())}>
      </label>
    </div>
  `;
}

/** @param {Event} event of a field */
const textOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.currentTarget).value.trim();
