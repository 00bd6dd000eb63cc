/** The form to ask why a question did not bring a memory. */

import { html, nothing } from '../shared/template.js';

/**
 * @param {import('../reading/api.js').Memory} memory
 * @param {{ question: string, explanation: string | null, onAsk: (question: string) => void, onCancel: () => void }} about
 *   `question`: the one that was asked last; `explanation`: null before it is asked
 */
export function absenceForm(memory, { question, explanation, onAsk, onCancel }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const { elements } = /** @type {HTMLFormElement} */ (event.currentTarget);
    onAsk(/** @type {HTMLInputElement} */ (elements.namedItem('absence-question')).value);
  };
  return html`
    <form class="edit-form" @submit=${submit}>
      <p class="said">${memory.gist}</p>
      <label class="field" for="absence-question"><span>The question that did not bring it</span>
        <input id="absence-question" type="search" autocomplete="off" required .value=${question}>
      </label>
      <p role="status">${explanation ?? nothing}</p>
      <div class="detail-actions">
        <button type="submit" class="button button-main">Ask why</button>
        <button type="button" class="button" @click=${onCancel}>Back</button>
      </div>
    </form>
  `;
}
