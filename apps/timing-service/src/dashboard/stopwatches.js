/** Stopwatches of the chosen agent, or of the first agents; running ones tick. */

import { MOST_STOPWATCH_AGENTS } from './api.js';
import { nowMs } from './clock.js';
import { el, setText, syncChildren } from './shared/dom.js';
import { countOf, formatClock, formatDuration, formatElapsed } from './shared/format.js';
import { stopwatchKey } from './store.js';
import { ALL_AGENTS } from './url-state.js';
import { whoseText } from './whose.js';

const SHOWN_AT_FIRST = 12;

/** @param {HTMLElement} section */
export function createStopwatches(section) {
  let showAll = false;
  const note = el('p', { class: 'card-note' });
  const list = el('ul', { class: 'watch-list' });
  const empty = el(
    'p',
    { class: 'empty' },
    'No stopwatch. Start one with ',
    el('code', {}, 'POST /stopwatch/{name}/start'),
  );
  const more = el('button', { type: 'button', class: 'button' });
  const cut = el(
    'p',
    { class: 'card-foot' },
    `Shows the first ${MOST_STOPWATCH_AGENTS} agents; choose one to see its own.`,
  );
  section.append(
    el('div', { class: 'card-head' }, el('h2', { id: 'stopwatches-heading' }, 'Stopwatches'), note),
    list,
    empty,
    more,
    cut,
  );
  /** @type {(() => void) | undefined} */ let again;
  more.addEventListener('click', () => {
    showAll = !showAll;
    again?.();
  });

  /** @param {import('./store.js').Store} store @param {string} agent */
  function render(store, agent) {
    again = () => render(store, agent);
    const watches = [...store.stopwatches.values()].sort(
      (a, b) => Number(b.is_running) - Number(a.is_running) || (a.started_at < b.started_at ? 1 : -1),
    );
    syncChildren(list, showAll ? watches : watches.slice(0, SHOWN_AT_FIRST), {
      key: (watch) => stopwatchKey(watch, watch.name),
      create: (watch) =>
        el(
          'li',
          { class: 'watch' },
          el('span', { class: 'name watch-name', title: watch.name }, watch.name),
          el('span', { class: 'watch-elapsed num' }),
          el('span', { class: 'name muted', title: whoseText(watch) }, whoseText(watch)),
          el('span', { class: 'watch-state' }),
        ),
      update(element, watch) {
        const startedMs = Date.parse(watch.started_at);
        const elapsed = watch.is_running
          ? formatElapsed((nowMs() - startedMs) / 1000)
          : formatDuration(watch.elapsed_seconds);
        element.dataset.running = watch.is_running ? 'yes' : 'no';
        setText(/** @type {Node} */ (element.querySelector('.watch-elapsed')), elapsed);
        const state = /** @type {HTMLElement} */ (element.querySelector('.watch-state'));
        setText(state, watch.is_running ? '▶ running' : '■ stopped');
        state.title = `Started ${formatClock(startedMs)} (${watch.started_at})`;
      },
    });
    const running = watches.filter((watch) => watch.is_running).length;
    setText(
      note,
      watches.length === 0 ? '' : `${running} of ${countOf(watches.length, 'stopwatch', 'stopwatches')} running`,
    );
    empty.hidden = watches.length > 0 || !store.loaded;
    list.hidden = watches.length === 0;
    more.hidden = watches.length <= SHOWN_AT_FIRST;
    setText(more, showAll ? `Show the first ${SHOWN_AT_FIRST}` : `Show all ${watches.length}`);
    cut.hidden = agent !== ALL_AGENTS || store.agents.length <= MOST_STOPWATCH_AGENTS;
  }

  return { render };
}
