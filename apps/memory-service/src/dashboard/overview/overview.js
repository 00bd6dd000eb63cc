/** What the memory holds and what has happened: over time, today, in the last night, and what waits for somebody. */

import { lastRunCard } from '../consolidation/last-run-card.js';
import { inProject } from '../pieces/texts.js';
import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { histogram } from '../shared/chart.js';
import { factList } from '../shared/fact-list.js';
import { countOf, formatCount, formatDuration, formatShare } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing, render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { ALL_PROJECTS, NO_FILTERS } from '../state/view-state.js';
import { agentTable } from './agent-table.js';
import { memoriesOverTime } from './memories-over-time.js';

const LEARNT_SHOWN = 6;
/** Agents that are named beside how much each of them brought. */
const TEACHERS_SHOWN = 5;
const WEEK_DAYS = 7;
const RECALLED_SHOWN = 6;
/** Columns of a chart whose days have no memories before the first. */
const FEWEST_DAYS = 14;
const MOST_DAYS = 180;

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createOverview(section, page) {
  const { state } = page;
  /** @type {any} what was answered; null before the first answer */
  let seen = null;
  /** @type {'agent' | 'kind'} */
  let by = 'agent';
  let showsAllAgents = false;
  /** @type {number | null} */
  let cursor = null;

  async function load() {
    const api = page.api();
    try {
      const learntSince = (/** @type {number} */ days) =>
        api.list({ since: new Date(firstDay(days)).toISOString() }, { cursor: null, limit: LEARNT_SHOWN });
      const [health, stats, summary, today, week, contradictions, run] = await Promise.all([
        api.health(),
        api.stats(),
        api.summary(),
        learntSince(1),
        state.learnt === 'week' ? learntSince(WEEK_DAYS) : null,
        api.openContradictions(),
        api.consolidation().catch(() => null),
      ]);
      const first = await api.timeline({ buckets: 1 });
      const days = Math.round((startOfDay(Date.now(), 1) - startOfDay(Date.parse(first.since))) / 86_400_000);
      const shown = Math.min(MOST_DAYS, Math.max(FEWEST_DAYS, days));
      const sinceMs = startOfDay(Date.now(), 1 - shown);
      const timeline = await api.timeline({
        since: new Date(sinceMs).toISOString(),
        until: new Date(startOfDay(Date.now(), 1)).toISOString(),
        buckets: shown,
      });
      if (api !== page.api()) return;
      page.fine();
      seen = { health, stats, summary, today, week, contradictions, run, timeline, days: shown };
      draw();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  function draw() {
    if (seen === null) return render(nothing, section);
    const { health, stats, summary, run, timeline } = seen;
    if (stats.totals.total === 0) {
      return render(
        html`<div class="overview-grid">
          <section class="card" aria-label="Agents">${welcome(stats.agent_id, state)}</section>
          ${serviceCard(health)}
        </div>`,
        section,
      );
    }
    render(
      html`
        ${figures()}
        <div class="overview-grid">
          ${memoriesOverTime({
            timeline,
            page,
            by,
            cursor,
            onBy: (/** @type {'agent' | 'kind'} */ chosen) => {
              by = chosen;
              draw();
            },
            onCursor: (/** @type {number | null} */ column) => {
              if (column === cursor) return;
              cursor = column;
              draw();
            },
          })}
          ${freshnessCard(summary, page)}
        </div>
        <div class="overview-thirds">
          ${learntCard()}
          ${shortList({
            title: 'Most recalled',
            note: `${formatShare(1 - summary.never_recalled / Math.max(1, summary.total))} ever recalled`,
            memories: summary.most_recalled.slice(0, RECALLED_SHOWN),
            empty: 'Nobody has recalled anything yet.',
            marks: (/** @type {any} */ memory) => html`<span class="num muted">${memory.recall_count}×</span>`,
          })}
          ${lastRunCard({ run, page, onUndone: () => void load() })}
        </div>
        <div class="overview-grid">${agentTable({ stats, todayBy: countsOfLastDays(timeline, 1), page, isWhole: showsAllAgents, onToggle: toggleAgents })} ${serviceCard(health)}</div>
      `,
      section,
    );
  }

  function toggleAgents() {
    showsAllAgents = !showsAllAgents;
    draw();
  }

  function figures() {
    const { health, stats, summary, today, contradictions } = seen;
    const waiting = health.embedding.pending + health.contradictions.pending;
    const holds = summary.total - summary.superseded - summary.ended;
    const openCount = contradictions.total;
    return tiles([
      { label: 'Memories', value: formatCount(stats.totals.total) },
      { label: 'Learnt today', value: formatCount(today.total) },
      { label: 'Not superseded or ended', value: formatShare(holds / Math.max(1, summary.total)) },
      {
        label: 'Open contradictions',
        value: html`<a href=${page.linkTo({ view: 'contradictions' })}>${formatCount(openCount)}</a>`,
        needsLook: openCount > 0,
      },
      { label: 'Waiting for the models', value: waiting === 0 ? 'none' : formatCount(waiting) },
      { label: 'Agents', value: formatCount(Object.keys(stats.agents).length) },
    ]);
  }

  function learntCard() {
    // Until it is read, what is there stays.
    const isWeek = seen.week !== null;
    const days = isWeek ? WEEK_DAYS : 1;
    const { memories, total } = isWeek ? seen.week : seen.today;
    const listOf = (/** @type {string} */ by) =>
      page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by, from: calendarDay(firstDay(days)) } });
    const choice = (
      /** @type {import('../state/view-state.js').ViewState['learnt']} */ learnt,
      /** @type {string} */ label,
    ) =>
      html`<button type="button" aria-pressed=${learnt === state.learnt} @click=${() => page.go({ learnt }, { isStep: false })}>${label}</button>`;
    return shortList({
      title: isWeek ? 'Learnt in 7 days' : 'Learnt today',
      note: countOf(total, 'memory', 'memories'),
      choice: html`<div class="segmented" role="group" aria-label="Learnt since">${choice('', 'Today')}${choice('week', '7 days')}</div>`,
      lead: teachers(countsOfLastDays(seen.timeline, days), listOf),
      memories,
      empty: isWeek ? 'Nothing in the last 7 days.' : 'Nothing yet today.',
      more: listOf(''),
    });
  }

  /** @param {{ title: string, note: string, memories: any[], empty: string, choice?: unknown, lead?: unknown, more?: string, marks?: (memory: any) => unknown }} list `lead`: what is said before them */
  function shortList({ title, note, memories, empty, choice, lead, more, marks }) {
    return html`
      <section class="card" aria-label=${title}>
        <div class="card-head"><h2>${title}</h2><p class="card-note num">${note}</p>${choice}</div>
        ${lead}
        ${
          memories.length === 0
            ? html`<p class="empty">${empty}</p>`
            : html`<ol class="short-list">
              ${memories.map(
                (memory) => html`<li>
                  <a href=${page.linkTo({ memory: memory.id })}>${memory.gist}</a>
                  <p class="origin"><span class="origin-agent">${memory.agent_id}</span>${instant(memory.created_at)}${marks?.(memory)}</p>
                </li>`,
              )}
            </ol>`
        }
        ${more ? html`<p class="card-foot"><a href=${more}>All of them</a></p>` : nothing}
      </section>
    `;
  }

  return {
    show: () => void load(),
    forget() {
      seen = null;
      cursor = null;
      draw();
    },
    changed: () => void load(),
  };
}

/** The first instant of so many days, of which today is the last. @param {number} days */
const firstDay = (days) => startOfDay(Date.now(), 1 - days);

/** By agent. @param {any} timeline its last span is today @param {number} days @returns {Map<string, number>} */
function countsOfLastDays({ lanes }, days) {
  const counts = new Map();
  for (const { agent_id: agent, counts: ofDays } of lanes)
    for (const count of ofDays.slice(-days)) counts.set(agent, (counts.get(agent) ?? 0) + count);
  return counts;
}

/** From whom, the most first. @param {Map<string, number>} counts @param {(agent: string) => string} listOf */
function teachers(counts, listOf) {
  const known = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  if (known.length === 0) return nothing;
  const left = known.length - TEACHERS_SHOWN;
  return html`
    <ul class="teachers" aria-label="From whom">
      ${known.slice(0, TEACHERS_SHOWN).map(([agent, count]) => html`<li><a class="name" href=${listOf(agent)} title=${agent}>${agent}</a><span class="num">${formatCount(count)}</span></li>`)}
      ${left > 0 ? html`<li>${countOf(left, 'other agent')}</li>` : nothing}
    </ul>
  `;
}

/** @param {any} summary @param {import('../page.js').Page} page */
function freshnessCard(summary, page) {
  const never = page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, recalled: 'never' } });
  const steps = summary.strength.map((/** @type {number} */ value, /** @type {number} */ place) => ({
    name: String(place * 10),
    value,
    className: `fresh-${place}`,
  }));
  const fresh = summary.strength
    .slice(7)
    .reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
  return html`
    <section class="card" aria-label="Freshness">
      <div class="card-head">
        <h2>Freshness</h2>
        <p class="card-note"><span class="num">${formatShare(fresh / Math.max(1, summary.total))}</span> are still strong</p>
      </div>
      ${histogram({ label: 'Memories by strength in per cent', steps })}
      <p class="card-foot">A memory begins at 100 % when it is said or recalled, and fades from then on. The column 70 counts those between 70 and 80 %; from there on they are still strong.</p>
      ${factList([
        ['Superseded', formatCount(summary.superseded)],
        ['Ended', formatCount(summary.ended)],
        ['Never recalled', html`<a href=${never}>${formatCount(summary.never_recalled)}</a>`],
      ])}
    </section>
  `;
}

/** @param {string} agent @param {import('../state/view-state.js').ViewState} state */
function welcome(agent, state) {
  const body = '{"content": "The release is on Friday at noon.", "role": "user"}';
  const whose = new URLSearchParams({
    agent_id: agent,
    ...(state.project !== ALL_PROJECTS && { project: state.project }),
  });
  const command = `curl -X POST '${new URL('./ingest', document.baseURI)}?${whose}' \\\n  -H 'content-type: application/json' -d '${body}'`;
  return html`
    <div class="card-head"><h2>Agents</h2><p class="card-note">as ${agent} sees them${inProject(state)}</p></div>
    <div class="empty">
      <p>Nothing is remembered yet that ${agent} may see${inProject(state)}. Store a first message:</p>
      <pre tabindex="0"><code>${command}</code></pre>
      <p>Or play a week of three agents: <code>npm run demo:memory</code>, or a quarter of eight: <code>npm run demo:team</code></p>
    </div>
  `;
}

/** @param {any} health */
function serviceCard(health) {
  const { embedding, contradictions, persistence } = health;
  const onDisk = persistence.data_dir !== null;
  const waiting = (/** @type {number} */ count) => (count === 0 ? 'none' : countOf(count, 'memory', 'memories'));
  /** @type {[string, unknown, string?][]} */
  const facts = [
    ['Up for', `${formatDuration(health.uptime_seconds)} · version ${health.version}`],
    [
      'Embedding',
      embedding.model === null
        ? 'off: words and entities only'
        : `${embedding.model} · ${embedding.dimension} dimensions`,
    ],
    ['Vectors', formatCount(health.vectors)],
    ['Waiting for a vector', waiting(embedding.pending), embedding.pending === 0 ? '' : 'attention'],
    ['Waiting to be compared', waiting(contradictions.pending), contradictions.pending === 0 ? '' : 'attention'],
    ['Data directory', onDisk ? persistence.data_dir : 'none: nothing outlives a restart', onDisk ? '' : 'attention'],
  ];
  return html`
    <section class="card" aria-labelledby="service-heading">
      <div class="card-head"><h2 id="service-heading">Service</h2><p class="service-state" data-state="ok">Ready</p></div>
      ${factList(facts)}
    </section>
  `;
}
