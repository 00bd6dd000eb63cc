/** The button of a list of which only the first are shown at first. */

import { formatCount } from './format.js';
import { html, nothing } from './template.js';

/** @param {{ count: number, first: number, isWhole: boolean, onToggle: () => void, noun?: string }} list `noun` such as " agents" */
export const showMore = ({ count, first, isWhole, onToggle, noun = '' }) =>
  count <= first
    ? nothing
    : html`<button type="button" class="button" @click=${onToggle}>${isWhole ? `Show the first ${first}${noun}` : `Show all ${formatCount(count)}${noun}`}</button>`;
