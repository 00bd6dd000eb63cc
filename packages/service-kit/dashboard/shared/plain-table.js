/** A table of plain cells; the first of a row names it. A wide one scrolls by itself. */

import { html } from './template.js';

/**
 * @typedef {object} PlainTable
 * @property {string} caption for screen readers
 * @property {readonly string[]} columns
 * @property {readonly (readonly unknown[])[]} rows
 * @property {readonly number[]} [words] columns of words; the others, but for the first, hold numbers
 */

/** @param {PlainTable} table */
export function plainTable({ caption, columns, rows, words = [] }) {
  const classOf = (/** @type {number} */ column) => (column === 0 || words.includes(column) ? '' : 'num');
  return html`
    <div class="table-scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="plain-table">
        <caption class="visually-hidden">${caption}</caption>
        <thead><tr>${columns.map((column, at) => html`<th scope="col" class=${classOf(at)}>${column}</th>`)}</tr></thead>
        <tbody>
          ${rows.map(
            ([name, ...cells]) =>
              html`<tr><th scope="row">${name}</th>${cells.map((cell, at) => html`<td class=${classOf(at + 1)}>${cell}</td>`)}</tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}
