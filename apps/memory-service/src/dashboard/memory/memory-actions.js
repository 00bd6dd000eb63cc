/** What can be done to a memory: the buttons below what is known of it. */

import { html } from '../shared/template.js';

/** Half of the window of the timeline to which a memory leads. */
const AROUND_MS = 30 * 60_000;

/** @typedef {'edit' | 'invalidate' | 'absence'} Form */

/** @param {string} at */
const timesAround = (at) => ({
  since: new Date(Date.parse(at) - AROUND_MS).toISOString(),
  until: new Date(Date.parse(at) + AROUND_MS).toISOString(),
  as_of: '',
});

/** @param {string} text @param {() => void} onClick */
export const button = (text, onClick, className = 'button') =>
  html`<button type="button" class=${className} @click=${onClick}>${text}</button>`;

/**
 * @param {import('../reading/api.js').Memory} memory
 * @param {{ page: import('../page.js').Page, onForm: (form: Form) => void, onChange: (change: object, said: string) => void, onHistory: () => void, onDelete: () => void }} on
 */
export function memoryActions(memory, { page, onForm, onChange, onHistory, onDelete }) {
  const isSuperseded = memory.superseded_by !== null;
  const canEnd = memory.kind === 'episodic';
  const hasEnd = memory.valid_until !== null;
  const around = { view: /** @type {const} */ ('timeline'), memory: null, times: timesAround(memory.created_at) };
  return [
    button('Edit', () => onForm('edit')),
    isSuperseded &&
      button('Take supersession back', () => onChange({ superseded_by: null }, 'It stands by itself again')),
    canEnd && !hasEnd && button('Invalidate …', () => onForm('invalidate')),
    canEnd && hasEnd && button('Take end back', () => onChange({ valid_until: null }, 'It holds again')),
    button('History', onHistory),
    button('Why not recalled …', () => onForm('absence')),
    html`<a class="button" href=${page.linkTo(around)}>On the timeline</a>`,
    button('Delete …', onDelete, 'button button-danger'),
  ].filter(Boolean);
}
