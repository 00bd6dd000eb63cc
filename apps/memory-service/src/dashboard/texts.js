/** Texts of this page only. Pure, except for the elements that hold them. */

import { el } from './shared/dom.js';
import { ALL_PROJECTS } from './view-state.js';

const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** In the reader's time zone; UTC on hover. @param {string} iso */
export const instant = (iso) => el('time', { datetime: iso, title: iso }, dayAndMinute.format(new Date(iso)));

/** The speaker: the name, else the role. @param {{ name: string | null, role: string | null }} memory */
export const speakerOf = ({ name, role }) => name ?? role ?? '';

/** Where the reader looks: " in web-shop", or nothing for all projects. @param {{ project: string }} state */
export const inProject = ({ project }) => (project === ALL_PROJECTS ? '' : ` in ${project}`);
