/** The choice of an agent and of a project. */

import { drawChoice } from '../shared/choice.js';
import { byId } from '../shared/dom.js';
import { ALL_AGENTS, ALL_PROJECTS } from '../state/view-state.js';

export class Choices {
  #agent = /** @type {HTMLSelectElement} */ (byId('agent-select'));
  #project = /** @type {HTMLSelectElement} */ (byId('project-select'));

  /** @param {(choice: { agent: string, project: string }) => void} onChoose */
  constructor(onChoose) {
    for (const select of [this.#agent, this.#project]) {
      select.addEventListener('change', () => onChoose({ agent: this.#agent.value, project: this.#project.value }));
    }
  }

  /** @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view */
  render({ agents, projects }, { agent, project }) {
    drawChoice(this.#agent, { all: ALL_AGENTS, label: 'All agents', known: agents, chosen: agent });
    drawChoice(this.#project, { all: ALL_PROJECTS, label: 'All projects', known: projects, chosen: project });
    byId('project-field').hidden = projects.length === 0 && project === ALL_PROJECTS;
  }
}
