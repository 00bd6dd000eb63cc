/** Recent events, newest first, with filters. */

import { countOf } from '../shared/format.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { COLUMNS, containsText, eventRow } from './event-row.js';
import { eventFilters } from './filters.js';

const A_PAGE = 50;

export class EventsList {
  #section;
  #controller;
  #actions;
  #visible = A_PAGE;
  #text = '';
  #isLoading = false;

  /** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller @param {{ onOpenTask: (id: string) => void, onFilter: (filter: import('../state/store.js').EventFilter) => void }} actions */
  constructor(section, controller, actions) {
    this.#section = section;
    this.#controller = controller;
    this.#actions = actions;
  }

  /** @param {import('../state/store.js').Store} store */
  render(store) {
    const matching = store.events.filter((event) => containsText(event, this.#text));
    const count = `${Math.min(this.#visible, matching.length)} of ${countOf(store.events.length, 'loaded event')}`;
    const isAll = matching.length <= this.#visible && store.eventsCursor === null;
    render(
      html`
        <div class="card-head"><h2 id="events-heading">Recent events</h2><p class="card-note">${store.events.length === 0 ? '' : count}</p></div>
        ${eventFilters(store, {
          chosen: this.#controller.eventFilter,
          onFilter: (change) => this.#filterBy(change),
          onText: (text) => this.#search(text),
        })}
        ${this.#table(matching)}
        ${matching.length === 0 && store.loaded ? html`<p class="empty">${this.#emptyText()}</p>` : nothing}
        ${isAll ? nothing : html`<button type="button" class="button" aria-disabled=${this.#isLoading} @click=${() => void this.#loadMore()}>Load more</button>`}
      `,
      this.#section,
    );
  }

  /** @param {import('../state/store.js').TimingEvent[]} matching */
  #table(matching) {
    return html`
      <div class="table-scroll">
        <table class="event-table" ?hidden=${matching.length === 0}>
          <caption class="visually-hidden">Recent events, newest first</caption>
          <thead><tr>${COLUMNS.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>
            ${repeat(
              matching.slice(0, this.#visible),
              (event) => event.id,
              (event) => eventRow(event, this.#actions.onOpenTask),
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  #emptyText() {
    const { event_type: eventType, task_type: taskType } = this.#controller.eventFilter;
    const isFiltered = this.#text !== '' || eventType !== '' || taskType !== '';
    return isFiltered ? 'No loaded event matches these filters.' : 'No event yet.';
  }

  /** @param {Partial<import('../state/store.js').EventFilter>} change */
  #filterBy(change) {
    this.#visible = A_PAGE;
    this.#actions.onFilter({ ...this.#controller.eventFilter, ...change });
  }

  /** @param {string} text lower case */
  #search(text) {
    this.#text = text;
    this.render(this.#controller.store);
  }

  /** Its button is not `disabled` meanwhile: that would take the focus from it. */
  async #loadMore() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.render(this.#controller.store);
    if (this.#visible >= this.#controller.store.events.length) await this.#controller.loadMoreEvents();
    this.#isLoading = false;
    this.#visible += A_PAGE;
    this.render(this.#controller.store);
  }
}
