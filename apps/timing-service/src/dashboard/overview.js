/** The state at a glance, the banner when the service is away, and the welcome when there is no data. */

import { activeRows } from './active-tasks.js';
import { browserNowMs, nowMs } from './clock.js';
import { byId, el, setText } from './shared/dom.js';
import { formatClock, formatCount, formatElapsed, formatShare } from './shared/format.js';
import { ALL_AGENTS, ALL_PROJECTS, whoseQuery } from './url-state.js';

const CONNECTION_TEXT = { connecting: 'Connecting', live: 'Live', polling: 'Every 5 s', offline: 'Offline' };
const CONNECTION_HINT = {
  connecting: 'Waiting for the stream of changes',
  live: 'Changes arrive as they happen',
  polling: 'The stream of changes is not available; the page asks every 5 seconds',
  offline: 'The service does not answer',
};

/** @param {HTMLElement} section */
export function createOverview(section) {
  const tiles = ['Running', 'Overdue', 'Agents', 'Runs recorded', 'Failures'].map((label) => {
    const value = el('dd', { class: 'num' }, '–');
    const tile = el('div', { class: 'tile' }, el('dt', {}, label), value);
    return { tile, value };
  });
  section.append(el('dl', { class: 'tiles' }, ...tiles.map(({ tile }) => tile)));

  /** @param {import('./store.js').Store} store */
  return function render(store) {
    if (!store.loaded) return;
    const rows = activeRows(store, nowMs());
    const total = { ok: 0, failed: 0, all: 0 };
    for (const { outcomes } of store.summaries) {
      total.ok += outcomes.ok;
      total.failed += outcomes.error + outcomes.timeout;
      total.all += outcomes.ok + outcomes.error + outcomes.timeout + outcomes.cancelled;
    }
    const overdue = rows.filter((row) => row.level === 'overdue').length;
    const texts = [
      `${formatCount(rows.length)}${store.activeCut ? '+' : ''}`,
      formatCount(overdue),
      formatCount(store.agents.length),
      formatCount(total.all),
      total.all === 0 ? '–' : formatShare(total.failed / total.all),
    ];
    tiles.forEach(({ value }, i) => {
      setText(value, texts[i] ?? '');
    });
    tiles[1]?.tile.setAttribute('data-alert', overdue > 0 ? 'yes' : 'no');
  };
}

/** @param {import('./controller.js').Controller} controller */
export function renderConnection(controller) {
  const { connection, offlineSinceMs, store, problem } = controller;
  const state = byId('connection');
  state.dataset.state = connection;
  state.title = CONNECTION_HINT[connection];
  setText(state, CONNECTION_TEXT[connection]);
  const stale = connection === 'offline';
  document.body.dataset.stale = stale && store.loaded ? 'yes' : 'no';
  const banner = byId('banner');
  banner.hidden = !stale;
  if (!stale || offlineSinceMs === null) {
    banner.replaceChildren();
    return;
  }
  // The words are announced once; the seconds that tick beside them are not.
  if (banner.childElementCount === 0) {
    const age = store.loaded ? ' What you see is the last that was read and may be out of date.' : '';
    banner.append(
      el('strong', {}, `${problem}.`),
      el('span', {}, ` Since ${formatClock(offlineSinceMs)}`),
      el('span', { class: 'banner-age', 'aria-hidden': 'true' }),
      el('span', {}, `. Trying again every 5 seconds.${age}`),
    );
  }
  setText(
    /** @type {Node} */ (banner.querySelector('.banner-age')),
    ` (${formatElapsed((browserNowMs() - offlineSinceMs) / 1000)})`,
  );
}

/** @param {import('./url-state.js').ViewState} view */
function nothingOf({ agent, project }) {
  const by = agent === ALL_AGENTS ? '' : ` by ${agent}`;
  return `Nothing recorded${by}${project === ALL_PROJECTS ? '' : ` in ${project}`} yet`;
}

/** @param {import('./store.js').Store} store @param {import('./url-state.js').ViewState} view */
export function renderWelcome(store, view) {
  const { agent, project } = view;
  const whose = whoseQuery(view);
  const section = byId('welcome');
  section.hidden = !store.loaded || store.taskTypes.length > 0 || store.events.length > 0;
  if (section.hidden || section.dataset.whose === JSON.stringify(whose)) return;
  section.dataset.whose = JSON.stringify(whose);
  const owner = agent === ALL_AGENTS ? 'planner-claude' : agent;
  const command = (/** @type {string} */ path, /** @type {string} */ body) =>
    `curl -X POST '${new URL(`.${path}`, document.baseURI)}?${new URLSearchParams({ ...whose, agent_id: owner })}' \\\n  -H 'content-type: application/json' -d '${body}'`;
  section.replaceChildren(
    el(
      'h2',
      { id: 'welcome-heading' },
      agent === ALL_AGENTS && project === ALL_PROJECTS ? 'No task has been recorded yet' : nothingOf(view),
    ),
    el('p', {}, 'Start a first task; it shows here at once:'),
    el(
      'pre',
      { tabindex: '0' },
      el('code', {}, command('/events/task-start', '{"task_type": "run tests", "estimated_seconds": 60}')),
    ),
    el('p', {}, 'And end it when it is done:'),
    el(
      'pre',
      { tabindex: '0' },
      el('code', {}, command('/events/task-end', '{"task_type": "run tests", "outcome": "ok"}')),
    ),
    el('p', { class: 'muted' }, 'To see the dashboard at work: ', el('code', {}, 'npm run demo:timing')),
  );
}
