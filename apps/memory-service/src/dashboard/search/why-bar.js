/** The contribution of each source of evidence to a score, as a stacked bar with numbers. */

import { stackedBar } from '../pieces/bar.js';
import { html, nothing } from '../shared/template.js';
import { hundredthsOf } from './score-parts.js';

/** In the order of the bar. */
const REASONS = /** @type {const} */ ([
  { key: 'vector', label: 'meaning' },
  { key: 'lexical', label: 'words' },
  { key: 'entity', label: 'entities' },
  { key: 'circumstance', label: 'speaker, time and form' },
  { key: 'crowding', label: 'like many others' },
  { key: 'update', label: 'newer statement' },
  { key: 'recency', label: 'recency' },
  { key: 'importance', label: 'importance' },
  { key: 'priming', label: 'priming' },
  { key: 'limit', label: 'limits 0 and 1' },
]);

/** Where a label is long. @type {Record<string, string>} */
const SHORT = { circumstance: 'circumstances' };

/** @param {Record<string, number> | undefined} why */
const given = (why) => REASONS.map(({ key, label }) => ({ key, label, value: why?.[key] ?? 0 }));

/**
 * The bar is as long as the score, and divided in proportion to what adds to it; the numbers say what is taken off.
 * @param {number} score 0 to 1 @param {Record<string, number> | undefined} why
 */
export function whyBar(score, why) {
  const reasons = given(why);
  const sum = reasons.reduce((total, { value }) => total + Math.max(0, value), 0);
  const shares = reasons.map(({ key, value }) => ({ name: key, share: (Math.max(0, value) / sum) * score }));
  return stackedBar(sum > 0 ? shares : [{ name: 'plain', share: score }]);
}

/** Parts that add up to the score that stands beside them. @param {number} score 0 to 1 @param {Record<string, number> | undefined} why */
export function whyNumbers(score, why) {
  const reasons = given(why);
  if (reasons.every(({ value }) => value === 0)) return nothing;
  const parts = hundredthsOf(
    score,
    reasons.map(({ value }) => value),
  );
  const numbers = reasons
    .map((reason, place) => ({ ...reason, part: parts[place] ?? 0 }))
    .filter(({ part }) => part !== 0);
  if (numbers.length === 0) return nothing;
  return html`<ul class="why-numbers" aria-label="Parts of the score">
    ${numbers.map(
      ({ key, label, part }) => html`<li data-reason=${key}>${label} <span class="num">${hundredths(part)}</span></li>`,
    )}
    <li class="why-sum">together <span class="num">${score.toFixed(2)}</span></li>
  </ul>`;
}

/** @param {number} part */
const hundredths = (part) => `${part < 0 ? '−' : ''}${(Math.abs(part) / 100).toFixed(2)}`;

/** A word for each reason. @param {readonly string[]} keys the weightiest first */
export const whyChips = (keys) =>
  html`<span class="why-chips">${keys.length === 0 ? 'little' : keys.map((key) => html`<span data-reason=${key}>${SHORT[key] ?? REASONS.find((one) => one.key === key)?.label}</span>`)}</span>`;
