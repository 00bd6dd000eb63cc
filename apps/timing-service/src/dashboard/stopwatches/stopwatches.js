/** Stopwatches of the chosen agent, or of the first agents; running ones tick. */

import { whoseText } from '../pieces/whose.js';
import { MOST_STOPWATCH_AGENTS } from '../reading/api.js';
import { nowMs } from '../shared/clock.js';
import { countOf, formatClock, formatDuration, formatElapsed } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { stopwatchKey } from '../state/store.js';
import { ALL_AGENTS } from '../state/view-state.js';

const SHOWN_AT_FIRST = 12;

export class Stopwatches {
  #section;
  #isWhole = false;

  /** @param {HTMLElement} section */
  constructor(section) {
    this.#section = section;
  }

  /** @param {import('../state/store.js').Store} store @param {string} agent */
  render(store, agent) {
    const watches = runningFirst(store);
    const shown = this.#isWhole ? watches : watches.slice(0, SHOWN_AT_FIRST);
    const isCut = agent === ALL_AGENTS && store.agents.length > MOST_STOPWATCH_AGENTS;
    const onToggle = () => {
      this.#isWhole = !this.#isWhole;
      this.render(store, agent);
    };
    render(
      html`
        <div class="card-head">
          <h2 id="stopwatches-heading">Stopwatches</h2>
          <p class="card-note">${summaryOf(watches, { isCut })}</p>
        </div>
        <ul class="watch-list" ?hidden=${watches.length === 0}>
          ${repeat(shown, (watch) => stopwatchKey(watch, watch.name), watchItem)}
        </ul>
        ${
          watches.length === 0 && store.loaded
            ? html`<p class="empty">No stopwatch. Start one with <code>POST /stopwatch/{name}/start</code></p>`
            : nothing
        }
        ${showMore({ count: watches.length, first: SHOWN_AT_FIRST, isWhole: this.#isWhole, onToggle, noun: ' stopwatches' })}
        ${isCut ? html`<p class="card-foot">Shows the first ${MOST_STOPWATCH_AGENTS} agents; choose one to see its own.</p>` : nothing}
      `,
      this.#section,
    );
  }
}

/** @param {import('../state/store.js').Store} store */
const runningFirst = ({ stopwatches }) =>
  [...stopwatches.values()].sort(
    (a, b) => Number(b.is_running) - Number(a.is_running) || (a.started_at < b.started_at ? 1 : -1),
  );

/** @param {import('../state/store.js').Stopwatch[]} watches @param {{ isCut: boolean }} whose `isCut`: other agents may have more */
function summaryOf(watches, { isCut }) {
  if (watches.length === 0) return '';
  const running = watches.filter((watch) => watch.is_running).length;
  const whose = isCut ? ` of ${MOST_STOPWATCH_AGENTS} agents` : '';
  return `${running} of ${countOf(watches.length, 'stopwatch', 'stopwatches')}${whose} running`;
}

/** @param {import('../state/store.js').Stopwatch} watch */
function watchItem(watch) {
  const startedMs = Date.parse(watch.started_at);
  const elapsed = watch.is_running
    ? formatElapsed((nowMs() - startedMs) / 1000)
    : formatDuration(watch.elapsed_seconds);
  const whose = whoseText(watch);
  return html`
    <li class="watch" data-running=${watch.is_running ? 'yes' : 'no'}>
      <span class="name watch-name" dir="auto" title=${watch.name}>${watch.name}</span>
      <span class="watch-elapsed num">${elapsed}</span>
      <span class="name muted" dir="auto" title=${whose}>${whose}</span>
      <span class="watch-state" title=${`Started ${formatClock(startedMs)} (${watch.started_at})`}>${watch.is_running ? '▶ running' : '■ stopped'}</span>
    </li>
  `;
}
