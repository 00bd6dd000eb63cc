/** One task with its events, beside the page from which it was opened. */

import { closeByClickBeside } from '../shared/click-beside.js';
import { html, nothing, render } from '../shared/template.js';
import { taskFacts } from './task-facts.js';

/** @typedef {import('../state/store.js').Task} Task */

export class TaskPage {
  #dialog;
  #controller;
  /** @type {string | null} */ #shown = null;
  /** @type {Parameters<typeof taskFacts>[0] | null} */ #seen = null;
  #problem = '';
  #isLoading = false;
  /** It may start later. */
  #isUnknown = false;
  #taskOf;

  /**
   * @param {HTMLDialogElement} dialog @param {import('../reading/controller.js').Controller} controller
   * @param {{ taskOf: (id: string) => Task | undefined, onClose: () => void }} page `taskOf`: of those that it shows
   */
  constructor(dialog, controller, { taskOf, onClose }) {
    this.#dialog = dialog;
    this.#controller = controller;
    this.#taskOf = taskOf;
    dialog.addEventListener('close', () => {
      this.#begin(null);
      onClose();
    });
    closeByClickBeside(dialog);
  }

  /** @param {string | null} id null closes it */
  show(id) {
    // Whose task it is stands in what is read first; this is called again after that.
    if (id !== null && !this.#controller.store.loaded) return;
    if (id === this.#shown) return this.#follow();
    if (id === null) {
      if (this.#dialog.open) this.#dialog.close();
      return;
    }
    this.#begin(id);
    if (!this.#dialog.open) this.#dialog.showModal();
    /** @type {HTMLElement | null} */ (this.#dialog.querySelector('#task-heading'))?.focus();
    void this.#load(id);
  }

  /** One that runs gets older, and ends. */
  #follow() {
    const id = this.#shown;
    if (id === null || this.#isLoading) return;
    const now = this.#taskOf(id);
    const isRunning = this.#seen?.task.state === 'active';
    if (now !== undefined && (isRunning ? now.state !== 'active' : this.#isUnknown)) void this.#load(id);
    else if (isRunning) this.#draw();
  }

  /** Nothing is known yet. @param {string | null} id */
  #begin(id) {
    this.#shown = id;
    this.#seen = null;
    this.#problem = '';
    this.#isUnknown = false;
    this.#draw();
  }

  /** @param {string} id */
  async #load(id) {
    const api = this.#controller.api();
    this.#isLoading = true;
    try {
      const events = await api.eventsOf(id);
      const whose = this.#taskOf(id)?.agent_id ?? events[0]?.agent_id ?? api.agent;
      const task = await api.task(id, whose);
      if (id !== this.#shown) return;
      this.#isUnknown = false;
      this.#seen = { task, events: [...events].reverse() };
      this.#problem = '';
    } catch (error) {
      if (id !== this.#shown) return;
      this.#isUnknown = /** @type {any} */ (error).status === 404 && this.#taskOf(id) === undefined;
      this.#problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.#isLoading = false;
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
