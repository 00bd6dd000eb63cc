/** A short id with a button that copies all of it. */

import { copying } from './copying.js';
import { html } from './template.js';

/** Characters of an id that fit into a column. */
const SHOWN_CHARACTERS = 12;

/** @param {string} id @param {string} what such as "task id" */
export function copyableId(id, what) {
  const shown = id.length > SHOWN_CHARACTERS ? `…${id.slice(-8)}` : id;
  const copy = copying(id, { done: `Copied ${what}`, failed: `Could not copy; the ${what} is ${id}` });
  // Who speaks to the page says what is to be seen.
  return html`<button type="button" class="copy-id" title=${`Copy ${what} ${id}`} aria-label=${`${shown}: copy ${what} ${id}`} @click=${copy}>${shown}</button>`;
}
