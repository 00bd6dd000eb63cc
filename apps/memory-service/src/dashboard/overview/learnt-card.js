/** What was learnt today or in the last seven days, and from whom. */

import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { countOf, formatCount } from '../shared/format.js';
import { html, nothing } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';
import { countsOfLastDays } from './day-counts.js';
import { shortList } from './short-list.js';

/** Agents that are named beside how much each of them brought. */
const TEACHERS_SHOWN = 5;
export const WEEK_DAYS = 7;

/** The first instant of so many days, of which today is the last. @param {number} days */
export const firstDay = (days) => startOfDay(nowMs(), 1 - days);

/**
 * @param {{ today: import('../reading/api.js').Answer<'listMemories'>, week: import('../reading/api.js').Answer<'listMemories'> | null, latest: import('../reading/api.js').Answer<'listMemories'>, timeline: import('./day-counts.js').DayTimeline }} seen `week`: null where it was not asked for; `latest`: of all days
 * @param {import('../page.js').Page} page
 */
export function learntCard({ today, week, latest, timeline }, page) {
  // Until it is read, what is there stays.
  const isWeek = week !== null;
  const days = isWeek ? WEEK_DAYS : 1;
  const { memories, total } = isWeek ? week : today;
  const title = isWeek ? 'Learnt in 7 days' : 'Learnt today';
  const listOf = (/** @type {string} */ by) =>
    page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by, from: calendarDay(firstDay(days)) } });
  return shortList(
    {
      title,
      note: countOf(total, 'memory', 'memories'),
      choice: spanButtons(page),
      lead: teachers(countsOfLastDays(timeline, days), { listOf, title }),
      memories,
      // On a quiet day what was learnt before fills the card.
      before: latest.memories.slice(memories.length),
      empty: isWeek ? 'Nothing in the last 7 days.' : 'Nothing yet today.',
      more: listOf(''),
    },
    page,
  );
}

/** @param {import('../page.js').Page} page */
function spanButtons(page) {
  const choice = (
    /** @type {import('../state/view-state.js').ViewState['learnt']} */ learnt,
    /** @type {string} */ label,
  ) =>
    html`<button type="button" aria-pressed=${learnt === page.state.learnt} @click=${() => page.go({ learnt }, { isStep: false })}>${label}</button>`;
  return html`<div class="segmented" role="group" aria-label="Learnt since">${choice('', 'Today')}${choice('week', '7 days')}</div>`;
}

/** From whom, the most first. @param {Map<string, number>} counts @param {{ listOf: (agent: string) => string, title: string }} lists */
function teachers(counts, { listOf, title }) {
  const known = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  if (known.length === 0) return nothing;
  const left = known.length - TEACHERS_SHOWN;
  return html`
    <ul class="teachers" aria-label="From whom">
      ${known.slice(0, TEACHERS_SHOWN).map(([agent, count]) => html`<li><a class="name" dir="auto" href=${listOf(agent)} title=${agent} aria-label=${`${agent}: ${title}`}>${agent}</a><span class="num">${formatCount(count)}</span></li>`)}
      ${left > 0 ? html`<li>${countOf(left, 'other agent')}</li>` : nothing}
    </ul>
  `;
}
