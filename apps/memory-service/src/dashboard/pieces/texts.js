/** Texts of this page only. Pure. */

import { ALL_PROJECTS } from '../state/view-state.js';

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** @param {number} epochMs */
export const formatDay = (epochMs) => dayAndMonth.format(epochMs);

/** The speaker: the name, else the role. @param {{ name: string | null, role: string | null }} memory */
export const speakerOf = ({ name, role }) => name ?? role ?? '';

/** Where the reader looks: " in web-shop", or nothing for all projects. @param {{ project: string }} state */
export const inProject = ({ project }) => (project === ALL_PROJECTS ? '' : ` in ${project}`);
