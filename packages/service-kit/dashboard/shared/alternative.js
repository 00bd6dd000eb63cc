/** The text alternative of a picture: a table that is made while it is open. */

import { plainTable } from './plain-table.js';
import { AsyncDirective, directive, html, nothing } from './template.js';

/** Draws its content while the `details` around it is open, and draws it anew with the page. */
class WhileOpen extends AsyncDirective {
  /** @type {HTMLDetailsElement | null} */ #details = null;
  /** @type {() => unknown} */ #content = () => nothing;

  /** @param {any} part @param {[content: () => unknown]} values */
  update(part, [content]) {
    if (this.#details === null) {
      this.#details = part.parentNode.closest('details');
      this.#details?.addEventListener('toggle', () => this.setValue(this.render(this.#content)));
    }
    return this.render(content);
  }

  /** @param {() => unknown} content */
  render(content) {
    this.#content = content;
    return this.#details?.open ? content() : nothing;
  }
}
const whileOpen = directive(WhileOpen);

/** @param {{ summary: string, caption: string, columns: string[], rows: () => (string | number)[][], words?: number[], isOpen?: boolean }} table `isOpen`: at first */
export const alternative = ({ summary, rows, isOpen = false, ...table }) =>
  html`<details class="alternative" ?open=${isOpen}><summary>${summary}</summary>${whileOpen(() => plainTable({ ...table, rows: rows() }))}</details>`;
