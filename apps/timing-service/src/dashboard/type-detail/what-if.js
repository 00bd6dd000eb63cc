/** The slider that asks: what if the timeout were this? */

import { browserNowMs } from '../shared/clock.js';
import { formatDuration, formatShare, formatTime } from '../shared/format.js';
import { html, live } from '../shared/template.js';
import { SLIDER_STEPS, shareCut, sliderScale } from './survival-share.js';

export class WhatIf {
  #onChange;
  /** @type {any} */ #distribution = null;
  #scale = sliderScale(1, 2);
  /** @type {number | null} what the reader chose; null keeps to the recommendation */ #chosenSeconds = null;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  seconds() {
    return this.#chosenSeconds ?? this.#distribution?.recommended_seconds ?? 0;
  }

  /** @param {any} distribution @param {number} highestSeconds @param {{ isOtherType: boolean }} how */
  update(distribution, highestSeconds, { isOtherType }) {
    this.#distribution = distribution;
    if (isOtherType) this.#chosenSeconds = null;
    this.#scale = sliderScale(distribution.histogram[0].from_seconds / 2, highestSeconds);
  }

  template() {
    const {
      survival,
      since,
      recommended_seconds: recommended,
      conservative_seconds: conservative,
    } = this.#distribution;
    const { share, low, high } = shareCut(survival, this.seconds());
    const text = `Cuts ${formatShare(share)} of ${since === undefined ? 'runs' : 'all runs'}`;
    const band = low === high ? '' : ` (95 % interval ${formatShare(low)} to ${formatShare(high)})`;
    return html`
      <div class="whatif">
        <h3>What if the timeout were …</h3>
        ${this.#slider(text)}
        <p class="whatif-verdict" id="whatif-verdict">${text}${band}.</p>
        ${
          since === undefined
            ? ''
            : html`<p class="card-note">Slower of late: both timeouts rest on the runs since ${formatTime(Date.parse(since), browserNowMs())} alone. This share and the pictures are of all runs.</p>`
        }
        <div class="whatif-presets">
          ${this.#preset('Recommended', recommended, 'p95 with a margin of 1.2')}
          ${this.#preset('Conservative', conservative, 'With 90 % confidence at least 95 % of all runs end within it')}
        </div>
      </div>
    `;
  }

  /** @param {string} text what the chosen timeout would do */
  #slider(text) {
    const seconds = this.seconds();
    const onInput = (/** @type {Event} */ event) =>
      this.#choose(this.#scale.toSeconds(/** @type {HTMLInputElement} */ (event.currentTarget).valueAsNumber));
    return html`
      <div class="whatif-line">
        <label for="whatif-slider" class="visually-hidden">Timeout to try</label>
        <input type="range" id="whatif-slider" min="0" max=${SLIDER_STEPS} step="1" aria-valuetext=${`${formatDuration(seconds)}: ${text.toLowerCase()}`}
          .value=${live(String(this.#scale.toPosition(seconds)))} @input=${onInput}>
        <output class="whatif-value num" for="whatif-slider">${formatDuration(seconds)}</output>
      </div>
    `;
  }

  /** @param {string} label @param {number} seconds @param {string} title */
  #preset(label, seconds, title) {
    return html`<button type="button" class="button" title=${title} @click=${() => this.#choose(seconds)}>${label} ${formatDuration(seconds)}</button>`;
  }

  /** @param {number} seconds */
  #choose(seconds) {
    this.#chosenSeconds = seconds;
    this.#onChange();
  }
}
