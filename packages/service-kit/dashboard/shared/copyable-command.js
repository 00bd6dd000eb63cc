/** A command for a shell with a button that copies it. */

import { copying } from './copying.js';
import { html } from './template.js';

/** @param {string} command @param {string} what it does, such as "the call that stores a message" */
export function copyableCommand(command, what) {
  const copy = copying(command, { done: `Copied ${what}`, failed: `Could not copy ${what}; select its text` });
  return html`<div class="command">
    <pre tabindex="0" aria-label=${what}><code>${command}</code></pre>
    <button type="button" class="button" aria-label=${`Copy ${what}`} @click=${copy}>Copy</button>
  </div>`;
}
