/** The form to say that a memory no longer holds, and why. */

import { html } from '../shared/template.js';
import { refuseBlank } from './not-blank.js';

/** @param {{ onInvalidate: (reason: string) => void, onCancel: () => void }} on */
export function invalidationForm({ onInvalidate, onCancel }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const { elements } = /** @type {HTMLFormElement} */ (event.currentTarget);
    onInvalidate(/** @type {HTMLTextAreaElement} */ (elements.namedItem('invalidation-reason')).value);
  };
  return html`
    <form class="edit-form" @submit=${submit}>
      <label class="field" for="invalidation-reason"><span>Why it no longer holds; it stays stored and ranks behind</span>
        <textarea id="invalidation-reason" rows="2" maxlength="1000" required @input=${refuseBlank}></textarea>
      </label>
      <div class="detail-actions">
        <button type="submit" class="button button-main">Invalidate</button>
        <button type="button" class="button" @click=${onCancel}>Cancel</button>
      </div>
    </form>
  `;
}
