/** One event of the list. */

import { whoseText } from '../pieces/whose.js';
import { nowMs } from '../shared/clock.js';
import { copyableId } from '../shared/copyable-id.js';
import { formatMetadata, formatTime } from '../shared/format.js';
import { html, nothing } from '../shared/template.js';

export const COLUMNS = ['Time', 'Agent', 'Event', 'Task type', 'Metadata', 'Task id', 'Event id'];

/** @param {import('../state/store.js').TimingEvent} event @param {(id: string) => void} onOpenTask */
export function eventRow(event, onOpenTask) {
  const time = formatTime(Date.parse(event.timestamp), nowMs());
  const metadata = formatMetadata(event.metadata);
  const id = event.correlation_id;
  /** In the order of COLUMNS: what it is called in the style sheet, what it shows. @type {[string, unknown][]} */
  const cells = [
    ['time', html`<time class="num" datetime=${event.timestamp} title=${event.timestamp}>${time}</time>`],
    ['whose', named(whoseText(event))],
    ['event', named(event.event_type, 'event-type name')],
    [event.task_type === null ? 'none' : 'type', named(event.task_type)],
    [metadata === '' ? 'none' : 'metadata', named(metadata, 'name metadata')],
    [id === null ? 'none' : 'task', id === null ? '–' : taskCell(id, onOpenTask)],
    ['id', copyableId(event.id, 'event id')],
  ];
  return html`<tr data-event-type=${event.event_type}>${cells.map(([name, cell]) => html`<td class=${`event-cell-${name}`}>${cell}</td>`)}</tr>`;
}

/** @param {string | null} text @param {string} [className] */
const named = (text, className = 'name') =>
  html`<span class=${className} dir="auto" title=${text ?? nothing}>${text || '–'}</span>`;

/** @param {string} id @param {(id: string) => void} onOpenTask */
const taskCell = (id, onOpenTask) => html`
  <span class="task-cell">
    ${copyableId(id, 'task id')}
    <button type="button" class="link-button" data-task=${id} aria-label=${`Open task ${id}`} @click=${() => onOpenTask(id)}>Open</button>
  </span>
`;

/** Whether any of its words has the text. @param {import('../state/store.js').TimingEvent} event @param {string} text lower case */
export function containsText(event, text) {
  if (text === '') return true;
  return [
    event.id,
    event.agent_id,
    event.project,
    event.event_type,
    event.task_type,
    event.correlation_id,
    formatMetadata(event.metadata),
  ].some((part) => part?.toLowerCase().includes(text));
}
