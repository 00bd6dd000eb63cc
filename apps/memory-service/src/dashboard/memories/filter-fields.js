/** The filters of the list of memories. */

import { TYPED } from '../reading/queries.js';
import { html, live, nothing } from '../shared/template.js';
import { FILTERS } from '../state/view-state.js';

/** @typedef {typeof FILTERS[number]} Filter */
/** @typedef {import('../state/view-state.js').Filters} Filters */

/** @type {Record<Filter, { label: string, type: string, options?: string[], hint?: string, most?: number }>} */
const FIELDS = {
  q: { ...TYPED.q, type: 'search', hint: 'holds this text' },
  by: { ...TYPED.by, type: 'search', hint: 'any' },
  session: { ...TYPED.session, type: 'search', hint: 'any' },
  tag: { ...TYPED.tag, type: 'search', hint: 'any' },
  kind: { label: 'Kind', type: 'select', options: ['episodic', 'semantic'] },
  scope: { label: 'Scope', type: 'select', options: ['TEAM', 'SHARED', 'PRIVATE'] },
  recalled: { label: 'Recalled', type: 'select', options: ['never', 'ever'] },
  from: { label: 'From', type: 'date' },
  to: { label: 'To', type: 'date' },
  held: { label: 'What held on', type: 'date' },
};

/** @param {Filter} name */
const idOf = (name) => `filter-${name}`;

/** In the order of the address. @param {Filters} filters @param {(id: string, sent: string) => string} textOf what a field is to show, which may hold what is not sent yet */
export const filterFields = (filters, textOf) => FILTERS.map((name) => field(name, textOf(idOf(name), filters[name])));

/** @param {Filter} name @param {string} value */
function field(name, value) {
  const { label, type, options, hint, most } = FIELDS[name];
  const id = idOf(name);
  const control =
    type === 'select'
      ? html`<select id=${id} .value=${live(value)}>
          <option value="">any</option>
          ${options?.map((option) => html`<option ?selected=${option === value}>${option}</option>`)}
        </select>`
      : html`<input id=${id} type=${type} dir="auto" placeholder=${hint ?? nothing} autocomplete="off" maxlength=${most ?? nothing} list=${name === 'by' ? 'known-agents' : nothing} .value=${live(value)}>`;
  return html`<label class="field" for=${id}><span>${label}</span>${control}</label>`;
}

/** As they stand in the fields. @param {HTMLElement} section @returns {Filters} */
export function filtersIn(section) {
  const filters = /** @type {any} */ ({});
  for (const name of FILTERS) {
    const control = /** @type {HTMLInputElement} */ (section.querySelector(`#${idOf(name)}`));
    filters[name] = control.value.trim();
  }
  return filters;
}
