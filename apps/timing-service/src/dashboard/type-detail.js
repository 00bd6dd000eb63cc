/** Everything about one task type: charts, key figures, the what-if slider, and the same in tables. */

import { LINES } from './chart-frame.js';
import { drawHistogram, drawSurvival, drawTrend } from './charts.js';
import { browserNowMs } from './clock.js';
import { el, setText, svg } from './shared/dom.js';
import { countOf, formatCount, formatDuration, formatShare, formatShortInterval, formatTime } from './shared/format.js';
import { savePicture } from './shared/save-picture.js';
import { failureShare } from './type-columns.js';
import { showTables } from './type-tables.js';
import { createWhatIf } from './what-if.js';

/** While tasks of the shown type keep ending, its charts are drawn anew at most this often. */
const DETAIL_INTERVAL_MS = 3000;

/** @param {typeof LINES[number]} line */
const lineKey = ({ id, dash }) =>
  svg(
    'svg',
    { class: `line-key line-key-${id}`, width: 26, height: 8, 'aria-hidden': 'true' },
    svg('path', { d: 'M0,4 H26', 'stroke-dasharray': dash.join(' ') }),
  );

/** @param {string} title @param {string} note */
function chartBox(title, note) {
  const host = el('div', {
    class: 'chart',
    role: 'img',
    'aria-label': `${title}. The table below has the same numbers.`,
  });
  const readout = el('p', { class: 'chart-readout num', 'aria-hidden': 'true' });
  const data = el('div');
  const save = () => {
    const canvas = host.querySelector('canvas');
    if (canvas) void savePicture(canvas, title.toLowerCase().replace(/[^a-z]+/g, '-'));
  };
  const element = el(
    'div',
    { class: 'chart-box' },
    el('h3', {}, title),
    el('p', { class: 'chart-note' }, note),
    host,
    readout,
    el(
      'button',
      { type: 'button', class: 'link-button save-picture', 'aria-label': `Save picture: ${title}`, onclick: save },
      'Save picture',
    ),
    data,
  );
  return { element, host, data };
}

/** @param {HTMLElement} section @param {import('./controller.js').Controller} controller */
export function createTypeDetail(section, controller) {
  /** @type {string | null} */ let type = null;
  /** @type {any} */ let distribution = null;
  /** @type {{ redraw: () => void, destroy: () => void }[]} */ let charts = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const heading = el('h2', { id: 'detail-heading', tabindex: '-1', class: 'name' }, 'Task type');
  const message = el('p', { class: 'empty' }, 'Choose a task type to see how long it takes.');
  const figures = el('dl', { class: 'figures' });
  const whatIf = createWhatIf({
    onChange: () => {
      for (const chart of charts) chart.redraw();
    },
  });
  const legend = el('ul', { class: 'line-legend', 'aria-label': 'Lines in the charts' });
  const histogram = chartBox('Durations', 'How many runs took how long; logarithmic axis');
  const survival = chartBox('Still running after …', 'Share of runs, with its 95 % band');
  const trend = chartBox('Over time', 'Each run that ended ok, and the running median');
  const content = el(
    'div',
    { class: 'detail-content', hidden: true },
    figures,
    legend,
    el('div', { class: 'charts' }, histogram.element, survival.element),
    whatIf.element,
    trend.element,
  );
  section.append(
    el('div', { class: 'card-head' }, heading, el('p', { class: 'card-note' }, 'Details')),
    message,
    content,
  );

  const lineSeconds = () =>
    distribution && {
      p50: distribution.p50_seconds,
      p95: distribution.p95_seconds,
      recommended: distribution.recommended_seconds,
      whatif: whatIf.seconds(),
    };

  /** @param {any} summary */
  function showFigures(summary) {
    const entries = [
      ['Runs', formatCount(distribution.count)],
      ['Median', formatDuration(summary?.median_seconds ?? distribution.p50_seconds)],
      ['p95', formatDuration(distribution.p95_seconds)],
      ['p95 interval', formatShortInterval(summary?.p95_interval) || '–'],
      ['Longest', formatDuration(summary?.max_seconds)],
      ['Failures', formatShare(failureShare(summary))],
    ];
    figures.replaceChildren(
      ...entries.map(([term, text]) => el('div', {}, el('dt', {}, term ?? ''), el('dd', { class: 'num' }, text ?? ''))),
    );
    legend.replaceChildren(...LINES.map((line) => el('li', {}, lineKey(line), ` ${line.label}`)));
  }

  /** @param {boolean} isOtherType */
  async function load(isOtherType) {
    const wanted = type;
    const api = controller.api();
    if (wanted === null || !controller.store.loaded) return;
    if (!controller.store.summaries.some((summary) => summary.task_type === wanted)) {
      say('No run of this type has ended ok yet; its statistics begin with the first one.');
      return;
    }
    try {
      const [nextDistribution, nextTrend] = await Promise.all([api.distribution(wanted), api.trend(wanted)]);
      if (wanted !== type || api !== controller.api()) return;
      distribution = nextDistribution;
      controller.store.trends.set(wanted, nextTrend);
      show(nextTrend, isOtherType);
    } catch (error) {
      if (wanted !== type || api !== controller.api()) return;
      if (!distribution) say(`Could not be read: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} text */
  function say(text) {
    content.hidden = true;
    message.hidden = false;
    setText(message, text);
  }

  /** @param {any} trendData @param {boolean} isOtherType */
  function show(trendData, isOtherType) {
    const summary = controller.store.summaries.find((candidate) => candidate.task_type === type);
    const highest = 2 * (summary?.p99_seconds ?? distribution.p95_seconds);
    content.hidden = false;
    message.hidden = true;
    showFigures(summary);
    whatIf.update(distribution, highest, isOtherType);
    for (const chart of charts) chart.destroy();
    charts = [
      drawHistogram(histogram.host, distribution, highest, lineSeconds),
      drawSurvival(survival.host, distribution, highest, lineSeconds),
      drawTrend(trend.host, trendData, (epochMs) => formatTime(epochMs, browserNowMs())),
    ];
    showTables(type ?? '', distribution, trendData, [histogram.data, survival.data, trend.data]);
    setText(trend.element.querySelector('.chart-note') ?? trend.element, trendText(trendData));
  }

  /** @param {any} data */
  function trendText(data) {
    const runs = `${countOf(data.points.length, 'run')} and the running median`;
    if (data.ratio === null) return runs;
    return `${runs}: ${data.direction}, newer half × ${data.ratio.toFixed(2)} of the older (${formatDuration(data.previous_median_seconds)} → ${formatDuration(data.recent_median_seconds)})`;
  }

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const chart of charts) chart.redraw();
  });

  return {
    heading,
    /** @param {string | null} nextType */
    select(nextType) {
      if (nextType === type) return;
      type = nextType;
      distribution = null;
      for (const chart of charts.splice(0)) chart.destroy();
      setText(heading, type ?? 'Task type');
      heading.title = type ?? '';
      say(type === null ? 'Choose a task type to see how long it takes.' : 'Loading …');
      void load(true);
    },
    /** @param {Set<string>} types those whose statistics have changed */
    refresh(types) {
      const wasEmpty = distribution === null;
      if (type === null || timer !== undefined || !(wasEmpty || types.has(type))) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          void load(wasEmpty);
        },
        wasEmpty ? 0 : DETAIL_INTERVAL_MS,
      );
    },
  };
}
