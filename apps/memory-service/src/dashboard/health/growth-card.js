/** How the store has grown, by kind. */

import { formatDay } from '../pieces/texts.js';
import { alternative } from '../shared/alternative.js';
import { stackedColumns } from '../shared/chart.js';
import { html } from '../shared/template.js';
import { endsOf, sumsOf } from './growth.js';

/** Columns of the chart. */
export const SPANS = 60;

/**
 * @param {import('./growth.js').Timeline} timeline in so many spans
 * @param {{ cursor: number | null, onCursor: (column: number | null) => void }} pointer
 */
export function growthCard(timeline, { cursor, onCursor }) {
  const columns = endsOf(timeline, SPANS).map(formatDay);
  const series = ['episodic', 'semantic'].map((name) => ({ name, values: sumsOf(timeline, name, SPANS) }));
  return html`
    <section class="card" aria-label="Growth">
      <div class="card-head"><h2>Growth</h2><p class="card-note">by when it was said; what is gone is left out</p></div>
      ${stackedColumns({ label: 'Memories so far', columns, series, cursor, onCursor })}
      ${alternative({
        summary: 'As a table',
        caption: 'Memories so far',
        columns: ['Until', ...series.map(({ name }) => name)],
        rows: () => columns.map((name, place) => [name, ...series.map(({ values }) => values[place] ?? 0)]).reverse(),
      })}
    </section>
  `;
}
