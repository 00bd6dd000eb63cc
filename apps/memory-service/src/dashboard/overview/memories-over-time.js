/** How much was said on each day, by agent or by kind. */

import { formatDay } from '../pieces/texts.js';
import { alternative } from '../shared/alternative.js';
import { calendarDay } from '../shared/calendar-day.js';
import { fewSeries, stackedColumns } from '../shared/chart.js';
import { countOf } from '../shared/format.js';
import { html } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';
import { daysOf, seriesOf } from './day-counts.js';

const CHOICES = /** @type {const} */ ([
  ['agent', 'Agent'],
  ['kind', 'Kind'],
]);

/**
 * @param {object} picture
 * @param {import('./day-counts.js').DayTimeline} picture.timeline
 * @param {import('../page.js').Page} picture.page
 * @param {'agent' | 'kind'} picture.by
 * @param {number | null} picture.cursor
 * @param {(by: 'agent' | 'kind') => void} picture.onBy
 * @param {(column: number | null) => void} picture.onCursor
 */
export function memoriesOverTime({ timeline, page, by, cursor, onBy, onCursor }) {
  const days = daysOf(timeline);
  const series = fewSeries(seriesOf(timeline.lanes, by === 'agent' ? 'agent_id' : 'kind'));
  const columns = days.map(formatDay);
  return html`
    <section class="card" aria-labelledby="over-time-heading">
      <div class="card-head">
        <h2 id="over-time-heading">Memories over time</h2>
        <p class="card-note num">${countOf(timeline.total, 'memory', 'memories')} in ${countOf(days.length, 'day')}</p>
        <div class="segmented" role="group" aria-label="Colours by">
          ${CHOICES.map(
            ([value, label]) =>
              html`<button type="button" aria-pressed=${by === value} @click=${() => onBy(value)}>${label}</button>`,
          )}
        </div>
      </div>
      ${stackedColumns({
        label: `Memories by day and ${by}`,
        columns,
        series,
        cursor,
        onCursor,
        onOpen: (column) => {
          const day = calendarDay(days[column] ?? 0);
          page.go({ view: 'browse', filters: { ...NO_FILTERS, from: day, to: day } });
        },
      })}
      ${alternative({
        summary: 'As a table',
        caption: `Memories by day and ${by}`,
        columns: ['Day', ...series.map(({ name }) => name)],
        rows: () => columns.map((name, place) => [name, ...series.map(({ values }) => values[place] ?? 0)]).reverse(),
      })}
    </section>
  `;
}
