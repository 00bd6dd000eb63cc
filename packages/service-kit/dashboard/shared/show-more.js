/** The button of a list of which only the first are shown at first. */

import { formatCount } from './format.js';
import { html, nothing } from './template.js';

/**
 * @param {object} list
 * @param {number} list.count @param {number} list.first @param {boolean} list.isWhole @param {() => void} list.onToggle
 * @param {string} [list.noun] such as " agents"
 * @param {string} [list.about] for screen readers, where there are several such lists: which of them this is, such as ": of the importer"
 */
export function showMore({ count, first, isWhole, onToggle, noun = '', about = '' }) {
  if (count <= first) return nothing;
  const text = isWhole ? `Show the first ${first}${noun}` : `Show all ${formatCount(count)}${noun}`;
  return html`<button type="button" class="button" aria-label=${about === '' ? nothing : `${text}${about}`} @click=${onToggle}>${text}</button>`;
}
