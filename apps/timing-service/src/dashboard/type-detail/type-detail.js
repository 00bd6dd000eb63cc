/** Everything about one task type: charts, key figures, the what-if slider, and the same in tables. */

import { failureShare } from '../pieces/failure-share.js';
import { factList } from '../shared/fact-list.js';
import {
  countOf,
  formatCount,
  formatDuration,
  formatShare,
  formatShortInterval,
  formatTime,
} from '../shared/format.js';
import { savePicture } from '../shared/save-picture.js';
import { html, render } from '../shared/template.js';
import { browserNowMs } from '../state/clock.js';
import { LINES } from './chart-frame.js';
import { drawHistogram, drawSurvival, drawTrend } from './charts.js';
import { durationTable, runTable, survivalTable } from './tables.js';
import { createWhatIf } from './what-if.js';

/** While tasks of the shown type keep ending, its charts are drawn anew at most this often. */
const DETAIL_INTERVAL_MS = 3000;
const CHOOSE = 'Choose a task type to see how long it takes.';

/** @param {Event} event */
function saveCanvas(event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget).closest('.chart-box');
  const canvas = box?.querySelector('canvas');
  const title = box?.querySelector('h3')?.textContent ?? 'chart';
  if (canvas) void savePicture(canvas, title.toLowerCase().replace(/[^a-z]+/g, '-'));
}

/** The chart library draws into `.chart` and tells in `.chart-readout`. @param {{ title: string, note: string, table: unknown }} box */
const chartBox = ({ title, note, table }) => html`
  <div class="chart-box">
    <h3>${title}</h3>
    <p class="chart-note">${note}</p>
    <div class="chart" role="img" aria-label=${`${title}. The table below has the same numbers.`}></div>
    <div class="chart-foot">
      <p class="chart-readout num" aria-hidden="true"></p>
      <button type="button" class="link-button save-picture" aria-label=${`Save picture: ${title}`} @click=${saveCanvas}>Save picture</button>
    </div>
    ${table}
  </div>
`;

const legend = () => html`
  <ul class="line-legend" aria-label="Lines in the charts">
    ${LINES.map(
      ({ id, label, dash }) => html`
        <li><svg class=${`line-key line-key-${id}`} width="26" height="8" aria-hidden="true"><path d="M0,4 H26" stroke-dasharray=${dash.join(' ')}></path></svg> ${label}</li>`,
    )}
  </ul>
`;

/** @param {any} trend */
function trendText({ points, ratio, direction, since, previous_median_seconds: before, recent_median_seconds: after }) {
  const runs = `${countOf(points.length, 'run')} and the running median`;
  if (ratio === null) return runs;
  const newer = since === undefined ? 'newer half' : `since ${formatTime(Date.parse(since), browserNowMs())}`;
  const older = since === undefined ? 'the older' : 'before';
  return `${runs}: ${direction}, ${newer} × ${ratio.toFixed(2)} of ${older} (${formatDuration(before)} → ${formatDuration(after)})`;
}

/** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller */
export function createTypeDetail(section, controller) {
  /** @type {string | null} */ let type = null;
  /** @type {{ distribution: any, trend: any } | null} */ let seen = null;
  let message = CHOOSE;
  /** @type {{ redraw: () => void, destroy: () => void }[]} */ let charts = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const whatIf = createWhatIf({
    onChange() {
      draw();
      redrawCharts();
    },
  });

  const summaryOf = () => controller.store.summaries.find((candidate) => candidate.task_type === type);

  function draw() {
    render(
      html`
        <div class="card-head"><h2 id="detail-heading" tabindex="-1" class="name" title=${type ?? ''}>${type ?? 'Task type'}</h2><p class="card-note">Details</p></div>
        ${seen === null ? html`<p class="empty">${message}</p>` : content(seen)}
      `,
      section,
    );
  }

  /** @param {{ distribution: any, trend: any }} known */
  function content({ distribution, trend }) {
    const summary = summaryOf();
    const figures = /** @type {const} */ ([
      ['Runs', formatCount(distribution.count)],
      ['Median', formatDuration(summary?.median_seconds ?? distribution.p50_seconds)],
      ['p95', formatDuration(distribution.p95_seconds)],
      ['p95 interval', formatShortInterval(summary?.p95_interval) || '–'],
      ['Longest', formatDuration(summary?.max_seconds)],
      ['Failures', formatShare(failureShare(summary?.outcomes))],
    ]);
    const name = type ?? '';
    return html`
      ${factList(figures, { className: 'figures' })}
      ${legend()}
      <div class="charts">
        ${chartBox({ title: 'Durations', note: 'How many runs took how long; logarithmic axis', table: durationTable(name, distribution) })}
        ${chartBox({ title: 'Still running after …', note: 'Share of runs, with its 95 % band', table: survivalTable(name, distribution) })}
      </div>
      ${whatIf.template()}
      ${chartBox({ title: 'Over time', note: trendText(trend), table: runTable(name, trend) })}
    `;
  }

  const lineSeconds = () =>
    seen && {
      p50: seen.distribution.p50_seconds,
      p95: seen.distribution.p95_seconds,
      recommended: seen.distribution.recommended_seconds,
      whatif: whatIf.seconds(),
    };

  function redrawCharts() {
    for (const chart of charts) chart.redraw();
  }

  function dropCharts() {
    for (const chart of charts.splice(0)) chart.destroy();
  }

  /** @param {boolean} isOtherType */
  async function load(isOtherType) {
    const wanted = type;
    const api = controller.api();
    if (wanted === null || !controller.store.loaded) return;
    if (summaryOf() === undefined) {
      say('No run of this type has ended ok yet; its statistics begin with the first one.');
      return;
    }
    try {
      const [distribution, trend] = await Promise.all([api.distribution(wanted), api.trend(wanted)]);
      if (wanted !== type || api !== controller.api()) return;
      controller.store.trends.set(wanted, trend);
      show({ distribution, trend }, isOtherType);
    } catch (error) {
      if (wanted !== type || api !== controller.api()) return;
      if (seen === null) say(`Could not be read: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} text */
  function say(text) {
    dropCharts();
    seen = null;
    message = text;
    draw();
  }

  /** @param {{ distribution: any, trend: any }} next @param {boolean} isOtherType */
  function show(next, isOtherType) {
    seen = next;
    const { distribution, trend } = next;
    const highest = 2 * (summaryOf()?.p99_seconds ?? distribution.p95_seconds);
    whatIf.update(distribution, highest, isOtherType);
    dropCharts();
    draw();
    const [durations, survival, runs] = /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll('.chart'));
    if (!durations || !survival || !runs) return;
    charts = [
      drawHistogram(durations, distribution, highest, lineSeconds),
      drawSurvival(survival, distribution, highest, lineSeconds),
      drawTrend(runs, trend, (epochMs) => formatTime(epochMs, browserNowMs())),
    ];
  }

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
  draw();

  return {
    focus: () => /** @type {HTMLElement | null} */ (section.querySelector('#detail-heading'))?.focus(),
    /** @param {string | null} nextType */
    select(nextType) {
      if (nextType === type) return;
      type = nextType;
      say(type === null ? CHOOSE : 'Loading …');
      void load(true);
    },
    /** @param {Set<string>} types those whose statistics have changed */
    refresh(types) {
      const wasEmpty = seen === null;
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
