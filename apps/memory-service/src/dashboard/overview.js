/** The number of memories of each agent, and the state of the service. */

import { bar } from './bar.js';
import { el } from './shared/dom.js';
import { countOf, formatCount, formatDuration } from './shared/format.js';
import { inProject, instant } from './texts.js';
import { ALL_PROJECTS } from './view-state.js';

const COUNTS = [
  { label: 'Memories', key: 'total' },
  { label: 'Episodic', key: 'episodic' },
  { label: 'Semantic', key: 'semantic' },
  { label: 'Private', key: 'private' },
];

/** @param {any} totals @param {any} stats */
function tiles(totals, stats) {
  const entries = [
    ['Memories', formatCount(totals.total)],
    ['Episodic', formatCount(totals.episodic)],
    ['Semantic', formatCount(totals.semantic)],
    ['Private', formatCount(totals.private)],
    ['Agents', formatCount(Object.keys(stats.agents).length)],
  ];
  return el(
    'dl',
    { class: 'tiles' },
    ...entries.map(([label, value]) =>
      el('div', { class: 'tile' }, el('dt', {}, label), el('dd', { class: 'num' }, value)),
    ),
  );
}

/** @param {any} stats @param {import('./page.js').Page} page */
function agentTable(stats, page) {
  const agents = Object.entries(stats.agents).sort(([, a], [, b]) => b.total - a.total);
  const most = Math.max(1, ...agents.map(([, { total }]) => total));
  const filters = { ...page.state.filters, q: '', session: '', kind: '', scope: '', tag: '', from: '', to: '' };
  const rows = agents.map(([name, counts]) =>
    el(
      'tr',
      {},
      el(
        'th',
        { scope: 'row' },
        el('a', { class: 'name', href: page.linkTo({ view: 'browse', filters: { ...filters, by: name } }) }, name),
        bar(counts.total / most),
      ),
      ...COUNTS.map(({ label, key }) => el('td', { class: 'num', 'data-label': label }, formatCount(counts[key]))),
      el('td', { class: 'last-active' }, instant(counts.last_active_at)),
    ),
  );
  return el(
    'section',
    { class: 'card', 'aria-labelledby': 'agents-heading' },
    el(
      'div',
      { class: 'card-head' },
      el('h2', { id: 'agents-heading' }, 'Agents'),
      el('p', { class: 'card-note' }, `as ${stats.agent_id} sees them${inProject(page.state)}`),
    ),
    agents.length === 0
      ? welcome(stats.agent_id, page.state)
      : el(
          'table',
          { class: 'agent-table' },
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              el('th', { scope: 'col' }, 'Agent'),
              ...COUNTS.map(({ label }) => el('th', { scope: 'col', class: 'num' }, label)),
              el('th', { scope: 'col' }, 'Last active'),
            ),
          ),
          el('tbody', {}, ...rows),
        ),
  );
}

/** @param {string} agent @param {import('./view-state.js').ViewState} state */
function welcome(agent, state) {
  const body = '{"content": "The release is on Friday at noon.", "role": "user"}';
  const whose = new URLSearchParams({
    agent_id: agent,
    ...(state.project !== ALL_PROJECTS && { project: state.project }),
  });
  const command = `curl -X POST '${new URL('./ingest', document.baseURI)}?${whose}' \\\n  -H 'content-type: application/json' -d '${body}'`;
  return el(
    'div',
    { class: 'empty' },
    el('p', {}, `Nothing is remembered yet that ${agent} may see${inProject(state)}. Store a first message:`),
    el('pre', { tabindex: '0' }, el('code', {}, command)),
    el('p', {}, 'Or play a week of three agents: ', el('code', {}, 'npm run demo:memory')),
  );
}

/** @param {any} health */
function serviceCard(health) {
  const { embedding, persistence } = health;
  const onDisk = persistence.data_dir !== null;
  /** @type {[string, import('./shared/dom.js').Child, string?][]} */
  const facts = [
    ['Up for', `${formatDuration(health.uptime_seconds)} · version ${health.version}`],
    [
      'Embedding',
      embedding.model === null
        ? 'off: words and entities only'
        : `${embedding.model} · ${embedding.dimension} dimensions`,
    ],
    ['Vectors', formatCount(health.vectors)],
    [
      'Waiting for a vector',
      embedding.pending === 0 ? 'none' : countOf(embedding.pending, 'memory', 'memories'),
      embedding.pending === 0 ? '' : 'attention',
    ],
    ['Data directory', onDisk ? persistence.data_dir : 'none: nothing outlives a restart', onDisk ? '' : 'attention'],
  ];
  return el(
    'section',
    { class: 'card', 'aria-labelledby': 'service-heading' },
    el(
      'div',
      { class: 'card-head' },
      el('h2', { id: 'service-heading' }, 'Service'),
      el('p', { class: 'service-state', 'data-state': 'ok' }, 'Ready'),
    ),
    el(
      'dl',
      { class: 'facts' },
      ...facts.map(([term, value, level]) =>
        el('div', { 'data-level': level || null }, el('dt', {}, term), el('dd', {}, value)),
      ),
    ),
  );
}

/** @param {HTMLElement} section @param {import('./page.js').Page} page */
export function createOverview(section, page) {
  const content = el('div');
  const refresh = el('button', { type: 'button', class: 'button', onclick: () => void load() }, 'Refresh');
  section.append(content, refresh);
  refresh.hidden = true;

  async function load() {
    const api = page.api();
    try {
      const [health, stats] = await Promise.all([api.health(), api.stats()]);
      if (api !== page.api()) return;
      page.fine();
      content.replaceChildren(
        tiles(stats.totals, stats),
        el('div', { class: 'overview-grid' }, agentTable(stats, page), serviceCard(health)),
      );
      refresh.hidden = false;
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  return {
    show: () => void load(),
    forget: () => content.replaceChildren(),
  };
}
