/** The table of task types: sortable, a row opens its details. */

import { countOf } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { sortedFirst } from '../state/view-state.js';
import { COLUMNS, rowsOf, sortRows } from './columns.js';
import { typeRow } from './type-row.js';

const SHOWN_AT_FIRST = 20;

/** @typedef {import('../state/view-state.js').Sort} Sort */

export class TypeTable {
  #section;
  #actions;
  #isWhole = false;
  /** @type {string[]} the types from the top */ typesInView = [];

  /** @param {HTMLElement} section @param {{ onSelect: (type: string) => void, onSort: (sort: Sort) => void, onUnfold: () => void }} actions */
  constructor(section, actions) {
    this.#section = section;
    this.#actions = actions;
  }

  /** @param {import('../state/store.js').Store} store @param {{ selected: string | null, sort: Sort }} shown */
  render(store, { selected, sort }) {
    const rows = sortRows(rowsOf(store), sort.column, sort.descending);
    this.typesInView = rows.map((row) => row.type);
    const shown = this.#isWhole ? rows : rows.filter(({ type }, at) => at < SHOWN_AT_FIRST || type === selected);
    const { onSelect } = this.#actions;
    render(
      html`
        <div class="card-head"><h2 id="types-heading" tabindex="-1">Task types</h2><p class="card-note">${rows.length === 0 ? '' : countOf(rows.length, 'type')}</p></div>
        <table class="type-table" ?hidden=${rows.length === 0}>
          <caption class="visually-hidden">Task types and how long their runs take. Select one to see its details.</caption>
          <thead><tr>${COLUMNS.map((column) => this.#header(column, sort))}</tr></thead>
          <tbody>
            ${repeat(
              shown,
              ({ type }) => type,
              (row) => typeRow(row, { isChosen: row.type === selected, onSelect }),
            )}
          </tbody>
        </table>
        ${rows.length === 0 && store.loaded ? html`<p class="empty">No task type yet.</p>` : nothing}
        ${showMore({ count: rows.length, first: SHOWN_AT_FIRST, isWhole: this.#isWhole, onToggle: () => this.#toggle(), noun: ' task types' })}
      `,
      this.#section,
    );
  }

  /** @param {typeof COLUMNS[number]} column @param {Sort} sort */
  #header({ id, label, hint }, { column, descending }) {
    const order = descending ? 'descending' : 'ascending';
    const next = column === id ? { column, descending: !descending } : sortedFirst(id);
    return html`<th scope="col" data-column=${id} aria-sort=${column === id ? order : nothing}><button type="button" class="sort" title=${hint} @click=${() => this.#actions.onSort(next)}>${label}</button></th>`;
  }

  #toggle() {
    this.#isWhole = !this.#isWhole;
    this.#actions.onUnfold();
  }
}
