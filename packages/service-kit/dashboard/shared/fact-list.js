/** What is known of one thing: terms with their values. */

import { html, nothing } from './template.js';

/**
 * @param {readonly (readonly [term: string, value: unknown, level?: string])[]} facts `level`: 'attention' where somebody should look
 * @param {{ className?: string }} [how]
 */
export const factList = (facts, { className = 'facts' } = {}) => html`
  <dl class=${className}>
    ${facts.map(([term, value, level]) => html`<div data-level=${level || nothing}><dt>${term}</dt><dd>${value}</dd></div>`)}
  </dl>
`;
