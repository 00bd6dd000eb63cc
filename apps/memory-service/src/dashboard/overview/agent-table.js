/** The agents with the number of memories of each, and what each learnt today. */

import { bar } from '../pieces/bar.js';
import { inProject } from '../pieces/texts.js';
import { calendarDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { formatCount } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';

const SHOWN_AT_FIRST = 20;
const COUNTS = /** @type {const} */ ([
  { label: 'Memories', key: 'total' },
  { label: 'Semantic', key: 'semantic' },
  { label: 'Private', key: 'private' },
]);

/** @param {{ stats: import('../reading/api.js').Answer<'getStats'>, todayBy: ReadonlyMap<string, number>, page: import('../page.js').Page, isWhole: boolean, onToggle: () => void }} what `todayBy`: what each agent learnt today; `isWhole`: all agents are shown */
export function agentTable({ stats, todayBy, page, isWhole, onToggle }) {
  const agents = Object.entries(stats.agents).sort(([, a], [, b]) => b.total - a.total);
  const most = Math.max(1, ...agents.map(([, { total }]) => total));
  const today = (/** @type {string} */ name) => {
    const count = todayBy.get(name) ?? 0;
    const filters = { ...NO_FILTERS, by: name, from: calendarDay(nowMs()) };
    return count === 0
      ? '0'
      : html`<a href=${page.linkTo({ view: 'browse', filters })} aria-label=${`${formatCount(count)} learnt today by ${name}`}>${formatCount(count)}</a>`;
  };
  return html`
    <section class="card" aria-labelledby="agents-heading">
      <div class="card-head">
        <h2 id="agents-heading">Agents</h2>
        <p class="card-note">as <bdi>${stats.agent_id}</bdi> sees them${inProject(page.state)}</p>
      </div>
      <table class="agent-table">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col" class="num">Today</th>
            ${COUNTS.map(({ label }) => html`<th scope="col" class="num">${label}</th>`)}
            <th scope="col">Last active</th>
          </tr>
        </thead>
        <tbody>
          ${(isWhole ? agents : agents.slice(0, SHOWN_AT_FIRST)).map(
            ([name, counts]) => html`
              <tr>
                <th scope="row">
                  <a class="name" dir="auto" title=${name} href=${page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by: name } })}>${name}</a>
                  ${bar(counts.total / most)}
                </th>
                <td class="num" data-label="Today">${today(name)}</td>
                ${COUNTS.map(({ label, key }) => html`<td class="num" data-label=${label}>${formatCount(counts[key])}</td>`)}
                <td class="last-active">${instant(counts.last_active_at)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${showMore({ count: agents.length, first: SHOWN_AT_FIRST, isWhole, onToggle, noun: ' agents' })}
    </section>
  `;
}
