/** A short id with a button that copies all of it. */

import { byId, setText } from './dom.js';
import { html } from './template.js';

/** Characters of an id that fit into a column. */
const SHOWN_CHARACTERS = 12;
const SAID_FOR_MS = 1_500;

/** @param {string} id @param {string} what such as "task id" */
export function copyableId(id, what) {
  const shown = id.length > SHOWN_CHARACTERS ? `…${id.slice(-8)}` : id;
  const copy = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const isDone = await navigator.clipboard?.writeText(id).then(
      () => true,
      () => false,
    );
    setText(byId('announcer'), isDone ? `Copied ${what}` : `Could not copy; the ${what} is ${id}`);
    button.dataset.copied = isDone ? 'yes' : 'no';
    setTimeout(() => delete button.dataset.copied, SAID_FOR_MS);
  };
  // Who speaks to the page says what is to be seen.
  return html`<button type="button" class="copy-id" title=${`Copy ${what} ${id}`} aria-label=${`${shown}: copy ${what} ${id}`} @click=${copy}>${shown}</button>`;
}
