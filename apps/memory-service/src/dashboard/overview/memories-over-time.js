/** How much was said on each day, by agent or by kind. */

import { formatDay } from '../pieces/texts.js';
import { alternative } from '../shared/alternative.js';
import { calendarDay } from '../shared/calendar-day.js';
import { fewSeries, stackedColumns } from '../shared/chart.js';
import { countOf } from '../shared/format.js';
import { html } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';

/**
 * @param {object} picture
 * @param {any} picture.timeline with a span for each day
 * @param {import('../page.js').Page} picture.page
 * @param {'agent' | 'kind'} picture.by
 * @param {number | null} picture.cursor
 * @param {(by: 'agent' | 'kind') => void} picture.onBy
 * @param {(column: number | null) => void} picture.onCursor
 */
export function memoriesOverTime({ timeline, page, by, cursor, onBy, onCursor }) {
  const days = daysOf(timeline);
  const series = fewSeries(summed(timeline.lanes, by === 'agent' ? 'agent_id' : 'kind', days.length));
  const choices = /** @type {const} */ ([
    ['agent', 'Agent'],
    ['kind', 'Kind'],
  ]);
  const columns = days.map(formatDay);
  return html`
    <section class="card" aria-labelledby="over-time-heading">
      <div class="card-head">
        <h2 id="over-time-heading">Memories over time</h2>
        <p class="card-note num">${countOf(timeline.total, 'memory', 'memories')} in ${countOf(days.length, 'day')}</p>
        <div class="segmented" role="group" aria-label="Colours by">
          ${choices.map(
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

/** The middle of each span, which is in its day whatever the clock change. @param {any} timeline */
function daysOf({ since, until, lanes }) {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const count = lanes[0]?.counts.length ?? Math.round((to - from) / 86_400_000);
  return Array.from({ length: count }, (_, place) => from + ((to - from) * (place + 0.5)) / count);
}

/** @param {any[]} lanes @param {'agent_id' | 'kind'} field @param {number} length */
function summed(lanes, field, length) {
  /** @type {Map<string, number[]>} */
  const values = new Map();
  for (const lane of lanes) {
    const sum = values.get(lane[field]) ?? new Array(length).fill(0);
    values.set(
      lane[field],
      sum.map((/** @type {number} */ one, /** @type {number} */ place) => one + lane.counts[place]),
    );
  }
  return [...values].map(([name, counts]) => ({ name, values: counts }));
}
