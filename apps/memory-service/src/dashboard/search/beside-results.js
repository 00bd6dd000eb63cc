/** Beside what was recalled: the context for the agent's prompt, and the question why a memory is not among it. */

import { countOf } from '../shared/format.js';
import { html } from '../shared/template.js';

/** @param {string | undefined} context undefined before anything was asked */
export const contextCard = (context) => html`
  <section class="card" aria-label="Context">
    <div class="card-head"><h2>Context</h2><p class="card-note num">${sizeOf(context ?? '')}</p></div>
    <pre class="context" tabindex="0" aria-label="Context">${context === '' ? 'Empty: nothing is relevant enough.' : context}</pre>
    <p class="card-foot">What the agent would get to put before its prompt: what is of high or medium relevance.</p>
  </section>
`;

/** About 4 characters are a token of English, as the contract estimates it. @param {string} context */
const sizeOf = ({ length }) => `${countOf(length, 'character')}, about ${countOf(Math.ceil(length / 4), 'token')}`;

/** @param {{ explanation: string | null, onAsk: (id: string) => void }} about */
export function whyNotCard({ explanation, onAsk }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const { elements } = /** @type {HTMLFormElement} */ (event.currentTarget);
    onAsk(/** @type {HTMLInputElement} */ (elements.namedItem('why-not-id')).value.trim());
  };
  return html`
    <section class="card" aria-label="Why not this one?">
      <form class="why-not" @submit=${submit}>
        <label class="field" for="why-not-id"><span>Why not this one? The id of a memory that you miss</span>
          <input id="why-not-id" type="search" autocomplete="off" spellcheck="false" maxlength="128" required>
        </label>
        <button type="submit" class="button">Ask</button>
        <p role="status">${explanation ?? ''}</p>
      </form>
    </section>
  `;
}
