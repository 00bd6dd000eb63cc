/** Whether a type has become faster or slower: a small line, a mark and a word. */

import { html, nothing } from '../shared/template.js';

const TREND_TEXT = {
  faster: { mark: '↘', word: 'faster' },
  slower: { mark: '↗', word: 'slower' },
  steady: { mark: '→', word: 'steady' },
  unknown: { mark: '·', word: 'unknown' },
};
const SPARK_WIDTH = 56;
const SPARK_HEIGHT = 16;
const SPARK_POINTS = 60;
/** A logarithm wants durations above 0; the service shows none between 0 and this. */
const SMALLEST_SECONDS = 0.001;

/** @param {any} trend */
export function trendCell(trend) {
  if (!trend) return html`<span class="muted" title="Select the type to see its trend">–</span>`;
  const { mark, word } = TREND_TEXT[/** @type {keyof typeof TREND_TEXT} */ (trend.direction)] ?? TREND_TEXT.unknown;
  const change = trend.ratio === null ? '' : ` (× ${trend.ratio.toFixed(2)})`;
  return html`${sparkline(trend)}<span class="trend" data-direction=${trend.direction} title=${`${word}${change}`}>${mark} ${word}</span>`;
}

/** @param {any} trend */
function sparkline(trend) {
  const points = trend.points.slice(-SPARK_POINTS);
  const values = points.map((/** @type {any} */ point) =>
    Math.log(Math.max(SMALLEST_SECONDS, point.running_median_seconds)),
  );
  if (values.length < 2) return nothing;
  return html`
    <svg class="spark" aria-hidden="true" width=${SPARK_WIDTH} height=${SPARK_HEIGHT} viewBox=${`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}>
      <polyline points=${pointsOf(values)}></polyline>
    </svg>
  `;
}

/** @param {readonly number[]} values two or more */
function pointsOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (/** @type {number} */ value) =>
    high - low < 1e-9 ? SPARK_HEIGHT / 2 : 1 + (1 - (value - low) / (high - low)) * (SPARK_HEIGHT - 2);
  return values
    .map((value, at) => `${((at / (values.length - 1)) * SPARK_WIDTH).toFixed(1)},${y(value).toFixed(1)}`)
    .join(' ');
}
