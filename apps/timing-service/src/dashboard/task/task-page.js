/** One task with its events, beside the page from which it was opened. */

import { whoseText } from '../pieces/whose.js';
import { copyableId } from '../shared/copyable-id.js';
import { factList } from '../shared/fact-list.js';
import { formatDuration, formatMetadata } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing, render } from '../shared/template.js';

/** @param {HTMLDialogElement} dialog @param {import('../reading/controller.js').Controller} controller @param {{ onClose: () => void }} actions */
export function createTaskPage(dialog, controller, { onClose }) {
  /** @type {string | null} */ let shown = null;
  /** @type {{ task: any, events: any[] } | null} */ let seen = null;
  let problem = '';

  function draw() {
    render(
      html`
        <header class="task-head">
          <h2 id="task-heading" tabindex="-1">${seen?.task.task_type ?? 'Task'}</h2>
          <button type="button" class="button" @click=${() => dialog.close()}>Close</button>
        </header>
        ${problem === '' ? nothing : html`<p class="banner" role="alert">${problem}</p>`}
        ${seen === null ? nothing : facts(seen)}
      `,
      dialog,
    );
  }

  /** @param {{ task: any, events: any[] }} known */
  function facts({ task, events }) {
    const { estimated_seconds: estimated, duration_seconds: took } = task;
    /** @type {[string, unknown][]} */
    const rows = [
      ['State', task.outcome ?? task.state],
      ['Agent', whoseText(task)],
      ['Started', instant(task.started_at, { seconds: true })],
      ['Ended', task.ended_at === null ? '–' : instant(task.ended_at, { seconds: true })],
      ['Took', took === null ? `${formatDuration(task.elapsed_seconds)} so far` : formatDuration(took)],
      [
        'Estimated',
        estimated === null
          ? '–'
          : `${formatDuration(estimated)}${took === null ? '' : ` (took × ${(took / estimated).toFixed(2)})`}`,
      ],
      ['Metadata', formatMetadata(task.metadata) || '–'],
      ['Id', copyableId(task.correlation_id, 'task id')],
    ];
    return html`
      ${factList(rows, { className: 'task-facts' })}
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
  }

  /** @param {string} id */
  async function load(id) {
    const api = controller.api();
    try {
      const events = await api.eventsOf(id);
      // What was imported as a task has no events.
      const whose = controller.store.tasks.get(id)?.agent_id ?? events[0]?.agent_id ?? api.agent;
      const task = await api.task(id, whose);
      if (id !== shown) return;
      seen = { task, events: [...events].reverse() };
    } catch (error) {
      if (id !== shown) return;
      problem = error instanceof Error ? error.message : String(error);
    }
    draw();
  }

  dialog.addEventListener('close', () => {
    shown = null;
    seen = null;
    problem = '';
    draw();
    onClose();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  return {
    /** @param {string | null} id null closes it */
    show(id) {
      // Whose task it is stands in what is read first; this is called again after that.
      if (id === shown || (id !== null && !controller.store.loaded)) return;
      if (id === null) {
        if (dialog.open) dialog.close();
        return;
      }
      shown = id;
      seen = null;
      problem = '';
      draw();
      if (!dialog.open) dialog.showModal();
      /** @type {HTMLElement | null} */ (dialog.querySelector('#task-heading'))?.focus();
      void load(id);
    },
  };
}
