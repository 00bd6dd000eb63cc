/** How a task ended, as the timeline shows it. */

import { html } from '../shared/template.js';

/** Letter and word of an outcome; the pattern of a bar is in the style sheet. */
export const OUTCOMES = {
  ok: { letter: '', word: 'ok' },
  error: { letter: 'E', word: 'error' },
  timeout: { letter: 'T', word: 'timeout' },
  cancelled: { letter: 'C', word: 'cancelled' },
  abandoned: { letter: 'A', word: 'abandoned' },
  active: { letter: '›', word: 'running' },
};

/** @param {import('../state/store.js').Task} task @returns {keyof typeof OUTCOMES} */
export const outcomeOf = (task) => (task.state === 'ended' ? /** @type {any} */ (task.outcome ?? 'ok') : task.state);

export const outcomeLegend = () => html`
  <ul class="outcome-legend" aria-label="Outcomes">
    ${Object.entries(OUTCOMES).map(
      ([outcome, { letter, word }]) =>
        html`<li><i class="outcome-key" data-outcome=${outcome} aria-hidden="true">${letter}</i> ${word}</li>`,
    )}
  </ul>
`;
