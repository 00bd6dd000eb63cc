/** What the overview says where nothing is remembered yet: how to store a first message. */

import { inProject } from '../pieces/texts.js';
import { html } from '../shared/template.js';
import { ALL_PROJECTS } from '../state/view-state.js';

/** @param {string} agent that looks @param {import('../state/view-state.js').ViewState} state */
export function welcomeCard(agent, state) {
  return html`
    <section class="card" aria-label="Agents">
      <div class="card-head"><h2>Agents</h2><p class="card-note">as ${agent} sees them${inProject(state)}</p></div>
      <div class="empty">
        <p>Nothing is remembered yet that ${agent} may see${inProject(state)}. Store a first message:</p>
        <pre tabindex="0"><code>${firstMessage(agent, state)}</code></pre>
        <p>Or play a week of three agents: <code>npm run demo:memory</code>, or a quarter of eight: <code>npm run demo:team</code></p>
      </div>
    </section>
  `;
}

/** A command for a shell. @param {string} agent @param {{ project: string }} state */
function firstMessage(agent, { project }) {
  const body = '{"content": "The release is on Friday at noon.", "role": "user"}';
  const whose = new URLSearchParams({ agent_id: agent, ...(project !== ALL_PROJECTS && { project }) });
  return `curl -X POST '${new URL('./ingest', document.baseURI)}?${whose}' \\\n  -H 'content-type: application/json' -d '${body}'`;
}
