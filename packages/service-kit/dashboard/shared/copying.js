/** What a press of a copy button does. */

import { byId, setText } from './dom.js';

const SAID_FOR_MS = 1_500;

/** @param {string} text @param {{ done: string, failed: string }} said to whoever does not see the mark beside the button */
export const copying =
  (text, { done, failed }) =>
  async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    // A page that is served without TLS from another machine may not write to the clipboard.
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setText(byId('announcer'), isDone ? done : failed);
    button.dataset.copied = isDone ? 'yes' : 'no';
    setTimeout(() => delete button.dataset.copied, SAID_FOR_MS);
  };
