/** Small charts as templates: stacked columns over time, and a histogram. Colours are classes `series-0` to `series-8` (chart.css). */

import { scaleOf } from './chart-scale.js';
import { formatCompact, formatCount } from './format.js';
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

/** @typedef {{ name: string, values: number[] }} Series */

/**
 * @typedef {object} ColumnChart
 * @property {string} label what it shows, for screen readers
 * @property {string[]} columns their names
 * @property {Series[]} series from the bottom
 * @property {number | null} cursor the column that is told about
 * @property {(column: number | null) => void} onCursor
 * @property {(column: number) => void} [onOpen]
 * @property {string} [unit] of a value
 * @property {string} [axisUnit] of the numbers beside the lines
 * @property {(value: number) => string} [format] a value as it is told, where it is no plain number
 * @property {Series} [marks] what is told beside the sum, as a line across each column
 */

/** What is told of the column under the cursor. @typedef {{ name: string, total: string, parts: { name: string, value: string }[], mark: string }} Told */

/** Columns side by side, each a stack of the series. The arrow keys move the cursor, Enter opens its column. @param {ColumnChart} chart */
export function stackedColumns(chart) {
  const { columns, series, axisUnit = '' } = chart;
  const totals = columns.map((_, place) => series.reduce((total, { values }) => total + (values[place] ?? 0), 0));
  const { top, middle } = scaleOf(totals);
  const told = toldOf(chart, totals);
  return html`
    <div class="chart">
      ${toldLine(told)}
      <div class="chart-scaled">
        <span class="chart-top num" aria-hidden="true">${plainNumber(top)}${axisUnit}</span>
        <span class="chart-middle num" aria-hidden="true">${middle === null ? '' : `${plainNumber(middle)}${axisUnit}`}</span>
        ${picture(chart, { top, middle, told })}
        <p class="chart-axis num" aria-hidden="true">
          <span>${columns[0]}</span><span>${columns[Math.floor(columns.length / 2)]}</span><span>${columns.at(-1)}</span>
        </p>
      </div>
      ${legend(series)}
    </div>
  `;
}

const plainNumber = (/** @type {number} */ value) => value.toLocaleString('en');

/** @param {ColumnChart} chart @param {number[]} totals by column @returns {Told | null} */
function toldOf({ columns, series, cursor, unit = '', format = plainNumber, marks }, totals) {
  if (cursor === null) return null;
  const valueHere = (/** @type {Series} */ { values }) => values[cursor] ?? 0;
  const parts = [...(marks ? [marks] : []), ...series].filter((one) => valueHere(one) > 0);
  return {
    name: columns[cursor] ?? '',
    total: `${format(totals[cursor] ?? 0)}${unit}`,
    parts: parts.map((one) => ({ name: one.name, value: format(valueHere(one)) })),
    mark: marks ? `, ${marks.name} ${format(valueHere(marks))}` : '',
  };
}

/** @param {Told | null} told */
const toldLine = (told) => html`
  <p class="chart-told num" role="status">
    ${
      told
        ? html`<strong>${told.name}</strong> ${told.total} ${told.parts.map(({ name, value }) => html`<span><bdi>${name}</bdi> ${value}</span>`)}`
        : html`<span class="muted">Point at a column, or move with the arrow keys.</span>`
    }
  </p>
`;

/** @param {ColumnChart} chart @param {{ top: number, middle: number | null, told: Told | null }} drawn the values at the lines */
function picture(chart, { top, middle, told }) {
  const { label, columns, series, cursor, onCursor, onOpen, marks } = chart;
  const count = columns.length;
  return html`
    <svg
      class="chart-columns" viewBox=${`0 0 ${count} ${HEIGHT}`} preserveAspectRatio="none"
      role="slider" tabindex="0" aria-label=${label} aria-valuemin="0" aria-valuemax=${count - 1}
      aria-valuenow=${cursor ?? count - 1}
      aria-valuetext=${told ? `${told.name}: ${told.total}${told.mark}` : label}
      @pointermove=${(/** @type {PointerEvent} */ event) => onCursor(columnAt(event, count))}
      @pointerleave=${() => onCursor(null)}
      @click=${(/** @type {MouseEvent} */ event) => onOpen?.(columnAt(event, count))}
      @keydown=${(/** @type {KeyboardEvent} */ event) => onKey(event, chart)}
    >
      <path class="chart-grid" d=${`M0 0.5h${count}${middle === null ? '' : `M0 50h${count}`}`} vector-effect="non-scaling-stroke"></path>
      ${cursor === null ? nothing : svg`<rect class="chart-cursor" x=${cursor} y="0" width="1" height=${HEIGHT}></rect>`}
      ${stacks(series, { count, top })}
      ${marks ? svg`<path class="chart-mark" d=${linesAt(marks.values, top)} vector-effect="non-scaling-stroke"></path>` : nothing}
    </svg>
  `;
}

/** The column under the pointer. @param {MouseEvent} event @param {number} count */
function columnAt(event, count) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  return within(Math.floor(((event.clientX - box.left) / box.width) * count), count);
}

/** @param {number} column @param {number} count */
const within = (column, count) => Math.min(count - 1, Math.max(0, column));

/** @param {KeyboardEvent} event @param {ColumnChart} chart */
function onKey(event, { columns, cursor, onCursor, onOpen }) {
  const at = cursor ?? columns.length - 1;
  /** @type {Record<string, number>} */
  const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 };
  const to = moves[event.key];
  if (event.key === 'Enter' && onOpen && cursor !== null) onOpen(cursor);
  else if (to !== undefined) onCursor(within(to, columns.length));
  else return;
  event.preventDefault();
}

/** A path for each series: its pieces stand on those of the series before. @param {Series[]} series @param {{ count: number, top: number }} drawn */
function stacks(series, { count, top }) {
  let drawnBelow = Array.from({ length: count }, () => 0);
  return series.map(({ values }, number) => {
    const below = drawnBelow;
    drawnBelow = drawnBelow.map((height, place) => height + (values[place] ?? 0));
    const pieces = values.map((value, place) => {
      if (value === 0) return '';
      const y = HEIGHT - (((below[place] ?? 0) + value) / top) * HEIGHT;
      return `M${place + 0.08} ${y}h0.84v${(value / top) * HEIGHT}h-0.84z`;
    });
    return svg`<path class=${`series-${number}`} d=${pieces.join('')}></path>`;
  });
}

/** @param {Series[]} series */
const legend = (series) => html`
  <ul class="chart-legend">
    ${repeat(
      series,
      ({ name }) => name,
      ({ name }, number) => html`<li><span class=${`swatch series-${number}`}></span><bdi>${name}</bdi></li>`,
    )}
  </ul>
`;

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
