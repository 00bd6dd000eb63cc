/** The table of task types: sortable, a row opens its details. */

import { countOf } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { COLUMNS, rowsOf, sortRows } from './columns.js';
import { typeRow } from './type-row.js';

const SHOWN_AT_FIRST = 20;

export class TypeTable {
  #section;
  #actions;
  #sort = { column: 'count', descending: true };
  #isWhole = false;
  /** @type {string[]} the types from the top */ typesInView = [];

  /** @param {HTMLElement} section @param {{ onSelect: (type: string) => void, onSort: () => void }} actions */
  constructor(section, actions) {
    this.#section = section;
    this.#actions = actions;
  }

  /** @param {import('../state/store.js').Store} store @param {string | null} selected */
  render(store, selected) {
    const rows = sortRows(rowsOf(store), this.#sort.column, this.#sort.descending);
    this.typesInView = rows.map((row) => row.type);
    const shown = this.#isWhole ? rows : rows.filter(({ type }, at) => at < SHOWN_AT_FIRST || type === selected);
    const { onSelect } = this.#actions;
    render(
      html`
        <div class="card-head"><h2 id="types-heading" tabindex="-1">Task types</h2><p class="card-note">${rows.length === 0 ? '' : countOf(rows.length, 'type')}</p></div>
        <table class="type-table" ?hidden=${rows.length === 0}>
          <caption class="visually-hidden">Task types and how long their runs take. Select one to see its details.</caption>
          <thead><tr>${COLUMNS.map((column) => this.#header(column))}</tr></thead>
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

  /** @param {typeof COLUMNS[number]} column */
  #header({ id, label, hint }) {
    const order = this.#sort.descending ? 'descending' : 'ascending';
    return html`<th scope="col" data-column=${id} aria-sort=${this.#sort.column === id ? order : nothing}><button type="button" class="sort" title=${hint} @click=${() => this.#sortBy(id)}>${label}</button></th>`;
  }

  /** @param {string} column */
  #sortBy(column) {
    const descending = this.#sort.column === column ? !this.#sort.descending : column !== 'type';
    this.#sort = { column, descending };
    this.#actions.onSort();
  }

  /** Shows the types with the most of a column first. @param {string} column */
  sortByMost(column) {
    this.#sort = { column, descending: true };
    this.#actions.onSort();
  }

  #toggle() {
    this.#isWhole = !this.#isWhole;
    this.#actions.onSort();
  }
}
