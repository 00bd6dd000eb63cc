/** The memories that an agent would recall for a query, with the reasons of each score, and the context for its prompt. */

import { memoryItem } from '../pieces/memory-item.js';
import { typedText } from '../pieces/typed-text.js';
import { countOf, formatDuration } from '../shared/format.js';
import { html, live, nothing, render, repeat } from '../shared/template.js';
import { SEARCH_FILTERS, TRUST } from '../state/view-state.js';
import { whyBar, whyChips, whyNumbers } from './why-bar.js';
import { mainReasons, whyRemarks, whySentence } from './why-sentence.js';

const MEMORIES_RECALLED = 20;

/** The reasons of the first are told in full, those of the others on demand: most are alike. @param {any} memory @param {import('../page.js').Page} page @param {boolean} isFirst */
function result(memory, page, isFirst) {
  const remarks = whyRemarks(memory);
  return memoryItem(
    memory,
    page,
    html`
      <div class="score">
        <span class="score-value num">${memory.score.toFixed(2)}</span>
        <span class="relevance" data-relevance=${memory.relevance}>${memory.relevance}</span>
        <div class="why">
          ${whyBar(memory.score, memory.why)}
          <details class="why-more" ?open=${isFirst}>
            <summary>${whyChips(mainReasons(memory))}<span class="why-title">Why</span></summary>
            ${whyNumbers(memory.why)}
            <p class="why-sentence">${whySentence(memory)}</p>
          </details>
        </div>
      </div>
      ${remarks === '' ? nothing : html`<p class="why-remarks">${remarks}</p>`}
    `,
  );
}

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createSearch(section, page) {
  const { state } = page;
  /** What was asked for the results that are shown. @type {string | null} */ let shown = null;
  /** @type {any} */ let answer = null;
  let isAsking = false;
  /** Something was typed that is not asked yet. */ let isTyping = false;
  /** @type {{ text: string } | null} */ let absence = null;

  const asked = () => JSON.stringify([state.query, state.trust, state.recall]);
  const isOpen = () => SEARCH_FILTERS.some((name) => state.recall[name] !== '');

  function draw() {
    const { recall } = state;
    const typed = (/** @type {string} */ id, /** @type {string} */ sent) => typedText(section, id, sent, { isTyping });
    const text = (
      /** @type {typeof SEARCH_FILTERS[number]} */ name,
      /** @type {string} */ label,
      type = 'search',
    ) => html`
      <label class="field" for=${`recall-${name}`}><span>${label}</span>
        <input id=${`recall-${name}`} type=${type} autocomplete="off" list=${name === 'by' ? 'known-agents' : nothing} .value=${live(typed(`recall-${name}`, recall[name]))}>
      </label>`;
    const choice = (
      /** @type {typeof SEARCH_FILTERS[number]} */ name,
      /** @type {string} */ label,
      /** @type {string[]} */ options,
    ) => html`
      <label class="field" for=${`recall-${name}`}><span>${label}</span>
        <select id=${`recall-${name}`} .value=${live(recall[name])}>
          <option value="">any</option>
          ${options.map((option) => html`<option ?selected=${option === recall[name]}>${option}</option>`)}
        </select>
      </label>`;
    render(
      html`
        <div class="card">
          <form class="query-form" role="search" @submit=${onSubmit} @change=${onChange} @input=${onInput}>
            <div class="query">
              <label class="visually-hidden" for="query">Query</label>
              <input id="query" type="search" placeholder="What does this agent want to know?" autocomplete="off" .value=${live(typed('query', state.query))}>
              <label class="field field-inline" for="trust"><span>Least trusted source</span>
                <select id="trust" .value=${live(state.trust)}>
                  <option value="">any</option>
                  ${TRUST.map((source) => html`<option ?selected=${source === state.trust}>${source}</option>`)}
                </select>
              </label>
              <button type="submit" class="button button-main">Recall</button>
            </div>
            <details class="search-filters" ?open=${isOpen()}>
              <summary>More conditions</summary>
              <div class="filters">
                ${text('by', 'Agent')}
                ${choice('kind', 'Kind', ['episodic', 'semantic'])}
                ${choice('scope', 'Scope', ['TEAM', 'SHARED', 'PRIVATE'])}
                ${text('tag', 'Tag')}
                ${text('from', 'Said from', 'date')}
                ${text('to', 'Said to', 'date')}
                ${text('held', 'What held on', 'date')}
                <label class="field" for="recall-tokens"><span>Tokens of context</span>
                  <select id="recall-tokens" .value=${live(recall.tokens)}>
                    ${['', '100', '250', '500', '1000', '2000', '4000'].map((count) => html`<option value=${count} ?selected=${count === recall.tokens}>${count === '' ? 'as usual' : count}</option>`)}
                  </select>
                </label>
                ${choice('style', 'Form of context', ['lines', 'compact', 'json'])}
              </div>
            </details>
          </form>
          <p class="card-foot">A question may name its time: “in September”, “last week”. Looking leaves no trace: nothing is strengthened, nothing is primed.</p>
        </div>
        <div class="search-grid">
          <div class="card">
            <div class="card-head"><h2>Recalled</h2><p class="card-note" role="status">${note()}</p></div>
            <ol class="memories">
              ${repeat(
                answer?.memories ?? [],
                (/** @type {any} */ memory) => memory.id,
                (/** @type {any} */ memory, /** @type {number} */ place) => result(memory, page, place === 0),
              )}
            </ol>
            ${hint() === '' ? nothing : html`<p class="empty">${hint()}</p>`}
          </div>
          <aside class="beside-results" ?hidden=${answer === null}>
           <section class="card" aria-label="Context">
            <div class="card-head"><h2>Context</h2><p class="card-note num">${contextSize()}</p></div>
            <pre class="context" tabindex="0" aria-label="Context">${answer?.context === '' ? 'Empty: nothing is relevant enough.' : answer?.context}</pre>
            <p class="card-foot">What the agent would get to put before its prompt: what is of high or medium relevance.</p>
           </section>
           <section class="card" aria-label="Why not this one?">${whyNotForm()}</section>
          </aside>
        </div>
      `,
      section,
    );
  }

  function note() {
    if (isAsking) return 'Asking …';
    if (answer === null) return '';
    return `${countOf(answer.memories.length, 'memory', 'memories')} in ${formatDuration(answer.took_ms / 1000)}`;
  }

  function hint() {
    if (isAsking) return '';
    if (answer === null) return state.query === '' ? 'Ask something to see what comes back, and why.' : '';
    return answer.memories.length === 0 ? 'Nothing that is remembered bears on it.' : '';
  }

  /** About 4 characters are a token of English, as the contract estimates it. */
  function contextSize() {
    const characters = answer?.context.length ?? 0;
    return `${countOf(characters, 'character')}, about ${countOf(Math.ceil(characters / 4), 'token')}`;
  }

  function whyNotForm() {
    return html`
      <form class="why-not" @submit=${onWhyNot}>
        <label class="field" for="why-not-id"><span>Why not this one? The id of a memory that you miss</span>
          <input id="why-not-id" type="search" autocomplete="off" spellcheck="false" maxlength="128" required>
        </label>
        <button type="submit" class="button">Ask</button>
        <p role="status">${absence?.text ?? ''}</p>
      </form>
    `;
  }

  async function load() {
    const api = page.api();
    const question = asked();
    shown = question;
    isAsking = true;
    absence = null;
    draw();
    try {
      const found = await api.recall(state.query, { trust: state.trust, most: MEMORIES_RECALLED, ...state.recall });
      if (api !== page.api() || question !== shown) return;
      page.fine();
      answer = found;
    } catch (error) {
      if (api !== page.api() || question !== shown) return;
      shown = null;
      answer = null;
      page.failed(error);
    } finally {
      if (api === page.api() && (question === shown || shown === null)) {
        isAsking = false;
        draw();
      }
    }
  }

  /** @param {SubmitEvent} event */
  async function onWhyNot(event) {
    event.preventDefault();
    const id = /** @type {HTMLInputElement} */ (section.querySelector('#why-not-id')).value.trim();
    const api = page.api();
    try {
      const told = await api.whyNot(id, state.query, { trust: state.trust, most: MEMORIES_RECALLED, ...state.recall });
      if (api !== page.api()) return;
      absence = { text: told.explanation };
    } catch (error) {
      if (api !== page.api()) return;
      absence = { text: error instanceof Error ? error.message : String(error) };
    }
    draw();
  }

  const field = (/** @type {string} */ id) =>
    /** @type {HTMLInputElement} */ (section.querySelector(`#${id}`)).value.trim();

  /** @param {Event} event */
  function onSubmit(event) {
    event.preventDefault();
    // The same query is sent again, because new memories may have come meanwhile.
    shown = null;
    ask();
  }
  function ask() {
    isTyping = false;
    page.go({ query: field('query'), ...conditions() });
  }
  function onInput() {
    isTyping = true;
  }
  const conditions = () => ({
    trust: /** @type {import('../state/view-state.js').ViewState['trust']} */ (field('trust')),
    recall: /** @type {import('../state/view-state.js').ViewState['recall']} */ (
      Object.fromEntries(SEARCH_FILTERS.map((name) => [name, field(`recall-${name}`)]))
    ),
  });
  /** @param {Event} event */
  function onChange(event) {
    // With the words that were typed already, which are not asked by themselves before they are sent.
    if (/** @type {Element} */ (event.target).id !== 'query') ask();
  }

  return {
    show() {
      if (asked() === shown) return;
      isTyping = false;
      if (state.query !== '') void load();
      else {
        shown = asked();
        answer = null;
        draw();
      }
    },
    forget() {
      shown = null;
      answer = null;
      draw();
    },
    /** @param {string} id @param {any} memory null when it is gone */
    memoryChanged(id, memory) {
      if (answer === null) return;
      const change = (/** @type {any} */ one) => (one.id !== id ? one : memory === null ? [] : { ...one, ...memory });
      answer = { ...answer, memories: answer.memories.flatMap(change) };
      draw();
    },
  };
}
