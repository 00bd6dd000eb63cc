/** The slider that asks: what if the timeout were this? */

import { el, setText } from './shared/dom.js';
import { formatDuration, formatShare } from './shared/format.js';
import { SLIDER_STEPS, shareCut, sliderScale } from './survival-share.js';

/** @param {{ onChange: () => void }} actions */
export function createWhatIf({ onChange }) {
  /** @type {any} */ let distribution = null;
  let scale = sliderScale(1, 2);
  /** @type {number | null} what the reader chose; null keeps to the recommendation */ let chosenSeconds = null;
  const slider = el('input', {
    type: 'range',
    id: 'whatif-slider',
    min: 0,
    max: SLIDER_STEPS,
    step: 1,
    oninput: () => moved(),
  });
  const value = el('output', { class: 'whatif-value num', for: 'whatif-slider' });
  const verdict = el('p', { class: 'whatif-verdict', id: 'whatif-verdict' });
  const presets = el('div', { class: 'whatif-presets' });
  const element = el(
    'div',
    { class: 'whatif' },
    el('h3', {}, 'What if the timeout were …'),
    el(
      'div',
      { class: 'whatif-line' },
      el('label', { for: 'whatif-slider', class: 'visually-hidden' }, 'Timeout to try'),
      slider,
      value,
    ),
    verdict,
    presets,
  );

  const seconds = () => chosenSeconds ?? distribution?.recommended_seconds ?? 0;

  function moved() {
    chosenSeconds = scale.toSeconds(slider.valueAsNumber);
    show();
    onChange();
  }

  function show() {
    const { share, low, high } = shareCut(distribution.survival, seconds());
    const text = `Cuts ${formatShare(share)} of runs`;
    const band = low === high ? '' : ` (95 % interval ${formatShare(low)} to ${formatShare(high)})`;
    setText(value, formatDuration(seconds()));
    setText(verdict, `${text}${band}.`);
    slider.setAttribute('aria-valuetext', `${formatDuration(seconds())}: ${text.toLowerCase()}`);
  }

  /** @param {string} label @param {number} presetSeconds @param {string} title */
  function preset(label, presetSeconds, title) {
    const choose = () => {
      chosenSeconds = presetSeconds;
      slider.valueAsNumber = scale.toPosition(presetSeconds);
      show();
      onChange();
    };
    return el(
      'button',
      { type: 'button', class: 'button', title, onclick: choose },
      `${label} ${formatDuration(presetSeconds)}`,
    );
  }

  return {
    element,
    seconds,
    /** @param {any} nextDistribution @param {number} highestSeconds @param {boolean} isOtherType */
    update(nextDistribution, highestSeconds, isOtherType) {
      distribution = nextDistribution;
      if (isOtherType) chosenSeconds = null;
      scale = sliderScale(distribution.histogram[0].from_seconds / 2, highestSeconds);
      slider.valueAsNumber = scale.toPosition(seconds());
      const { recommended_seconds: recommended, conservative_seconds: conservative } = distribution;
      const held = presets.contains(document.activeElement)
        ? [...presets.children].indexOf(/** @type {Element} */ (document.activeElement))
        : -1;
      presets.replaceChildren(
        preset('Recommended', recommended, 'p95 with a margin of 1.2'),
        preset('Conservative', conservative, 'With 90 % confidence at least 95 % of all runs end within it'),
      );
      /** @type {HTMLElement | undefined} */ (presets.children[held])?.focus();
      show();
    },
  };
}
