/**
 * Contradictions, one after the other or as a list: both sides with the words in which they differ, and keys to decide. What is
 * doubtful stands apart, to be judged. What was decided can be taken back.
 */

import { origin } from '../pieces/memory-item.js';
import { differingText } from '../shared/changed-text.js';
import { countOf, formatCount } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { agentsOf, countsByPair, pairName } from './agent-pairs.js';
import { REASONS } from './contradiction-words.js';
import { marked } from './marked.js';

const TABS = /** @type {const} */ ([
  ['open', 'Undecided'],
  ['doubtful', 'Doubtful'],
  ['resolved', 'Decided'],
  ['dismissed', 'Both may stand'],
]);

/** Contradictions, and pairs of agents, that are shown at first; more come on demand. Fifty contradictions are 27,000 px long on a phone. */
const SHOWN_AT_ONCE = 10;
const SHOWN_MORE = 50;
const PAIRS_AT_ONCE = 8;

/** By key what it decides, while no field has the focus. */
const KEYS = { a: 'a', b: 'b', d: 'both', s: 'skip', u: 'undo' };

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createContradictions(section, page) {
  /** @type {typeof TABS[number][0]} */ let tab = 'open';
  let sameAgent = false;
  /** @type {any[]} */ let items = [];
  let total = 0;
  /** The agents whose contradictions are shown; null: of all. @type {string | null} */ let pair = null;
  let mostShown = SHOWN_AT_ONCE;
  let showsAllPairs = false;
  /** @type {{ compared: number, pending: number } | null} */ let progress = null;
  let isLoading = false;
  /** What is known is being read, so that what is shown may be decided already. */ let isStale = false;
  /** Of each reading but the latest the answer is older than what is shown. */ let readings = 0;
  /** The one that keys decide stays the next one while others come. @type {string | null} */ let nextId = null;
  /** Of those that are skipped, the ids: they come last. @type {Set<string>} */ let skipped = new Set();
  /** The decisions of this visit, the latest last. @type {string[]} */ let decidedIds = [];

  /** What is known comes at once; what is new is compared then. @param {{ compares?: boolean }} [how] */
  async function load({ compares = false } = {}) {
    const api = page.api();
    const wanted = tab;
    readings += 1;
    const mine = readings;
    isLoading = true;
    isStale = !compares;
    draw();
    try {
      const answer =
        wanted === 'doubtful'
          ? await api.doubtful(sameAgent)
          : await api.contradictions({
              states: [wanted],
              include_same_agent: sameAgent,
              ...(!compares && { wait_ms: 0 }),
            });
      if (mine !== readings || api !== page.api()) return;
      page.fine();
      items = answer.contradictions ?? answer.pairs;
      total = answer.total;
      if (!items.some((one) => agentsOf(one) === pair)) pair = null;
      progress = answer.compared === undefined ? null : answer;
      if (wanted === 'open') page.openContradictions(answer.total);
    } catch (error) {
      if (mine === readings && api === page.api()) page.failed(error);
    } finally {
      if (mine === readings && api === page.api()) {
        const isWaiting = !compares && (progress?.pending ?? 0) > 0;
        isLoading = isWaiting;
        isStale = false;
        draw();
        if (isWaiting) void load({ compares: true });
      }
    }
  }

  /** What is to be decided first: the one that was shown as the next, then those that were not skipped. */
  const inOrder = () => {
    const rankOf = (/** @type {string} */ id) => (skipped.has(id) ? 2 : id === nextId ? 0 : 1);
    return items
      .filter((one) => pair === null || agentsOf(one) === pair)
      .sort((one, other) => rankOf(one.id) - rankOf(other.id));
  };

  function draw() {
    const ordered = inOrder();
    nextId = ordered[0]?.id ?? null;
    const isQueue = tab === 'open' || tab === 'doubtful';
    render(
      html`
        <div class="card">
          <div class="card-head">
            <h2>Contradictions</h2>
            <p class="card-note" role="status">${note()}</p>
          </div>
          <div class="contradiction-filters">
            <div class="segmented" role="group" aria-label="Show">
              ${TABS.map(([value, label]) => html`<button type="button" aria-pressed=${tab === value} @click=${() => turnTo(value)}>${label}</button>`)}
            </div>
            <label class="field field-inline" for="same-agent">
              <input id="same-agent" type="checkbox" .checked=${sameAgent} @change=${toggleSameAgent}>
              <span>also of one agent</span>
            </label>
            ${decidedIds.length > 0 ? html`<button type="button" class="button" @click=${() => void undo()}>Undo the last decision <kbd>u</kbd></button>` : nothing}
          </div>
          ${items.length > 0 || isLoading ? nothing : emptyState()}
          ${pairs()}
        </div>
        <ol class="contradictions">
          ${repeat(
            ordered.slice(0, mostShown),
            ({ id }) => id,
            (contradiction, place) => item(contradiction, isQueue && place === 0),
          )}
        </ol>
        ${ordered.length <= mostShown ? nothing : html`<p class="button-row"><button type="button" class="button" @click=${showMore}>More: ${formatCount(ordered.length - mostShown)} are left</button></p>`}
      `,
      section,
    );
  }

  function showMore() {
    mostShown += SHOWN_MORE;
    draw();
  }

  /** Who contradicts whom, the most often first; each shows what lies between the two. */
  function pairs() {
    const counts = countsByPair(items);
    if (counts.length < 2) return nothing;
    const shown = showsAllPairs ? counts : counts.slice(0, PAIRS_AT_ONCE);
    const choice = (/** @type {string | null} */ value, /** @type {string} */ name, /** @type {number} */ count) =>
      html`<button type="button" class="button" aria-pressed=${pair === value} @click=${() => showPair(value)}>${name} <span class="num muted">${formatCount(count)}</span></button>`;
    return html`
      <div class="agent-pairs" role="group" aria-label="Between whom">
        ${choice(null, 'All agents', items.length)}
        ${shown.map(({ agents, count }) => choice(agents, pairName(agents), count))}
        ${shown.length === counts.length ? nothing : html`<button type="button" class="button" @click=${unfoldPairs}>${countOf(counts.length - shown.length, 'more pair')}</button>`}
      </div>
    `;
  }

  /** @param {string | null} agents */
  function showPair(agents) {
    pair = agents;
    mostShown = SHOWN_AT_ONCE;
    draw();
  }

  function unfoldPairs() {
    showsAllPairs = true;
    draw();
  }

  function note() {
    if (isLoading && items.length === 0) return 'Comparing …';
    if (progress === null) return countOf(total, 'pair');
    const pending = progress.pending === 0 ? '' : `, ${formatCount(progress.pending)} more wait`;
    return `${countOf(total, 'contradiction')}; ${countOf(progress.compared, 'memory', 'memories')} compared${pending}`;
  }

  function emptyState() {
    /** @type {Record<typeof tab, string[]>} */
    const texts = {
      open: [
        'Nothing that is remembered disagrees.',
        'Each new memory is compared with what other agents said about the same thing. What clashes comes here until somebody decides which of them holds.',
      ],
      doubtful: [
        'No pair is in doubt.',
        'Pairs that are about as likely to agree as to contradict come here, for a person or a language model to judge.',
      ],
      resolved: [
        'Nothing was decided so yet.',
        'A decided contradiction keeps both memories: the one that does not hold ranks behind the other.',
      ],
      dismissed: [
        'Nothing was decided so yet.',
        'Pairs of which both may stand come here, and are not reported again.',
      ],
    };
    const [first, second] = texts[tab];
    return html`<div class="empty"><p>${first}</p><p>${second}</p></div>`;
  }

  /** @param {any} contradiction @param {boolean} isNext it is the one that keys decide */
  function item(contradiction, isNext) {
    const { id, topic, reason, confidence, score, explanation, opinion, decision } = contradiction;
    return html`
      <li class="card" data-key=${id} data-next=${isNext ? 'yes' : nothing}>
        <div class="card-head">
          <h3>${topic === '' ? 'Both cannot be so' : topic}</h3>
          <p class="memory-marks">
            <span class="badge">${REASONS[/** @type {'state'} */ (reason)]}</span>
            <span class="badge" data-confidence=${confidence}>${tab === 'doubtful' ? 'doubtful' : `${confidence} confidence`}</span>
            <span class="badge num">${score.toFixed(2)}</span>
          </p>
        </div>
        <p>${explanation}</p>
        <div class="claims">${claim(contradiction, 'a', isNext)} ${claim(contradiction, 'b', isNext)}</div>
        ${opinion ? html`<p class="card-foot">${opinion.judge} says ${opinion.says === 'compatible' ? 'that both may stand' : 'that they contradict'} (handed in by ${opinion.agent_id}, ${instant(opinion.at)})${opinion.note ? `: ${opinion.note}` : ''}. An opinion, not a decision.</p>` : nothing}
        ${decision ? html`<p class="card-foot">${decision.agent_id} decided ${instant(decision.decided_at)}${decision.note ? ` “${decision.note}”` : ''}</p>` : nothing}
        <div class="button-row">${actions(contradiction, isNext)}</div>
      </li>
    `;
  }

  /** @param {any} contradiction @param {boolean} isNext */
  function actions(contradiction, isNext) {
    const key = (/** @type {string} */ name) => (isNext ? html` <kbd>${name}</kbd>` : nothing);
    const button = (/** @type {unknown} */ text, /** @type {() => void} */ onclick) =>
      html`<button type="button" class="button" @click=${onclick}>${text}</button>`;
    const skip = button(html`Skip${key('s')}`, () => skipOver(contradiction.id));
    if (tab === 'doubtful') {
      return [
        button('They contradict', () => void judge(contradiction, 'contradiction')),
        button(html`Both may stand${key('d')}`, () => void judge(contradiction, 'compatible')),
        skip,
      ];
    }
    if (tab === 'open')
      return [button(html`Both may stand${key('d')}`, () => void decide(contradiction, { dismiss: true })), skip];
    return button('Open again', () => void decide(contradiction, { reopen: true }));
  }

  /** @param {any} contradiction @param {'a' | 'b'} side @param {boolean} isNext */
  function claim(contradiction, side, isNext) {
    const said = contradiction[side];
    const other = contradiction[side === 'a' ? 'b' : 'a'];
    const holds = contradiction.decision?.winner === said.memory_id;
    // The words that clash, where the comparison names them, else all in which the two differ.
    const words = said.clash.length > 0 ? marked(said.gist, said.clash) : differingText(said.gist, other.gist);
    const decideFor = html`<button type="button" class="button" @click=${() => void decide(contradiction, { winner: said.memory_id })}>
      This holds${isNext ? html` <kbd>${side}</kbd>` : nothing}
    </button>`;
    return html`
      <div class="claim" data-holds=${holds || nothing}>
        ${origin(said)}
        <a class="claim-gist" href=${page.linkTo({ memory: said.memory_id })}>${words}</a>
        ${holds ? html`<p class="card-note">This holds</p>` : tab === 'doubtful' ? nothing : decideFor}
      </div>
    `;
  }

  /** @param {typeof tab} to */
  function turnTo(to) {
    tab = to;
    items = [];
    mostShown = SHOWN_AT_ONCE;
    progress = null;
    void load();
  }

  function toggleSameAgent(/** @type {Event} */ event) {
    sameAgent = /** @type {HTMLInputElement} */ (event.currentTarget).checked;
    void load();
  }

  /** @param {string} id */
  function skipOver(id) {
    // Taken out and put in again, it comes last of all.
    skipped.delete(id);
    skipped = new Set([...skipped, id]);
    if (items.every((one) => skipped.has(one.id))) skipped = new Set([id]);
    draw();
    page.say('Skipped.');
  }

  /** @param {any} contradiction @param {Record<string, unknown>} verdict */
  async function decide(contradiction, verdict) {
    const api = page.api();
    try {
      await api.decide(contradiction.id, verdict);
      if (api !== page.api()) return;
      if (verdict.reopen) {
        decidedIds = decidedIds.filter((id) => id !== contradiction.id);
        skipped.delete(contradiction.id);
        nextId = contradiction.id;
      } else decidedIds = [...decidedIds, contradiction.id];
      page.say(verdict.reopen ? 'Open again.' : 'Decided.');
      await load();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  /** @param {any} contradiction @param {string} says */
  async function judge(contradiction, says) {
    const api = page.api();
    try {
      await api.judge(contradiction.id, { says, judge: 'a person at the dashboard' });
      if (api !== page.api()) return;
      page.say('Judged.');
      await load();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  async function undo() {
    const id = decidedIds.at(-1);
    if (id !== undefined) await decide({ id }, { reopen: true });
  }

  document.addEventListener('keydown', (event) => {
    if (page.state.view !== 'contradictions' || page.state.memory !== null) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), select, textarea'))
      return;
    const meant = KEYS[/** @type {'a'} */ (event.key)];
    const next = inOrder()[0];
    if (meant === undefined || isStale) return;
    if (meant === 'undo') void undo();
    else if (!next || (tab !== 'open' && tab !== 'doubtful')) return;
    else if (meant === 'skip') skipOver(next.id);
    else if (tab === 'doubtful') {
      if (meant !== 'both') return;
      void judge(next, 'compatible');
    } else void decide(next, meant === 'both' ? { dismiss: true } : { winner: next[meant].memory_id });
    event.preventDefault();
  });

  return {
    show: () => void load(),
    forget() {
      items = [];
      pair = null;
      progress = null;
      decidedIds = [];
      skipped = new Set();
      draw();
    },
    changed(/** @type {Set<string>} */ kinds) {
      if (kinds.has('contradiction') || kinds.has('reset')) void load();
    },
    memoryChanged: () => void load(),
  };
}
