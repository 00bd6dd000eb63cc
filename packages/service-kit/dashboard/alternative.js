/** The text alternative of a chart: a table that is made when it is opened. */

import { html, nothing, render } from './template.js';

/** @param {{ summary: string, caption: string, columns: string[], rows: () => (string | number)[][] }} table */
export function alternative({ summary, caption, columns, rows }) {
  const onToggle = (/** @type {Event} */ event) => {
    const details = /** @type {HTMLDetailsElement} */ (event.currentTarget);
    const body = /** @type {HTMLElement} */ (details.lastElementChild);
    render(details.open ? table() : nothing, body);
  };
  const table = () => html`
    <div class="table-scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="plain-table">
        <caption class="visually-hidden">${caption}</caption>
        <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>
          ${rows().map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td class="num">${cell}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  return html`<details class="alternative" @toggle=${onToggle}><summary>${summary}</summary><div></div></details>`;
}
