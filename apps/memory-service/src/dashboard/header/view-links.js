/** The links to the views, and the title: both count what is undecided. */

import { byId } from '../shared/dom.js';
import { html, nothing, render } from '../shared/template.js';
import { VIEWS } from '../state/view-state.js';

/** @typedef {import('../state/view-state.js').View} ViewName */

const TITLES = {
  overview: 'Overview',
  timeline: 'Timeline',
  browse: 'Browse',
  search: 'Search',
  contradictions: 'Contradictions',
  consolidation: 'Consolidation',
  health: 'Health',
};

/** @param {ViewName} shown @param {number | null} openCount contradictions that wait for somebody; null before it is known */
export const titleOf = (shown, openCount) => `${openCount ? `(${openCount}) ` : ''}${TITLES[shown]} · Memory`;

/** @param {{ shown: ViewName, openCount: number | null, linkTo: (view: ViewName) => string }} views */
export function drawViewLinks({ shown, openCount, linkTo }) {
  const textOf = (/** @type {ViewName} */ view) =>
    view === 'contradictions' && openCount ? `${TITLES[view]} (${openCount})` : TITLES[view];
  render(
    VIEWS.map(
      (view) => html`<a href=${linkTo(view)} aria-current=${view === shown ? 'page' : nothing}>${textOf(view)}</a>`,
    ),
    byId('views'),
  );
}

/** On a narrow window not all views have room. */
export function bringViewIn() {
  const nav = byId('views');
  const link = /** @type {HTMLElement | null} */ (nav.querySelector('[aria-current]'));
  if (link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}
