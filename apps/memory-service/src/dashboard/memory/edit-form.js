/** The form to change the gist, tags and importance of a memory. */

import { html } from '../shared/template.js';
import { refuseBlank } from './not-blank.js';

/** @param {string} text one a line */
const lines = (text) => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');

/**
 * @param {import('../reading/api.js').Memory} memory
 * @param {{ onSave: (change: { gist?: string, tags?: string[], importance?: number }) => void, onCancel: () => void }} on
 *   `onSave` gets the changed fields only
 */
export function editForm(memory, { onSave, onCancel }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const [gist, tags, importance] = ['gist', 'tags', 'importance'].map(
      (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value,
    );
    const newTags = lines(tags ?? '');
    onSave({
      ...(gist !== memory.gist && { gist }),
      ...(newTags.join('\n') !== memory.tags.join('\n') && { tags: newTags }),
      ...(Number(importance) !== Math.round(memory.importance * 100) / 100 && { importance: Number(importance) }),
    });
  };
  const onInput = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const output = field.closest('label')?.querySelector('output');
    if (output) output.value = Number(field.value).toFixed(2);
  };
  return html`
    <form class="edit-form" @submit=${submit}>
      <label class="field" for="edit-gist"><span>Gist: the text that is recalled</span>
        <textarea id="edit-gist" name="gist" rows="5" maxlength="200000" required .value=${memory.gist} @input=${refuseBlank}></textarea>
      </label>
      <label class="field" for="edit-tags"><span>Tags, one a line</span>
        <textarea id="edit-tags" name="tags" rows="3" spellcheck="false" .value=${memory.tags.join('\n')}></textarea>
      </label>
      <label class="field" for="edit-importance"><span>Importance <output class="num" for="edit-importance">${memory.importance.toFixed(2)}</output></span>
        <input id="edit-importance" name="importance" type="range" min="0" max="1" step="0.01" .value=${String(memory.importance)} @input=${onInput}>
      </label>
      <div class="detail-actions">
        <button type="submit" class="button button-main">Save</button>
        <button type="button" class="button" @click=${onCancel}>Cancel</button>
      </div>
    </form>
  `;
}
