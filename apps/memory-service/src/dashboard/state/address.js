/** The address bar: the state of the page in it, and the steps between which the browser's buttons go. */

import { parseViewState, serializeViewState } from './view-state.js';

export const readAddress = () => parseViewState(location.hash);

/** @param {import('./view-state.js').ViewState} state */
export const addressOf = (state) => `${location.pathname}${location.search}${serializeViewState(state)}`;

/** @param {import('./view-state.js').ViewState} state @param {{ isStep?: boolean }} [how] whether the browser's back button comes back to what was before */
export function writeAddress(state, { isStep = true } = {}) {
  if (serializeViewState(state) === location.hash) return;
  if (isStep) history.pushState(null, '', addressOf(state));
  else history.replaceState(null, '', addressOf(state));
}
