/** The form to change the gist, tags and importance of a memory. */

import { el, setText } from './shared/dom.js';

/** @param {string} text one a line */
const lines = (text) => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');

/**
 * @param {any} memory
 * @param {{ onSave: (change: { gist?: string, tags?: string[], importance?: number }) => Promise<void>, onCancel: () => void }} on
 *   `onSave` gets the changed fields only
 */
export function createEditForm(memory, { onSave, onCancel }) {
  const gist = el('textarea', { id: 'edit-gist', rows: 5, maxlength: 200_000, required: true }, memory.gist);
  const tags = el('textarea', { id: 'edit-tags', rows: 3, spellcheck: 'false' }, memory.tags.join('\n'));
  const importance = el('input', { id: 'edit-importance', type: 'range', min: 0, max: 1, step: 0.01 });
  importance.value = String(memory.importance);
  const before = importance.value;
  const importanceText = el('output', { class: 'num', for: 'edit-importance' }, Number(before).toFixed(2));
  importance.addEventListener('input', () => setText(importanceText, Number(importance.value).toFixed(2)));
  const save = el('button', { type: 'submit', class: 'button button-main' }, 'Save');

  const form = el(
    'form',
    { class: 'edit-form' },
    el('label', { class: 'field', for: 'edit-gist' }, el('span', {}, 'Gist: the text that is recalled'), gist),
    el('label', { class: 'field', for: 'edit-tags' }, el('span', {}, 'Tags, one a line'), tags),
    el('label', { class: 'field', for: 'edit-importance' }, el('span', {}, 'Importance ', importanceText), importance),
    el(
      'div',
      { class: 'detail-actions' },
      save,
      el('button', { type: 'button', class: 'button', onclick: onCancel }, 'Cancel'),
    ),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const newTags = lines(tags.value);
    save.disabled = true;
    await onSave({
      ...(gist.value !== memory.gist && { gist: gist.value }),
      ...(newTags.join('\n') !== memory.tags.join('\n') && { tags: newTags }),
      ...(importance.value !== before && { importance: Number(importance.value) }),
    });
    save.disabled = false;
  });
  return form;
}
