/** Texts of this page only. Pure. */

import { ALL_PROJECTS } from '../state/view-state.js';

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** @param {number} epochMs */
export const formatDay = (epochMs) => dayAndMonth.format(epochMs);

/** The speaker: the name, else the role. @param {{ name: string | null, role: string | null }} memory */
export const speakerOf = ({ name, role }) => name ?? role ?? '';

/** Words of a memory in the name of a control, or in a sentence. */
const MOST_NAME_CHARACTERS = 160;

/** @param {string} words of a memory */
export const shortened = (words) =>
  words.length > MOST_NAME_CHARACTERS ? `${words.slice(0, MOST_NAME_CHARACTERS)}…` : words;

/**
 * The name of a button or a link that stands beside each of several memories: what it says, and which of them it is about. A list
 * of controls, as screen readers show it, has nothing else to tell them apart by.
 * @param {string} label what is to be seen @param {string} words of the memory
 */
export const namedFor = (label, words) => `${label}: ${shortened(words)}`;

/** Where the reader looks: " in web-shop", or nothing for all projects. @param {{ project: string }} state */
export const inProject = ({ project }) => (project === ALL_PROJECTS ? '' : ` in ${project}`);
