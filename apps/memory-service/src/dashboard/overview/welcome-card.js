/** What the overview says where nothing is remembered yet: how to store a first message. */

import { inProject } from '../pieces/texts.js';
import { copyableCommand } from '../shared/copyable-command.js';
import { pageSpace } from '../shared/request.js';
import { html, nothing } from '../shared/template.js';
import { ALL_PROJECTS } from '../state/view-state.js';

/** What the first message answers. */
const QUESTION = 'When is the release?';

/** @param {string} agent that looks @param {import('../page.js').Page} page */
export function welcomeCard(agent, page) {
  const { state } = page;
  return html`
    <section class="card" aria-label="First steps">
      <div class="card-head"><h2>Nothing is remembered yet</h2><p class="card-note">as <bdi>${agent}</bdi> sees it${inProject(state)}</p></div>
      <div class="first-steps">
        <p>Store a first message; it shows here at once:</p>
        ${copyableCommand(firstMessage(agent, state), 'the call that stores a message')}
        <p>Then ask what is remembered of it, here under <a href=${page.linkTo({ view: 'search', query: QUESTION })}>Search: ${QUESTION}</a></p>
        ${pageSpace() === '' ? demonstrations : nothing}
      </div>
    </section>
  `;
}

/** They fill the default space. */
const demonstrations = html`<p class="muted">Or play a week of three agents: <code>npm run demo:memory</code>, or a quarter of eight: <code>npm run demo:team</code></p>`;

/** A command for a shell. @param {string} agent @param {{ project: string }} state */
function firstMessage(agent, { project }) {
  const body = '{"content": "The release is on Friday at noon.", "role": "user"}';
  const space = pageSpace();
  const whose = new URLSearchParams({
    agent_id: agent,
    ...(project !== ALL_PROJECTS && { project }),
    ...(space !== '' && { space }),
  });
  return `curl -X POST '${new URL('./ingest', document.baseURI)}?${whose}' \\\n  -H 'content-type: application/json' -d '${body}'`;
}
