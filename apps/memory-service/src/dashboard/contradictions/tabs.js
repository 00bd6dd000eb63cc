/** What the view of contradictions can show, and what it says where there is none of it. */

import { html } from '../shared/template.js';

/** @typedef {import('./queue.js').Tab} Tab */

/** @type {[Tab, string][]} */
const TABS = [
  ['open', 'Undecided'],
  ['doubtful', 'Doubtful'],
  ['resolved', 'Decided'],
  ['dismissed', 'Both may stand'],
];

/** @type {Record<Tab, [string, string]>} */
const EMPTY = {
  open: [
    'Nothing that is remembered disagrees.',
    'Each new memory is compared with what others said about the same thing. What clashes comes here until somebody decides which of them holds.',
  ],
  doubtful: [
    'No pair is in doubt.',
    'Pairs that are about as likely to agree as to contradict come here, for a person or a language model to judge.',
  ],
  resolved: [
    'Nothing was decided so yet.',
    'A decided contradiction keeps both memories: the one that does not hold ranks behind the other.',
  ],
  dismissed: ['Nothing was decided so yet.', 'Pairs of which both may stand come here, and are not reported again.'],
};

/** @param {Tab} shown @param {(tab: Tab) => void} onTurn */
export const tabButtons = (shown, onTurn) => html`
  <div class="segmented" role="group" aria-label="Show">
    ${TABS.map(([tab, label]) => html`<button type="button" aria-pressed=${tab === shown} @click=${() => onTurn(tab)}>${label}</button>`)}
  </div>
`;

/** @param {Tab} tab */
export function emptyState(tab) {
  const [first, second] = EMPTY[tab];
  return html`<div class="empty"><p>${first}</p><p>${second}</p></div>`;
}
