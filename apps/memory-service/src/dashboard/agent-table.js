/** The agents with the number of memories of each. */

import { bar } from './bar.js';
import { formatCount } from './shared/format.js';
import { instant } from './shared/instant.js';
import { html } from './shared/template.js';
import { inProject } from './texts.js';
import { NO_FILTERS } from './view-state.js';

const COUNTS = [
  { label: 'Memories', key: 'total' },
  { label: 'Episodic', key: 'episodic' },
  { label: 'Semantic', key: 'semantic' },
  { label: 'Private', key: 'private' },
];

/** @param {any} stats @param {import('./page.js').Page} page */
export function agentTable(stats, page) {
  const agents = Object.entries(stats.agents).sort(([, a], [, b]) => b.total - a.total);
  const most = Math.max(1, ...agents.map(([, { total }]) => total));
  return html`
    <section class="card" aria-labelledby="agents-heading">
      <div class="card-head">
        <h2 id="agents-heading">Agents</h2>
        <p class="card-note">as ${stats.agent_id} sees them${inProject(page.state)}</p>
      </div>
      <table class="agent-table">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            ${COUNTS.map(({ label }) => html`<th scope="col" class="num">${label}</th>`)}
            <th scope="col">Last active</th>
          </tr>
        </thead>
        <tbody>
          ${agents.map(
            ([name, counts]) => html`
              <tr>
                <th scope="row">
                  <a class="name" href=${page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by: name } })}>${name}</a>
                  ${bar(counts.total / most)}
                </th>
                ${COUNTS.map(({ label, key }) => html`<td class="num" data-label=${label}>${formatCount(counts[key])}</td>`)}
                <td class="last-active">${instant(counts.last_active_at)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
  `;
}
