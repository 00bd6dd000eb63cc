/** The contribution of each source of evidence to a score, as a stacked bar with numbers. */

import { stackedBar } from '../pieces/bar.js';
import { html, nothing } from '../shared/template.js';

/** In the order of the bar. */
const REASONS = /** @type {const} */ ([
  { key: 'vector', label: 'meaning' },
  { key: 'lexical', label: 'words' },
  { key: 'entity', label: 'entities' },
  { key: 'circumstance', label: 'speaker, time and form' },
  { key: 'update', label: 'newer statement' },
  { key: 'recency', label: 'recency' },
  { key: 'importance', label: 'importance' },
  { key: 'priming', label: 'priming' },
]);

/** Where a label is long. @type {Record<string, string>} */
const SHORT = { circumstance: 'circumstances' };

/** The least value that is shown; a smaller one would read 0.00. */
const LEAST_SHOWN = 0.005;

/** @param {Record<string, number> | undefined} why */
const given = (why) => REASONS.map(({ key, label }) => ({ key, label, value: why?.[key] ?? 0 }));

/**
 * The bar is as long as the score and divided in proportion to the positive reasons; without any it has one colour.
 * @param {number} score 0 to 1 @param {Record<string, number> | undefined} why
 */
export function whyBar(score, why) {
  const reasons = given(why);
  const sum = reasons.reduce((total, { value }) => total + Math.max(0, value), 0);
  const shares = reasons.map(({ key, value }) => ({ name: key, share: (Math.max(0, value) / sum) * score }));
  return stackedBar(sum > 0 ? shares : [{ name: 'plain', share: score }]);
}

/** @param {Record<string, number> | undefined} why */
export function whyNumbers(why) {
  const numbers = given(why).filter(({ value }) => Math.abs(value) >= LEAST_SHOWN);
  if (numbers.length === 0) return nothing;
  return html`<ul class="why-numbers" aria-label="Reasons of the score">
    ${numbers.map(
      ({ key, label, value }) =>
        html`<li data-reason=${key}>${label} <span class="num">${value.toFixed(2)}</span></li>`,
    )}
  </ul>`;
}

/** A word for each reason. @param {readonly string[]} keys the weightiest first */
export const whyChips = (keys) =>
  html`<span class="why-chips">${keys.length === 0 ? 'little' : keys.map((key) => html`<span data-reason=${key}>${SHORT[key] ?? REASONS.find((one) => one.key === key)?.label}</span>`)}</span>`;
