/** Texts of this page only. Pure, except for the elements that hold them. */

import { html } from './shared/template.js';
import { ALL_PROJECTS } from './view-state.js';

const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** In the reader's time zone; UTC on hover. @param {string} iso */
export const instant = (iso) => html`<time datetime=${iso} title=${iso}>${dayAndMinute.format(new Date(iso))}</time>`;

/** @param {number} epochMs */
export const formatDay = (epochMs) => dayAndMonth.format(epochMs);

/** @param {number} epochMs */
export const formatMoment = (epochMs) => dayAndMinute.format(epochMs);

/** The day of the reader's calendar, as YYYY-MM-DD. @param {number} epochMs */
export function calendarDay(epochMs) {
  const date = new Date(epochMs);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The first instant of a day of the reader's calendar. @param {number} epochMs @param {number} [daysLater] */
export function startOfDay(epochMs, daysLater = 0) {
  const date = new Date(epochMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}

/** The speaker: the name, else the role. @param {{ name: string | null, role: string | null }} memory */
export const speakerOf = ({ name, role }) => name ?? role ?? '';

/** Where the reader looks: " in web-shop", or nothing for all projects. @param {{ project: string }} state */
export const inProject = ({ project }) => (project === ALL_PROJECTS ? '' : ` in ${project}`);
