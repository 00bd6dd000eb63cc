/** Furnishes the page with its views, and follows the links within it. */

import { Consolidation } from './consolidation/consolidation.js';
import { Contradictions } from './contradictions/contradictions.js';
import { Health } from './health/health.js';
import { Browse } from './memories/browse.js';
import { Detail } from './memory/detail.js';
import { Overview } from './overview/overview.js';
import { Page } from './page.js';
import { Search } from './search/search.js';
import { byId, setText } from './shared/dom.js';
import { createSpaceField } from './shared/space-field.js';
import { timeZoneText } from './shared/time-zone.js';
import { addressOf, readAddress } from './state/address.js';
import { Timeline } from './timeline/timeline.js';

const page = new Page((of) => ({
  views: {
    overview: new Overview(byId('overview'), of),
    timeline: new Timeline(byId('timeline'), of),
    browse: new Browse(byId('browse'), of),
    search: new Search(byId('search'), of),
    contradictions: new Contradictions(byId('contradictions'), of),
    consolidation: new Consolidation(byId('consolidation'), of),
    health: new Health(byId('health'), of),
  },
  detail: new Detail(/** @type {HTMLDialogElement} */ (byId('detail')), of),
}));

// The part of the address after the # holds the state, so this code follows links within the page.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.pathname !== location.pathname) return;
  event.preventDefault();
  if (link.className === 'skip-link') {
    byId('content').focus();
    return;
  }
  const before = withoutMemory();
  history.pushState(null, '', link.href);
  page.followAddress();
  // A memory opens above the page; another page begins at its top.
  if (withoutMemory() !== before) scrollTo(0, 0);
});
addEventListener('popstate', () => page.followAddress());

createSpaceField(byId('space'));
setText(byId('time-zone'), `, ${timeZoneText(Date.now())}`);
page.start();

function withoutMemory() {
  return addressOf({ ...readAddress(), memory: null });
}
