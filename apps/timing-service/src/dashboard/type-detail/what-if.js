/** The slider that asks: what if the timeout were this? */

import { formatDuration, formatShare, formatTime } from '../shared/format.js';
import { html, live } from '../shared/template.js';
import { browserNowMs } from '../state/clock.js';
import { SLIDER_STEPS, shareCut, sliderScale } from './survival-share.js';

/** @param {{ onChange: () => void }} actions */
export function createWhatIf({ onChange }) {
  /** @type {any} */ let distribution = null;
  let scale = sliderScale(1, 2);
  /** @type {number | null} what the reader chose; null keeps to the recommendation */ let chosenSeconds = null;

  const seconds = () => chosenSeconds ?? distribution?.recommended_seconds ?? 0;

  /** @param {number | null} next */
  function choose(next) {
    chosenSeconds = next;
    onChange();
  }

  const preset = (/** @type {string} */ label, /** @type {number} */ its, /** @type {string} */ title) =>
    html`<button type="button" class="button" title=${title} @click=${() => choose(its)}>${label} ${formatDuration(its)}</button>`;

  return {
    seconds,
    /** @param {any} nextDistribution @param {number} highestSeconds @param {boolean} isOtherType */
    update(nextDistribution, highestSeconds, isOtherType) {
      distribution = nextDistribution;
      if (isOtherType) chosenSeconds = null;
      scale = sliderScale(distribution.histogram[0].from_seconds / 2, highestSeconds);
    },
    template() {
      const { share, low, high } = shareCut(distribution.survival, seconds());
      const text = `Cuts ${formatShare(share)} of ${distribution.since === undefined ? 'runs' : 'all runs'}`;
      const band = low === high ? '' : ` (95 % interval ${formatShare(low)} to ${formatShare(high)})`;
      const moved = (/** @type {Event} */ event) =>
        choose(scale.toSeconds(/** @type {HTMLInputElement} */ (event.currentTarget).valueAsNumber));
      return html`
        <div class="whatif">
          <h3>What if the timeout were …</h3>
          <div class="whatif-line">
            <label for="whatif-slider" class="visually-hidden">Timeout to try</label>
            <input type="range" id="whatif-slider" min="0" max=${SLIDER_STEPS} step="1" aria-valuetext=${`${formatDuration(seconds())}: ${text.toLowerCase()}`}
              .value=${live(String(scale.toPosition(seconds())))} @input=${moved}>
            <output class="whatif-value num" for="whatif-slider">${formatDuration(seconds())}</output>
          </div>
          <p class="whatif-verdict" id="whatif-verdict">${text}${band}.</p>
          ${
            distribution.since === undefined
              ? ''
              : html`<p class="card-note">Slower of late: both timeouts rest on the runs since ${formatTime(Date.parse(distribution.since), browserNowMs())} alone. This share and the pictures are of all runs.</p>`
          }
          <div class="whatif-presets">
            ${preset('Recommended', distribution.recommended_seconds, 'p95 with a margin of 1.2')}
            ${preset('Conservative', distribution.conservative_seconds, 'With 90 % confidence at least 95 % of all runs end within it')}
          </div>
        </div>
      `;
    },
  };
}
