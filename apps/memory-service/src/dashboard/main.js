/** Joins the parts: the state in the address, the API in the name of one agent and in its project, the views, and the stream of changes. */

import { createConsolidation } from './consolidation/consolidation.js';
import { createContradictions } from './contradictions/contradictions.js';
import { createHealth } from './health/health.js';
import { createBrowse } from './memories/browse.js';
import { createDetail } from './memory/detail.js';
import { createOverview } from './overview/overview.js';
import { createApi } from './reading/api.js';
import { createAway, saysGone } from './reading/away.js';
import { createLive } from './reading/live.js';
import { createSearch } from './search/search.js';
import { drawAway } from './shared/away-banner.js';
import { drawChoice } from './shared/choice.js';
import { byId, setText } from './shared/dom.js';
import { formatCount } from './shared/format.js';
import { createSpaceField } from './shared/space-field.js';
import { html, nothing, render } from './shared/template.js';
import { ALL_PROJECTS, addressOf, readAddress, VIEWS, writeAddress } from './state/view-state.js';
import { createTimeline } from './timeline/timeline.js';

const TITLES = {
  overview: 'Overview',
  timeline: 'Timeline',
  browse: 'Browse',
  search: 'Search',
  contradictions: 'Contradictions',
  consolidation: 'Consolidation',
  health: 'Health',
};

/** How often the banner counts on while the service is away. */
const TICK_MS = 1_000;

const state = readAddress();
/** How many memories each project has for this agent. @type {{ agent: string, counts: Record<string, number> }} */
let seen = { agent: state.agent, counts: {} };
let requests = new AbortController();
let api = createApi(state, requests.signal);

/** How many contradictions wait for somebody; null before it is known. @type {number | null} */
let openCount = null;

const agentField = /** @type {HTMLInputElement} */ (byId('reader-agent'));
const projectSelect = /** @type {HTMLSelectElement} */ (byId('project-select'));
/** What was not possible; null when nothing is wrong. @type {unknown} */
let problem = null;

const away = createAway({
  ask: () => api.health(),
  onChange(isBack) {
    drawBanner();
    // What the service did not answer while it was away is asked again.
    if (isBack) views[state.view].show();
  },
});

/** That the service is away explains each other problem. */
function drawBanner() {
  const banner = byId('banner');
  drawAway(banner, away.now(), { nowMs: Date.now(), hasData: byId(state.view).childElementCount > 0 });
  if (away.now() !== null || problem === null) return;
  banner.hidden = false;
  render(html`<strong>Not possible.</strong> ${problem instanceof Error ? problem.message : String(problem)}`, banner);
}

/** @type {import('./state/page.js').Page} */
const page = {
  state,
  api: () => api,
  failed(error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    problem = error;
    if (saysGone(error)) away.suspected();
    drawBanner();
  },
  fine() {
    problem = null;
    drawBanner();
  },
  say: (text) => setText(byId('announcer'), text),
  go(change, how) {
    Object.assign(state, change);
    writeAddress(state, how);
    show();
  },
  openContradictions(count) {
    const isOther = openCount !== count;
    openCount = count;
    drawViews();
    if (isOther) bringViewIn();
  },
  linkTo: (change) => addressOf({ ...state, ...change }),
  memoryChanged(id, memory) {
    for (const view of Object.values(views)) view.memoryChanged?.(id, memory);
    void learnNames();
  },
};

/** @type {Record<typeof VIEWS[number], { show(): void, forget(): void, changed?(kinds: Set<string>): void, memoryChanged?(id: string, memory: any): void }>} */
const views = {
  overview: createOverview(byId('overview'), page),
  timeline: createTimeline(byId('timeline'), page),
  browse: createBrowse(byId('browse'), page),
  search: createSearch(byId('search'), page),
  contradictions: createContradictions(byId('contradictions'), page),
  consolidation: createConsolidation(byId('consolidation'), page),
  health: createHealth(byId('health'), page),
};
const detail = createDetail(/** @type {HTMLDialogElement} */ (byId('detail')), page);
/** Draws the state in the address; a view that already shows it sends no request. */
function show() {
  for (const view of VIEWS) byId(view).hidden = view !== state.view;
  drawViews();
  bringViewIn();
  if (agentField.value.trim() !== state.agent) agentField.value = state.agent;
  drawProjects();
  views[state.view].show();
  detail.show(state.memory);
}

/** The links to the views, and the title: both count what is undecided. */
function drawViews() {
  document.title = `${openCount ? `(${openCount}) ` : ''}${TITLES[state.view]} · Memory`;
  const textOf = (/** @type {typeof VIEWS[number]} */ view) =>
    view === 'contradictions' && openCount ? `${TITLES[view]} (${openCount})` : TITLES[view];
  render(
    VIEWS.map(
      (view) =>
        html`<a href=${page.linkTo({ view, memory: null })} aria-current=${view === state.view ? 'page' : nothing}>${textOf(view)}</a>`,
    ),
    byId('views'),
  );
}

/** On a narrow window not all views have room. */
function bringViewIn() {
  const nav = byId('views');
  const link = /** @type {HTMLElement | null} */ (nav.querySelector('[aria-current]'));
  if (link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

/** What is open is read anew; the other views when they are opened. */
const live = createLive({
  onChange(kinds) {
    views[state.view].changed?.(kinds);
    if (kinds.has('contradiction') || kinds.has('reset')) void countContradictions();
  },
  onBroken: () => away.suspected(),
  onState(isOpen) {
    byId('live').dataset.state = isOpen ? 'live' : 'off';
    setText(byId('live'), isOpen ? 'Live' : 'Not live');
    if (!isOpen) return;
    if (away.now() !== null) away.back();
    else if (problem !== null) views[state.view].show();
  },
});

async function countContradictions() {
  const mine = api;
  try {
    const { total } = await mine.openContradictions();
    if (mine === api) page.openContradictions(total);
  } catch {
    // The open view sends a request too, and shows its error.
  }
}

/** Starts over for another agent or project and drops everything that was seen before. */
function lookAnew() {
  requests.abort();
  requests = new AbortController();
  api = createApi(state, requests.signal);
  page.fine();
  for (const view of Object.values(views)) view.forget();
  detail.forget();
  show();
  live.follow(state);
  void learnNames();
  void countContradictions();
}

async function learnNames() {
  const mine = api;
  try {
    const [{ agent_id, agents }, counts] = await Promise.all([mine.stats(), mine.projects()]);
    if (mine !== api) return;
    agentField.placeholder = agent_id;
    render(
      Object.keys(agents).map((name) => html`<option value=${name}></option>`),
      byId('known-agents'),
    );
    seen = { agent: state.agent, counts };
    drawProjects();
  } catch {
    // The open view sends a request too, and shows its error.
  }
}

function drawProjects() {
  // Another agent may not know what this one knew.
  const counts = seen.agent === state.agent ? seen.counts : {};
  const known = Object.keys(counts);
  const textOf = (/** @type {string} */ name) =>
    Object.hasOwn(counts, name) ? `${name} (${formatCount(counts[name] ?? 0)})` : name;
  drawChoice(projectSelect, { all: ALL_PROJECTS, label: 'All projects', known, chosen: state.project, textOf });
  byId('project-field').hidden = known.length === 0 && state.project === ALL_PROJECTS;
}

function choose() {
  const agent = agentField.value.trim();
  const project = projectSelect.value;
  if (agent === state.agent && project === state.project) return;
  Object.assign(state, { agent, project, memory: null });
  writeAddress(state);
  lookAnew();
}
byId('reader').addEventListener('submit', (event) => {
  event.preventDefault();
  choose();
});
for (const field of [agentField, projectSelect]) field.addEventListener('change', choose);

// The part of the address after the # holds the state, so this code follows links within the page.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.pathname !== location.pathname) return;
  event.preventDefault();
  if (link.className === 'skip-link') {
    byId('content').focus();
    return;
  }
  const before = addressOf({ ...state, memory: null });
  history.pushState(null, '', link.href);
  followAddress();
  // A memory opens above the page; another page begins at its top.
  if (addressOf({ ...state, memory: null }) !== before) scrollTo(0, 0);
});

function followAddress() {
  const { agent, project } = state;
  Object.assign(state, readAddress());
  if (state.agent === agent && state.project === project) show();
  else lookAnew();
}
addEventListener('popstate', followAddress);

setInterval(() => {
  if (away.now() !== null && !document.hidden) drawBanner();
}, TICK_MS);

createSpaceField(byId('space'));
show();
live.follow(state);
void learnNames();
void countContradictions();
