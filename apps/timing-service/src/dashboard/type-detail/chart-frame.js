/** What the charts share: axes, lines, colours of the scheme, size. Durations are plotted as log10(seconds). */

import uPlot from 'uplot';
import { durationTicks } from '../pieces/ticks.js';
import { formatTick } from '../shared/format.js';

const CHART_HEIGHT = 170;
const SMALLEST_SECONDS = 0.001;
const PIXELS_A_TICK = 62;
/** Dashes tell the lines apart where colours cannot; the legend in the page shows the same. */
export const LINES = [
  { id: 'p50', label: 'p50', color: '--line-p50', dash: [2, 3] },
  { id: 'p95', label: 'p95', color: '--line-p95', dash: [7, 4] },
  { id: 'recommended', label: 'recommended', color: '--line-recommended', dash: [] },
  { id: 'whatif', label: 'your timeout', color: '--line-whatif', dash: [10, 3, 2, 3] },
];

/** uPlot's form for 24-hour labels: [increment, label, then what to add where a new day begins]. */
export const TIME_LABELS = [
  [86_400, '{D} {MMM}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
];

/** @param {number} seconds */
export const log = (seconds) => Math.log10(Math.max(SMALLEST_SECONDS, seconds));
/** @param {string} name */
export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = () => `11px ${getComputedStyle(document.body).fontFamily}`;

/** @param {Partial<Record<string, any>>} more */
export function axis(more) {
  return {
    stroke: () => color('--text-muted'),
    grid: { stroke: () => color('--grid'), width: 1 },
    ticks: { show: false },
    font: font(),
    ...more,
  };
}

/** @param {'x' | 'y'} side */
export function durationAxis(side) {
  return axis({
    size: side === 'x' ? 28 : 58,
    splits: (
      /** @type {any} */ plot,
      /** @type {number} */ _i,
      /** @type {number} */ min,
      /** @type {number} */ max,
    ) => {
      const room = side === 'x' ? plot.width / PIXELS_A_TICK : CHART_HEIGHT / 34;
      return durationTicks(10 ** min, 10 ** max, Math.max(2, Math.floor(room))).map(Math.log10);
    },
    values: (/** @type {any} */ _plot, /** @type {number[]} */ splits) =>
      splits.map((split) => formatTick(10 ** split)),
  });
}

/** @param {() => Record<string, number> | null} lineSeconds null while another type is read */
export const verticalLines = (lineSeconds) => (/** @type {any} */ plot) => {
  const { ctx, bbox } = plot;
  const seconds = lineSeconds();
  if (seconds === null) return;
  ctx.save();
  ctx.lineWidth = 1.75 * devicePixelRatio;
  for (const line of LINES) {
    const value = seconds[line.id];
    if (value === undefined) continue;
    const x = plot.valToPos(log(value), 'x', true);
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
    ctx.strokeStyle = color(line.color);
    ctx.setLineDash(line.dash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
};

/**
 * @param {HTMLElement} host @param {any} options @param {any[]} data @param {(index: number) => string} describe
 */
export function drawChart(host, options, data, describe) {
  const readout = host.parentElement?.querySelector('.chart-readout');
  const plot = new uPlot(
    {
      width: Math.max(200, host.clientWidth),
      height: CHART_HEIGHT,
      legend: { show: false },
      padding: [8, 10, 0, 0],
      ...options,
      cursor: { y: false, drag: { x: false, y: false }, ...options.cursor },
      hooks: {
        ...options.hooks,
        setCursor: [
          (/** @type {any} */ self) => {
            const index = self.cursor.idx;
            if (readout) readout.textContent = index === null || index === undefined ? '' : describe(index);
          },
        ],
      },
    },
    data,
    host,
  );
  const observer = new ResizeObserver(() => {
    const width = Math.max(200, host.clientWidth);
    if (width !== plot.width) plot.setSize({ width, height: CHART_HEIGHT });
  });
  observer.observe(host);
  return {
    redraw: () => plot.redraw(),
    destroy() {
      observer.disconnect();
      plot.destroy();
    },
  };
}
