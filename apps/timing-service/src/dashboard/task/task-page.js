/** One task with its events, beside the page from which it was opened. */

import { closeByClickBeside } from '../shared/click-beside.js';
import { html, nothing, render } from '../shared/template.js';
import { taskFacts } from './task-facts.js';

export class TaskPage {
  #dialog;
  #controller;
  /** @type {string | null} */ #shown = null;
  /** @type {Parameters<typeof taskFacts>[0] | null} */ #seen = null;
  #problem = '';

  /** @param {HTMLDialogElement} dialog @param {import('../reading/controller.js').Controller} controller @param {{ onClose: () => void }} actions */
  constructor(dialog, controller, { onClose }) {
    this.#dialog = dialog;
    this.#controller = controller;
    dialog.addEventListener('close', () => {
      this.#begin(null);
      onClose();
    });
    closeByClickBeside(dialog);
  }

  /** @param {string | null} id null closes it */
  show(id) {
    // Whose task it is stands in what is read first; this is called again after that.
    if (id === this.#shown || (id !== null && !this.#controller.store.loaded)) return;
    if (id === null) {
      if (this.#dialog.open) this.#dialog.close();
      return;
    }
    this.#begin(id);
    if (!this.#dialog.open) this.#dialog.showModal();
    /** @type {HTMLElement | null} */ (this.#dialog.querySelector('#task-heading'))?.focus();
    void this.#load(id);
  }

  /** Nothing is known yet. @param {string | null} id */
  #begin(id) {
    this.#shown = id;
    this.#seen = null;
    this.#problem = '';
    this.#draw();
  }

  /** @param {string} id */
  async #load(id) {
    const api = this.#controller.api();
    try {
      const events = await api.eventsOf(id);
      // What was imported as a task has no events.
      const whose = this.#controller.store.tasks.get(id)?.agent_id ?? events[0]?.agent_id ?? api.agent;
      const task = await api.task(id, whose);
      if (id !== this.#shown) return;
      this.#seen = { task, events: [...events].reverse() };
    } catch (error) {
      if (id !== this.#shown) return;
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#draw();
  }

  #draw() {
    const seen = this.#seen;
    render(
      html`
        <header class="task-head">
          <h2 id="task-heading" tabindex="-1">${seen?.task.task_type ?? 'Task'}</h2>
          <button type="button" class="button" @click=${() => this.#dialog.close()}>Close</button>
        </header>
        ${this.#problem === '' ? nothing : html`<p class="banner" role="alert">${this.#problem}</p>`}
        ${seen === null ? nothing : taskFacts(seen)}
      `,
      this.#dialog,
    );
  }
}
