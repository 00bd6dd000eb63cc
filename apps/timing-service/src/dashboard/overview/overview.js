/** The state at a glance, the banner when the service is away, and the welcome when there is no data. */

import { activeRows } from '../active/active-tasks.js';
import { drawAway } from '../shared/away-banner.js';
import { byId, setText } from '../shared/dom.js';
import { formatCount, formatShare } from '../shared/format.js';
import { html, render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { browserNowMs, nowMs } from '../state/clock.js';
import { ALL_AGENTS, ALL_PROJECTS, whoseQuery } from '../state/view-state.js';

const CONNECTION_TEXT = { connecting: 'Connecting', live: 'Live', polling: 'Every 5 s', offline: 'Offline' };
const CONNECTION_HINT = {
  connecting: 'Waiting for the stream of changes',
  live: 'Changes arrive as they happen',
  polling: 'The stream of changes is not available; the page asks every 5 seconds',
  offline: 'The service does not answer',
};

/** @param {HTMLElement} section @param {import('../state/store.js').Store} store */
export function renderOverview(section, store) {
  const rows = activeRows(store, nowMs());
  const overdue = rows.filter((row) => row.level === 'overdue').length;
  const total = { failed: 0, all: 0 };
  for (const { outcomes } of [...store.summaries, ...store.withoutOk]) {
    total.failed += outcomes.error + outcomes.timeout;
    total.all += outcomes.ok + outcomes.error + outcomes.timeout + outcomes.cancelled;
  }
  const figures = [
    { label: 'Running', value: `${formatCount(rows.length)}${store.activeCut ? '+' : ''}` },
    { label: 'Overdue', value: formatCount(overdue), isAlert: overdue > 0 },
    { label: 'Agents', value: formatCount(store.agents.length) },
    { label: 'Runs recorded', value: formatCount(total.all) },
    { label: 'Failures', value: total.all === 0 ? '–' : formatShare(total.failed / total.all) },
  ];
  // Tiles without figures hold the place, so that nothing moves when they come.
  render(tiles(store.loaded ? figures : figures.map(({ label }) => ({ label, value: '–' }))), section);
}

/** @param {import('../reading/controller.js').Controller} controller */
export function renderConnection({ connection, offlineSinceMs, store, problem }) {
  const state = byId('connection');
  state.dataset.state = connection;
  state.title = CONNECTION_HINT[connection];
  setText(state, CONNECTION_TEXT[connection]);
  const away = connection === 'offline' && offlineSinceMs !== null ? { problem, sinceMs: offlineSinceMs } : null;
  drawAway(byId('banner'), away, { nowMs: browserNowMs(), hasData: store.loaded });
}

/** @param {import('../state/view-state.js').ViewState} view */
function nothingOf({ agent, project }) {
  if (agent === ALL_AGENTS && project === ALL_PROJECTS) return 'No task has been recorded yet';
  const by = agent === ALL_AGENTS ? '' : ` by ${agent}`;
  return `Nothing recorded${by}${project === ALL_PROJECTS ? '' : ` in ${project}`} yet`;
}

/** @param {HTMLElement} section @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view */
export function renderWelcome(section, store, view) {
  section.hidden = !store.loaded || store.taskTypes.length > 0 || store.events.length > 0;
  if (section.hidden) return;
  const whose = { ...whoseQuery(view), agent_id: view.agent === ALL_AGENTS ? 'planner-claude' : view.agent };
  const command = (/** @type {string} */ path, /** @type {string} */ body) =>
    `curl -X POST '${new URL(`.${path}`, document.baseURI)}?${new URLSearchParams(whose)}' \\\n  -H 'content-type: application/json' -d '${body}'`;
  render(
    html`
      <h2 id="welcome-heading">${nothingOf(view)}</h2>
      <p>Start a first task; it shows here at once:</p>
      <pre tabindex="0"><code>${command('/events/task-start', '{"task_type": "run tests", "estimated_seconds": 60}')}</code></pre>
      <p>And end it when it is done:</p>
      <pre tabindex="0"><code>${command('/events/task-end', '{"task_type": "run tests", "outcome": "ok"}')}</code></pre>
      <p class="muted">To see the dashboard at work: <code>npm run demo:timing</code></p>
    `,
    section,
  );
}
