/** The charts of one task type, drawn by uPlot. */

import uPlot from 'uplot';
import { formatCount, formatDuration, formatShare } from '../shared/format.js';
import { axis, color, drawChart, durationAxis, log, TIME_LABELS, verticalLines } from './chart-frame.js';

/** Shown before and after a run that is the only one. */
const ALONE_SECONDS = 1_800;

/** @param {any} distribution @param {number} highestSeconds */
function durationScale(distribution, highestSeconds) {
  const low = log(distribution.histogram[0].from_seconds);
  const high = Math.max(log(highestSeconds), log(distribution.histogram.at(-1).to_seconds), low + 0.1);
  const margin = (high - low) * 0.03;
  return { time: false, range: () => [low - margin, high + margin] };
}

/** @param {HTMLElement} host @param {any} distribution @param {number} highestSeconds @param {() => Record<string, number> | null} lineSeconds */
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
        paths: uPlot.paths.bars?.({ size: [0.94, 100], radius: 0.12 }),
        fill: () => color('--bar'),
        stroke: () => color('--bar'),
        width: 0,
        points: { show: false },
      },
    ],
    hooks: { draw: [verticalLines(lineSeconds)] },
  };
  const counts = bins.map((/** @type {any} */ bin) => bin.count);
  return drawChart(
    host,
    options,
    [middles, counts],
    (i) =>
      `${formatDuration(bins[i].from_seconds)} – ${formatDuration(bins[i].to_seconds)}: ${formatCount(bins[i].count)} runs`,
  );
}

/** @param {HTMLElement} host @param {any} distribution @param {number} highestSeconds @param {() => Record<string, number> | null} lineSeconds */
export function drawSurvival(host, distribution, highestSeconds, lineSeconds) {
  const scale = durationScale(distribution, highestSeconds);
  const [left, right] = scale.range().map((end) => 10 ** end);
  const start = { seconds: left, survival: 1, low: 1, high: 1 };
  const last = distribution.survival.at(-1);
  // Behind the longest run none is left; where one was cut off, nobody knows.
  const end = last.survival === 0 ? [{ ...last, seconds: right }] : [];
  const steps = [start, ...distribution.survival, ...end];
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const bound = { paths: stepped, stroke: () => color('--band-edge'), width: 1, points: { show: false } };
  const options = {
    scales: { x: scale, y: { range: () => [0, 1.02] } },
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
  return drawChart(
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
  // Behind a single run the library would show years.
  const span = (/** @type {any} */ _p, /** @type {number} */ first, /** @type {number} */ last) =>
    points.length === 1 ? [first - ALONE_SECONDS, first + ALONE_SECONDS] : [first, last];
  const options = {
    scales: { x: { range: span }, y: { range } },
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
  return drawChart(
    host,
    options,
    [times, column('duration_seconds'), column('running_median_seconds')],
    (i) =>
      `${formatInstant(times[i] * 1000)}: ${formatDuration(points[i].duration_seconds)}, running median ${formatDuration(points[i].running_median_seconds)}`,
  );
}
