/** The charts of one task type, drawn by uPlot. Durations are plotted as log10(seconds), so that bins keep their width. */

import { formatCount, formatDuration, formatShare, formatTick } from './format.js';
import { durationTicks } from './ticks.js';
import uPlot from './vendor/uPlot.esm.js';

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
const TIME_LABELS = [
  [86_400, '{D} {MMM}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
];

/** @param {number} seconds */
const log = (seconds) => Math.log10(Math.max(SMALLEST_SECONDS, seconds));
/** @param {string} name */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = () => `11px ${getComputedStyle(document.body).fontFamily}`;

/** @param {Partial<Record<string, any>>} more */
function axis(more) {
  return {
    stroke: () => color('--text-muted'),
    grid: { stroke: () => color('--grid'), width: 1 },
    ticks: { show: false },
    font: font(),
    ...more,
  };
}

/** @param {'x' | 'y'} side */
function durationAxis(side) {
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

/** @param {() => Record<string, number>} lineSeconds */
const verticalLines = (lineSeconds) => (/** @type {any} */ plot) => {
  const { ctx, bbox } = plot;
  const seconds = lineSeconds();
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
function draw(host, options, data, describe) {
  const readout = host.nextElementSibling;
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

/** @param {any} distribution @param {number} highestSeconds */
function durationScale(distribution, highestSeconds) {
  const low = log(distribution.histogram[0].from_seconds);
  const high = Math.max(log(highestSeconds), log(distribution.histogram.at(-1).to_seconds), low + 0.1);
  const margin = (high - low) * 0.03;
  return { time: false, range: () => [low - margin, high + margin] };
}

/** @param {HTMLElement} host @param {any} distribution @param {number} highestSeconds @param {() => Record<string, number>} lineSeconds */
export function drawHistogram(host, distribution, highestSeconds, lineSeconds) {
  const bins = distribution.histogram;
  const middles = bins.map((/** @type {any} */ bin) => (log(bin.from_seconds) + log(bin.to_seconds)) / 2);
  const options = {
    scales: {
      x: durationScale(distribution, highestSeconds),
      y: {
        range: (/** @type {any} */ _p, /** @type {number} */ _l, /** @type {number} */ high) => [
          0,
          Math.max(1, high * 1.08),
        ],
      },
    },
    axes: [
      durationAxis('x'),
      axis({ size: 36, space: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000] }),
    ],
    series: [
      {},
      {
        paths: uPlot.paths.bars({ size: [0.94, 100], radius: 0.12 }),
        fill: () => color('--bar'),
        stroke: () => color('--bar'),
        width: 0,
        points: { show: false },
      },
    ],
    hooks: { draw: [verticalLines(lineSeconds)] },
  };
  const counts = bins.map((/** @type {any} */ bin) => bin.count);
  return draw(
    host,
    options,
    [middles, counts],
    (i) =>
      `${formatDuration(bins[i].from_seconds)} – ${formatDuration(bins[i].to_seconds)}: ${formatCount(bins[i].count)} runs`,
  );
}

/** @param {HTMLElement} host @param {any} distribution @param {number} highestSeconds @param {() => Record<string, number>} lineSeconds */
export function drawSurvival(host, distribution, highestSeconds, lineSeconds) {
  const start = { seconds: distribution.histogram[0].from_seconds * 0.999, survival: 1, low: 1, high: 1 };
  const steps = [start, ...distribution.survival];
  const stepped = uPlot.paths.stepped({ align: 1 });
  const bound = { paths: stepped, stroke: () => color('--band-edge'), width: 1, points: { show: false } };
  const options = {
    scales: { x: durationScale(distribution, highestSeconds), y: { range: () => [0, 1.02] } },
    axes: [
      durationAxis('x'),
      axis({
        size: 44,
        space: 30,
        values: (/** @type {any} */ _p, /** @type {number[]} */ splits) =>
          splits.map((split) => `${Math.round(split * 100)} %`),
      }),
    ],
    series: [{}, bound, bound, { paths: stepped, stroke: () => color('--accent'), width: 2, points: { show: false } }],
    bands: [{ series: [2, 1], fill: () => color('--band') }],
    hooks: { draw: [verticalLines(lineSeconds)] },
  };
  const data = [
    steps.map((step) => log(step.seconds)),
    ...['low', 'high', 'survival'].map((key) => steps.map((step) => step[key])),
  ];
  return draw(
    host,
    options,
    data,
    (i) => `After ${formatDuration(steps[i].seconds)}: ${formatShare(steps[i].survival)} still running`,
  );
}

/** @param {HTMLElement} host @param {any} trend @param {(epochMs: number) => string} formatInstant */
export function drawTrend(host, trend, formatInstant) {
  const { points } = trend;
  const times = points.map((/** @type {any} */ point) => Date.parse(point.started_at) / 1000);
  const column = (/** @type {string} */ key) => points.map((/** @type {any} */ point) => log(point[key]));
  const range = (/** @type {any} */ _p, /** @type {number} */ low, /** @type {number} */ high) => [
    low - 0.1,
    high + 0.1,
  ];
  const options = {
    scales: { y: { range } },
    axes: [axis({ size: 40, space: 70, values: TIME_LABELS }), durationAxis('y')],
    series: [
      {},
      {
        paths: () => null,
        stroke: () => color('--bar'),
        points: { show: true, size: 5, width: 1, fill: () => color('--bar-soft'), stroke: () => color('--bar') },
      },
      { stroke: () => color('--line-p95'), width: 2, points: { show: false } },
    ],
  };
  return draw(
    host,
    options,
    [times, column('duration_seconds'), column('running_median_seconds')],
    (i) =>
      `${formatInstant(times[i] * 1000)}: ${formatDuration(points[i].duration_seconds)}, running median ${formatDuration(points[i].running_median_seconds)}`,
  );
}
