/** What to do where nothing is recorded yet. */

import { copyableCommand } from '../shared/copyable-command.js';
import { pageSpace } from '../shared/request.js';
import { html, nothing, render } from '../shared/template.js';
import { ALL_AGENTS, ALL_PROJECTS, whoseQuery } from '../state/view-state.js';

const START = '{"task_type": "run tests", "estimated_seconds": 60}';
const END = '{"task_type": "run tests", "outcome": "ok"}';

/** Whether there is nothing to draw a card of. @param {import('../state/store.js').Store} store */
export const isEmpty = (store) =>
  store.events.length + store.tasks.size + store.stopwatches.size === 0 && !hasEnded(store);

/** Whether a task has ended, ever. @param {import('../state/store.js').Store} store */
const hasEnded = ({ summaries, withoutOk }) =>
  // A type whose first task runs is among those without an ok run.
  summaries.length > 0 || withoutOk.some(({ outcomes }) => Object.values(outcomes).some((count) => count > 0));

/**
 * Stays beside the cards of a first task that runs until it has ended, because how to end it stands here.
 * @param {HTMLElement} section @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view
 */
export function renderWelcome(section, store, view) {
  section.hidden = !store.loaded || hasEnded(store) || !(isEmpty(store) || isFirstRunning(store));
  if (section.hidden) return;
  const space = pageSpace();
  const whose = {
    ...whoseQuery(view),
    agent_id: view.agent === ALL_AGENTS ? 'planner-claude' : view.agent,
    ...(space !== '' && { space }),
  };
  const command = (/** @type {string} */ path, /** @type {string} */ body) =>
    `curl -X POST '${new URL(`.${path}`, document.baseURI)}?${new URLSearchParams(whose)}' \\\n  -H 'content-type: application/json' -d '${body}'`;
  render(
    html`
      <h2 id="welcome-heading">${isEmpty(store) ? nothingOf(view) : 'The first task runs'}</h2>
      <p>Here stands how long each kind of work takes, what runs and for how much longer, and where the time went, once an agent tells when its tasks start and end.</p>
      <p>Start a first task; it shows here at once:</p>
      ${copyableCommand(command('/events/task-start', START), 'the call that starts a task')}
      <p>And end it when it is done:</p>
      ${copyableCommand(command('/events/task-end', END), 'the call that ends it')}
      ${space === '' ? demonstration : nothing}
    `,
    section,
  );
}

/** It fills the default space. */
const demonstration = html`<p class="muted">To see the dashboard at work: <code>npm run demo:timing</code></p>`;

/** @param {import('../state/store.js').Store} store */
const isFirstRunning = ({ tasks }) => tasks.size === 1 && [...tasks.values()].every(({ state }) => state === 'active');

/** @param {import('../state/view-state.js').ViewState} view */
function nothingOf({ agent, project }) {
  if (agent === ALL_AGENTS && project === ALL_PROJECTS) return 'No task has been recorded yet';
  const by = agent === ALL_AGENTS ? '' : ` by ${agent}`;
  return `Nothing recorded${by}${project === ALL_PROJECTS ? '' : ` in ${project}`} yet`;
}
