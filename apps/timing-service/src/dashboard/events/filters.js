/** The fields above the list of events. */

import { html, repeat } from '../shared/template.js';

const ALWAYS_OFFERED = ['task_start', 'task_end'];

/**
 * @param {import('../state/store.js').Store} store
 * @param {{ chosenType: string, onFilter: (name: 'event_type' | 'task_type', value: string) => void, onText: (text: string) => void }} actions
 *   `chosenType`: empty for all; offered even where another agent has none of it; `onFilter`: the service is to be asked; `onText`: what is loaded is to be searched
 */
export function eventFilters(store, { chosenType, onFilter, onText }) {
  const seen = [...new Set([...ALWAYS_OFFERED, ...store.events.map((event) => event.event_type)])].sort();
  const types = [...new Set([...store.taskTypes, chosenType])].filter((name) => name !== '').sort();
  return html`
    <div class="filters" role="group" aria-label="Filter events">
      <label class="field" for="filter-event-type"><span>Event type</span>
        <input id="filter-event-type" type="search" list="event-types" placeholder="All events" autocomplete="off"
          @change=${(/** @type {Event} */ event) => onFilter('event_type', textOf(event))}>
      </label>
      <datalist id="event-types">${seen.map((name) => html`<option value=${name}></option>`)}</datalist>
      <label class="field" for="filter-task-type"><span>Task type</span>
        <select id="filter-task-type" @change=${(/** @type {Event} */ event) => onFilter('task_type', textOf(event))}>
          <option value="">All task types</option>
          ${repeat(
            types,
            (name) => name,
            (name) => html`<option value=${name} ?selected=${name === chosenType}>${name}</option>`,
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
