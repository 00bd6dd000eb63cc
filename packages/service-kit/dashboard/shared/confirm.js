/** A question before something that is hard to take back. */

import { html, render } from './template.js';

/**
 * Resolves to the name of the chosen action, or null. Focus is on what keeps everything as it is.
 * @param {{ title: string, text: string, actions: { name: string, label: string, isDangerous?: boolean }[], keep?: string }} question
 * @returns {Promise<string | null>}
 */
export function confirmed({ title, text, actions, keep = 'Cancel' }) {
  const dialog = document.createElement('dialog');
  dialog.className = 'confirm';
  dialog.setAttribute('aria-labelledby', 'confirm-title');
  const close = (/** @type {string} */ name) => () => dialog.close(name);
  render(
    html`
      <h2 id="confirm-title">${title}</h2>
      <p>${text}</p>
      <div class="button-row">
        <button type="button" class="button" autofocus @click=${close('')}>${keep}</button>
        ${actions.map(
          ({ name, label, isDangerous }) =>
            html`<button type="button" class=${isDangerous ? 'button button-danger' : 'button button-main'} @click=${close(name)}>${label}</button>`,
        )}
      </div>
    `,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      const chosen = dialog.returnValue;
      dialog.remove();
      resolve(chosen === '' ? null : chosen);
    });
  });
}
