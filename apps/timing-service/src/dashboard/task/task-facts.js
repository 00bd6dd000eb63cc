/** What is known of one task, and its events. */

import { whoseText } from '../pieces/whose.js';
import { nowMs } from '../shared/clock.js';
import { copyableId } from '../shared/copyable-id.js';
import { factList } from '../shared/fact-list.js';
import { formatDuration, formatElapsed, formatMetadata } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';

/** @param {{ task: import('../state/store.js').Task, events: import('../state/store.js').TimingEvent[] }} known */
export const taskFacts = ({ task, events }) => html`
  ${factList(rowsOf(task), { className: 'task-facts' })}
  <h3>Events</h3>
  <ol class="task-events">
    ${events.map(
      (event) => html`<li>
        <p><strong>${event.event_type}</strong> ${instant(event.timestamp, { seconds: true })}</p>
        ${formatMetadata(event.metadata) === '' ? nothing : html`<pre tabindex="0">${JSON.stringify(event.metadata, null, 2)}</pre>`}
      </li>`,
    )}
  </ol>
`;

/** @param {import('../state/store.js').Task} task */
const secondsSoFar = ({ started_at: startedAt }) => (nowMs() - Date.parse(startedAt)) / 1000;

/** @param {import('../state/store.js').Task} task @returns {[string, unknown][]} */
function rowsOf(task) {
  const took = task.duration_seconds;
  return [
    ['State', task.outcome ?? task.state],
    ['Agent', whoseText(task)],
    ['Started', instant(task.started_at, { seconds: true })],
    ['Ended', task.ended_at === null ? '–' : instant(task.ended_at, { seconds: true })],
    ...abandonedRow(task),
    ['Took', task.state === 'active' ? `${formatElapsed(secondsSoFar(task))} so far` : formatDuration(took)],
    ['Estimated', estimateText(task)],
    ['Metadata', formatMetadata(task.metadata) || '–'],
    ['Id', copyableId(task.correlation_id, 'task id')],
  ];
}

/** @param {import('../state/store.js').Task} task @returns {[string, unknown][]} */
function abandonedRow({ abandoned_at: at }) {
  return at === undefined ? [] : [['Abandoned', instant(at, { seconds: true })]];
}

/** @param {import('../state/store.js').Task} task */
function estimateText({ estimated_seconds: estimated, duration_seconds: took }) {
  if (estimated === null) return '–';
  return `${formatDuration(estimated)}${took === null ? '' : ` (took × ${(took / estimated).toFixed(2)})`}`;
}
