/** Instants in the reader's time zone, with UTC on hover. */

import { html } from './template.js';

const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const dayAndSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** @param {number} epochMs */
export const formatMoment = (epochMs) => dayAndMinute.format(epochMs);

/** @param {string} iso @param {{ seconds?: boolean }} [how] */
export const instant = (iso, { seconds = false } = {}) =>
  html`<time datetime=${iso} title=${iso}>${(seconds ? dayAndSecond : dayAndMinute).format(new Date(iso))}</time>`;
