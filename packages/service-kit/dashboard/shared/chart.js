/** Small charts as templates: stacked columns over time, and a histogram. Colours are classes `series-0` to `series-8` (chart.css). */

import { formatCompact, formatCount } from './format.js';
import { roundedUp } from './rounded-up.js';
import { html, nothing, repeat, svg } from './template.js';

const HEIGHT = 100;
/** Series with a colour of their own; what is beyond it is one series, "others". */
const MOST_SERIES = 8;

/**
 * The largest series by themselves, the rest as "others".
 * @param {{ name: string, values: number[] }[]} series
 */
export function fewSeries(series) {
  const sum = (/** @type {{ values: number[] }} */ { values }) => values.reduce((total, value) => total + value, 0);
  const sorted = [...series].sort((a, b) => sum(b) - sum(a));
  const rest = sorted.slice(MOST_SERIES);
  if (rest.length === 0) return sorted;
  const others = rest[0]?.values.map((_, place) => rest.reduce((total, one) => total + (one.values[place] ?? 0), 0));
  return [...sorted.slice(0, MOST_SERIES), { name: 'others', values: others ?? [] }];
}

/**
 * Columns side by side, each a stack of the series. The arrow keys move the cursor, Enter opens its column.
 * @param {object} chart
 * @param {string} chart.label what it shows, for screen readers
 * @param {string[]} chart.columns their names
 * @param {{ name: string, values: number[] }[]} chart.series from the bottom
 * @param {number | null} chart.cursor the column that is told about
 * @param {(column: number | null) => void} chart.onCursor
 * @param {(column: number) => void} [chart.onOpen]
 * @param {string} [chart.unit] of a value
 * @param {string} [chart.axisUnit] of the numbers beside the lines
 * @param {(value: number) => string} [chart.format] a value as it is told, where it is no plain number
 * @param {{ name: string, values: number[] }} [chart.marks] what is told beside the sum, as a line across each column
 */
export function stackedColumns({
  label,
  columns,
  series,
  cursor,
  onCursor,
  onOpen,
  unit = '',
  axisUnit = '',
  format = (value) => value.toLocaleString('en'),
  marks,
}) {
  const totals = columns.map((_, place) => series.reduce((total, { values }) => total + (values[place] ?? 0), 0));
  const top = roundedUp(Math.max(...totals, 0));
  const columnAt = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * columns.length);
    return Math.min(columns.length - 1, Math.max(0, place));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const at = cursor ?? columns.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 };
    const to = moves[event.key];
    if (event.key === 'Enter' && onOpen && cursor !== null) onOpen(cursor);
    else if (to !== undefined) onCursor(Math.min(columns.length - 1, Math.max(0, to)));
    else return;
    event.preventDefault();
  };
  let drawnBelow = columns.map(() => 0);
  const stacks = series.map(({ values }, number) => {
    const below = drawnBelow;
    drawnBelow = drawnBelow.map((height, place) => height + (values[place] ?? 0));
    const pieces = values.map((value, place) => {
      if (value === 0) return '';
      const y = HEIGHT - (((below[place] ?? 0) + value) / top) * HEIGHT;
      return `M${place + 0.08} ${y}h0.84v${(value / top) * HEIGHT}h-0.84z`;
    });
    return svg`<path class=${`series-${number}`} d=${pieces.join('')}></path>`;
  });
  const told = cursor === null ? null : { name: columns[cursor], total: totals[cursor] ?? 0 };
  const markText = marks ? `, ${marks.name} ${format(marks.values[cursor ?? 0] ?? 0)}` : '';
  return html`
    <div class="chart">
      <p class="chart-told num" role="status">
        ${
          told
            ? html`<strong>${told.name}</strong> ${format(told.total)}${unit}
              ${[...(marks ? [marks] : []), ...series]
                .filter(({ values }) => (values[cursor ?? 0] ?? 0) > 0)
                .map(({ name, values }) => html`<span>${name} ${format(values[cursor ?? 0] ?? 0)}</span>`)}`
            : html`<span class="muted">Point at a column, or move with the arrow keys.</span>`
        }
      </p>
      <div class="chart-scaled">
        <span class="chart-top num" aria-hidden="true">${top.toLocaleString('en')}${axisUnit}</span>
        <span class="chart-middle num" aria-hidden="true">${(top / 2).toLocaleString('en')}${axisUnit}</span>
        <svg
          class="chart-columns" viewBox=${`0 0 ${columns.length} ${HEIGHT}`} preserveAspectRatio="none"
          role="slider" tabindex="0" aria-label=${label} aria-valuemin="0" aria-valuemax=${columns.length - 1}
          aria-valuenow=${cursor ?? columns.length - 1}
          aria-valuetext=${told ? `${told.name}: ${format(told.total)}${unit}${markText}` : label}
          @pointermove=${(/** @type {PointerEvent} */ event) => onCursor(columnAt(event))}
          @pointerleave=${() => onCursor(null)}
          @click=${(/** @type {MouseEvent} */ event) => onOpen?.(columnAt(event))}
          @keydown=${onKey}
        >
          <path class="chart-grid" d=${`M0 0.5h${columns.length}M0 50h${columns.length}`} vector-effect="non-scaling-stroke"></path>
          ${cursor === null ? nothing : svg`<rect class="chart-cursor" x=${cursor} y="0" width="1" height=${HEIGHT}></rect>`}
          ${stacks}
          ${marks ? svg`<path class="chart-mark" d=${linesAt(marks.values, top)} vector-effect="non-scaling-stroke"></path>` : nothing}
        </svg>
        <p class="chart-axis num" aria-hidden="true">
          <span>${columns[0]}</span><span>${columns[Math.floor(columns.length / 2)]}</span><span>${columns.at(-1)}</span>
        </p>
      </div>
      <ul class="chart-legend">
        ${repeat(
          series,
          ({ name }) => name,
          ({ name }, number) => html`<li><span class=${`swatch series-${number}`}></span>${name}</li>`,
        )}
      </ul>
    </div>
  `;
}

/** A line across each column that has a value. @param {number[]} values @param {number} top */
const linesAt = (values, top) =>
  values
    .map((value, place) => (value === 0 ? '' : `M${place + 0.08} ${HEIGHT - (value / top) * HEIGHT}h0.84`))
    .join('');

/**
 * Shares of a whole in steps, as columns with their numbers.
 * @param {object} chart
 * @param {string} chart.label
 * @param {{ name: string, value: number, className?: string }[]} chart.steps
 */
export function histogram({ label, steps }) {
  const most = Math.max(1, ...steps.map(({ value }) => value));
  return html`
    <ol class="histogram" aria-label=${label}>
      ${steps.map(
        ({ name, value, className = '' }) => html`
          <li title=${`${name}: ${formatCount(value)}`}>
            <span class="num histogram-value">${formatCompact(value)}</span>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <rect class=${`histogram-bar ${className}`} x="0.5" width="9" y=${100 - (value / most) * 100} height=${(value / most) * 100}></rect>
            </svg>
            <span class="num histogram-name">${name}</span>
          </li>`,
      )}
    </ol>
  `;
}
