/** Who looks: the agent and the project that are chosen in the head of the page. */

import { drawChoice } from '../shared/choice.js';
import { byId } from '../shared/dom.js';
import { formatCount } from '../shared/format.js';
import { html, render } from '../shared/template.js';
import { ALL_PROJECTS } from '../state/view-state.js';

/** @typedef {{ agent: string, project: string }} Whose an empty agent is the server's default */

export class Reader {
  #agentField = /** @type {HTMLInputElement} */ (byId('reader-agent'));
  #projectSelect = /** @type {HTMLSelectElement} */ (byId('project-select'));
  /** How many memories each project has for an agent. @type {{ agent: string, counts: Record<string, number> }} */
  #seen = { agent: '', counts: {} };

  /** @param {(chosen: Whose) => void} onChoice called when something is chosen, be it the same again */
  constructor(onChoice) {
    const choose = () => onChoice({ agent: this.#agentField.value.trim(), project: this.#projectSelect.value });
    byId('reader').addEventListener('submit', (event) => {
      event.preventDefault();
      choose();
    });
    for (const field of [this.#agentField, this.#projectSelect]) field.addEventListener('change', choose);
  }

  /** @param {Whose} whose */
  draw(whose) {
    if (this.#agentField.value.trim() !== whose.agent) this.#agentField.value = whose.agent;
    this.#drawProjects(whose);
  }

  /** @param {{ name: string, agents: string[], counts: Record<string, number> }} known `name`: of the default agent, where it looks @param {Whose} whose */
  know({ name, agents, counts }, whose) {
    this.#agentField.placeholder = name;
    render(
      agents.map((agent) => html`<option value=${agent}></option>`),
      byId('known-agents'),
    );
    this.#seen = { agent: whose.agent, counts };
    this.#drawProjects(whose);
  }

  /** @param {Whose} whose */
  #drawProjects({ agent, project }) {
    // Another agent may not know what this one knew.
    const counts = this.#seen.agent === agent ? this.#seen.counts : {};
    const known = Object.keys(counts);
    const textOf = (/** @type {string} */ name) =>
      Object.hasOwn(counts, name) ? `${name} (${formatCount(counts[name] ?? 0)})` : name;
    drawChoice(this.#projectSelect, { all: ALL_PROJECTS, label: 'All projects', known, chosen: project, textOf });
    byId('project-field').hidden = known.length === 0 && project === ALL_PROJECTS;
  }
}
