/** A command for a shell with a button that copies it. */

import { byId, setText } from './dom.js';
import { html } from './template.js';

const SAID_FOR_MS = 1_500;

/** @param {string} command @param {string} what it does, such as "the call that stores a message" */
export function copyableCommand(command, what) {
  const copy = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    // A page that is served without TLS from another machine may not write to the clipboard.
    const isDone = await navigator.clipboard?.writeText(command).then(
      () => true,
      () => false,
    );
    setText(byId('announcer'), isDone ? `Copied ${what}` : `Could not copy ${what}; select its text`);
    button.dataset.copied = isDone ? 'yes' : 'no';
    setTimeout(() => delete button.dataset.copied, SAID_FOR_MS);
  };
  return html`<div class="command">
    <pre tabindex="0" aria-label=${what}><code>${command}</code></pre>
    <button type="button" class="button copy-command" aria-label=${`Copy ${what}`} @click=${copy}>Copy</button>
  </div>`;
}
