/** Everything about one task type: charts, key figures, the what-if slider, and the same in tables. */

import { failureShare } from '../pieces/failure-share.js';
import { p95Text } from '../pieces/p95-text.js';
import { browserNowMs } from '../shared/clock.js';
import { factList } from '../shared/fact-list.js';
import {
  countOf,
  formatCount,
  formatDuration,
  formatShare,
  formatShortInterval,
  formatTime,
} from '../shared/format.js';
import { html, render } from '../shared/template.js';
import { chartBox, lineLegend } from './chart-box.js';
import { drawHistogram, drawSurvival, drawTrend } from './charts.js';
import { durationTable, runTable, survivalTable } from './tables.js';
import { WhatIf } from './what-if.js';

/** While tasks of the shown type keep ending, its charts are drawn anew at most this often. */
const DETAIL_INTERVAL_MS = 3000;
const CHOOSE = 'Choose a task type to see how long it takes.';
const LOADING = 'Loading …';

/** @typedef {{ distribution: any, trend: any }} Seen what the API knows of a type */

export class TypeDetail {
  #section;
  #controller;
  /** @type {string | null} */ #type = null;
  /** @type {Seen | null} */ #seen = null;
  #message = CHOOSE;
  /** @type {{ redraw: () => void, destroy: () => void }[]} */ #charts = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #whatIf = new WhatIf(() => {
    this.#draw();
    this.#redrawCharts();
  });

  /** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller */
  constructor(section, controller) {
    this.#section = section;
    this.#controller = controller;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#redrawCharts());
    this.#draw();
  }

  focus() {
    /** @type {HTMLElement | null} */ (this.#section.querySelector('#detail-heading'))?.focus();
  }

  /** @param {string | null} nextType */
  select(nextType) {
    if (nextType === this.#type) return;
    this.#type = nextType;
    this.#say(nextType === null ? CHOOSE : LOADING);
    void this.#load({ isOtherType: true });
  }

  /** @param {Set<string>} types those whose statistics have changed */
  refresh(types) {
    const wasEmpty = this.#seen === null;
    if (this.#type === null || this.#timer !== undefined || !(wasEmpty || types.has(this.#type))) return;
    const load = () => {
      this.#timer = undefined;
      void this.#load({ isOtherType: wasEmpty });
    };
    this.#timer = setTimeout(load, wasEmpty ? 0 : DETAIL_INTERVAL_MS);
  }

  #summary() {
    return this.#controller.store.summaries.find((candidate) => candidate.task_type === this.#type);
  }

  /** @param {{ isOtherType: boolean }} how */
  async #load(how) {
    const wanted = this.#type;
    const api = this.#controller.api();
    const isWanted = () => wanted === this.#type && api === this.#controller.api();
    if (wanted === null || !this.#controller.store.loaded) return;
    if (this.#summary() === undefined) {
      this.#say('No run of this type has ended ok yet; its statistics begin with the first one.');
      return;
    }
    try {
      const [distribution, trend] = await Promise.all([api.distribution(wanted), api.trend(wanted)]);
      if (!isWanted()) return;
      this.#controller.store.trends.set(wanted, trend);
      this.#show({ distribution, trend }, how);
    } catch (error) {
      if (isWanted() && this.#seen === null) this.#say(`Could not be read: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} text */
  #say(text) {
    this.#dropCharts();
    this.#seen = null;
    this.#message = text;
    this.#draw();
  }

  /** @param {Seen} seen @param {{ isOtherType: boolean }} how */
  #show(seen, how) {
    this.#seen = seen;
    const highestSeconds = 2 * (this.#summary()?.p99_seconds ?? seen.distribution.p95_seconds);
    this.#whatIf.update(seen.distribution, highestSeconds, how);
    this.#dropCharts();
    this.#draw();
    this.#drawCharts(seen, highestSeconds);
  }

  #draw() {
    const type = this.#type;
    render(
      html`
        <div class="card-head"><h2 id="detail-heading" tabindex="-1" class="name" dir="auto" title=${type ?? ''}>${type ?? 'Task type'}</h2><p class="card-note">Details</p></div>
        ${this.#seen === null ? html`<p class=${this.#message === LOADING ? 'empty detail-loading' : 'empty'}>${this.#message}</p>` : this.#content(this.#seen)}
      `,
      this.#section,
    );
  }

  /** @param {Seen} seen */
  #content({ distribution, trend }) {
    const name = this.#type ?? '';
    return html`
      ${factList(figuresOf(distribution, this.#summary()), { className: 'figures' })}
      ${lineLegend()}
      <div class="charts">
        ${chartBox({ title: 'Durations', note: 'How many runs took how long; logarithmic axis', table: durationTable(name, distribution) })}
        ${chartBox({ title: 'Still running after …', note: 'Share of runs, with its 95 % band', table: survivalTable(name, distribution) })}
      </div>
      ${this.#whatIf.template()}
      ${chartBox({ title: 'Over time', note: trendText(trend), table: runTable(name, trend) })}
    `;
  }

  /** Into the boxes that were drawn. @param {Seen} seen @param {number} highestSeconds */
  #drawCharts({ distribution, trend }, highestSeconds) {
    const places = /** @type {NodeListOf<HTMLElement>} */ (this.#section.querySelectorAll('.chart'));
    const [durations, survival, runs] = places;
    if (!durations || !survival || !runs) return;
    const lineSeconds = () => this.#lineSeconds();
    this.#charts = [
      drawHistogram(durations, distribution, highestSeconds, lineSeconds),
      drawSurvival(survival, distribution, highestSeconds, lineSeconds),
      drawTrend(runs, trend, (epochMs) => formatTime(epochMs, browserNowMs())),
    ];
  }

  #lineSeconds() {
    return (
      this.#seen && {
        p50: this.#seen.distribution.p50_seconds,
        p95: this.#seen.distribution.p95_seconds,
        recommended: this.#seen.distribution.recommended_seconds,
        whatif: this.#whatIf.seconds(),
      }
    );
  }

  #redrawCharts() {
    for (const chart of this.#charts) chart.redraw();
  }

  #dropCharts() {
    for (const chart of this.#charts.splice(0)) chart.destroy();
  }
}

/** @param {any} distribution @param {any} summary @returns {[string, string][]} */
function figuresOf(distribution, summary) {
  return [
    ['Runs', formatCount(distribution.count)],
    ['Median', formatDuration(summary?.median_seconds ?? distribution.p50_seconds)],
    ['p95', p95Text(summary ?? distribution)],
    ['p95 interval', formatShortInterval(summary?.p95_interval) || '–'],
    ['Longest', formatDuration(summary?.max_seconds)],
    ['Failures', formatShare(failureShare(summary?.outcomes))],
  ];
}

/** @param {any} trend */
function trendText({ points, ratio, direction, since, previous_median_seconds: before, recent_median_seconds: after }) {
  const runs = `${countOf(points.length, 'run')} and the running median`;
  if (ratio === null) return direction === 'slower' ? `${runs}: slower, most of the newest were cut off` : runs;
  const newer = since === undefined ? 'newer half' : `since ${formatTime(Date.parse(since), browserNowMs())}`;
  const older = since === undefined ? 'the older' : 'before';
  return `${runs}: ${direction}, ${newer} × ${ratio.toFixed(2)} of ${older} (${formatDuration(before)} → ${formatDuration(after)})`;
}
