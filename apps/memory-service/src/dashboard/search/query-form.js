/** The question, and the conditions of its recall. */

import { html, live, nothing } from '../shared/template.js';
import { SEARCH_FILTERS, TRUST } from '../state/view-state.js';

/** @typedef {typeof SEARCH_FILTERS[number]} Condition */
/** @typedef {import('../state/view-state.js').ViewState} ViewState */
/** @typedef {Pick<ViewState, 'query' | 'trust' | 'recall'>} Question */

const TOKENS = ['', '100', '250', '500', '1000', '2000', '4000'];

/**
 * @param {Question} question
 * @param {{ textOf: (id: string, sent: string) => string, onSubmit: (event: Event) => void, onChange: (event: Event) => void, onInput: () => void }} how
 *   `textOf`: what a field is to show, which may hold what is not sent yet
 */
export function queryForm(question, { textOf, onSubmit, onChange, onInput }) {
  const { query, trust, recall } = question;
  const isOpen = SEARCH_FILTERS.some((name) => recall[name] !== '');
  return html`
    <form class="query-form" role="search" @submit=${onSubmit} @change=${onChange} @input=${onInput}>
      <div class="query">
        <label class="visually-hidden" for="query">Query</label>
        <input id="query" type="search" dir="auto" placeholder="What does this agent want to know?" autocomplete="off" .value=${live(textOf('query', query))}>
        <label class="field field-inline" for="trust"><span>Least trusted source</span>
          <select id="trust" .value=${live(trust)}>
            <option value="">any</option>
            ${TRUST.map((source) => html`<option ?selected=${source === trust}>${source}</option>`)}
          </select>
        </label>
        <button type="submit" class="button button-main">Recall</button>
      </div>
      <details class="search-filters" ?open=${isOpen}>
        <summary>More conditions</summary>
        <div class="filters">${conditionFields(recall, textOf)}</div>
      </details>
    </form>
  `;
}

/** @param {ViewState['recall']} recall @param {(id: string, sent: string) => string} textOf */
function conditionFields(recall, textOf) {
  const text = (/** @type {Condition} */ name, /** @type {string} */ label, type = 'search') => {
    const value = textOf(`recall-${name}`, recall[name]);
    return textField({ name, label, type, value });
  };
  const choice = (/** @type {Condition} */ name, /** @type {string} */ label, /** @type {string[]} */ options) =>
    choiceField({ name, label, options, value: recall[name] });
  return html`
    ${text('by', 'Agent')}
    ${choice('kind', 'Kind', ['episodic', 'semantic'])}
    ${choice('scope', 'Scope', ['TEAM', 'SHARED', 'PRIVATE'])}
    ${text('tag', 'Tag')}
    ${text('from', 'Said from', 'date')}
    ${text('to', 'Said to', 'date')}
    ${text('held', 'What held on', 'date')}
    ${tokensField(recall.tokens)}
    ${choice('style', 'Form of context', ['lines', 'compact', 'json'])}
  `;
}

/** @param {{ name: Condition, label: string, type: string, value: string }} field */
const textField = ({ name, label, type, value }) => html`
  <label class="field" for=${`recall-${name}`}><span>${label}</span>
    <input id=${`recall-${name}`} type=${type} dir="auto" autocomplete="off" maxlength="128" list=${name === 'by' ? 'known-agents' : nothing} .value=${live(value)}>
  </label>`;

/** @param {{ name: Condition, label: string, options: string[], value: string }} field */
const choiceField = ({ name, label, options, value }) => html`
  <label class="field" for=${`recall-${name}`}><span>${label}</span>
    <select id=${`recall-${name}`} .value=${live(value)}>
      <option value="">any</option>
      ${options.map((option) => html`<option ?selected=${option === value}>${option}</option>`)}
    </select>
  </label>`;

/** @param {string} chosen */
const tokensField = (chosen) => html`
  <label class="field" for="recall-tokens"><span>Tokens of context</span>
    <select id="recall-tokens" .value=${live(chosen)}>
      ${TOKENS.map((count) => html`<option value=${count} ?selected=${count === chosen}>${count === '' ? 'as usual' : count}</option>`)}
    </select>
  </label>`;

/** The question as it stands in the fields. @param {HTMLElement} section @returns {Question} */
export function questionIn(section) {
  const field = (/** @type {string} */ id) =>
    /** @type {HTMLInputElement} */ (section.querySelector(`#${id}`)).value.trim();
  return {
    query: field('query'),
    trust: /** @type {ViewState['trust']} */ (field('trust')),
    recall: /** @type {ViewState['recall']} */ (
      Object.fromEntries(SEARCH_FILTERS.map((name) => [name, field(`recall-${name}`)]))
    ),
  };
}
