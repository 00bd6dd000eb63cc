/** What is on in the next days, as memories name them. */

import { formatDay } from '../pieces/texts.js';
import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { formatCount } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing } from '../shared/template.js';
import { comingDays, noonOf } from './coming-days.js';

export const DAYS_AHEAD = 7;
const MOST_OF_A_DAY = 3;
/** Of any year: a lease that ends tomorrow may have been told years ago. */
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/**
 * Nothing where nothing is on.
 * @param {{ agenda: import('./coming-days.js').Agenda, page: import('../page.js').Page, wholeDays: ReadonlySet<string>, onToggle: (day: string) => void }} what `wholeDays`: those shown with all that is on
 */
export function comingUpCard({ agenda, page, wholeDays, onToggle }) {
  const days = comingDays(agenda, (day) => (wholeDays.has(day) ? Number.POSITIVE_INFINITY : MOST_OF_A_DAY));
  if (days.length === 0) return nothing;
  return html`
    <section class="card coming-up" aria-labelledby="coming-up-heading">
      <div class="card-head"><h2 id="coming-up-heading">Coming up</h2><p class="card-note">the next ${DAYS_AHEAD} days</p></div>
      <div class="coming-days">${days.map((day) => comingDay(day, { page, isWhole: wholeDays.has(day.day), onToggle: () => onToggle(day.day) }))}</div>
    </section>
  `;
}

/** @param {import('./coming-days.js').ComingDay} day @param {{ page: import('../page.js').Page, isWhole: boolean, onToggle: () => void }} how */
function comingDay({ day, entries, left }, { page, isWhole, onToggle }) {
  const [name, date] = namesOf(day);
  const count = entries.length + left;
  // More than the service lists of one day.
  const unlisted = isWhole && left > 0 ? html`<p class="card-foot">and ${formatCount(left)} more</p>` : nothing;
  return html`
    <div>
      <h3>${name}${date === '' ? nothing : html` <span class="muted">${date}</span>`}</h3>
      <ol class="short-list">${entries.map((entry) => comingItem(entry, page))}</ol>
      ${unlisted} ${showMore({ count, first: MOST_OF_A_DAY, isWhole, onToggle, about: `: ${name}` })}
    </div>
  `;
}

/** @param {import('./coming-days.js').Entry} entry @param {import('../page.js').Page} page */
function comingItem(
  { id, text, first_day: first, last_day: last, recurring, called_off: isOff, agent_id: agent, created_at: saidAt },
  page,
) {
  const until = first < last ? html`<span>until ${formatDay(noonOf(last))}</span>` : nothing;
  return html`<li>
    <a href=${page.linkTo({ memory: id })}>${text}</a>
    <p class="origin"><span class="origin-agent"><bdi>${agent}</bdi></span>${isOff ? html`<span>called off</span>` : nothing}${until}${recurring ? html`<span>repeats</span>` : nothing}<span>told <time datetime=${saidAt} title=${saidAt}>${dayOfYear.format(Date.parse(saidAt))}</time></span></p>
  </li>`;
}

/** What a day is called, and its date where that is something else. @param {string} day */
function namesOf(day) {
  const date = formatDay(noonOf(day));
  const today = nowMs();
  if (day === calendarDay(today)) return ['Today', date];
  return day === calendarDay(startOfDay(today, 1)) ? ['Tomorrow', date] : [date, ''];
}
