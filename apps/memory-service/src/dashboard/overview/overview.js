/** What the memory holds and what has happened: over time, today, in the last night, and what waits for somebody. */

import { lastRunCard } from '../consolidation/last-run-card.js';
import { formatShare } from '../shared/format.js';
import { html, nothing, render } from '../shared/template.js';
import { agentTable } from './agent-table.js';
import { comingUpCard } from './coming-up-card.js';
import { countsOfLastDays } from './day-counts.js';
import { figures } from './figures.js';
import { freshnessCard } from './freshness-card.js';
import { learntCard } from './learnt-card.js';
import { memoriesOverTime } from './memories-over-time.js';
import { readOverview } from './read-overview.js';
import { serviceCard } from './service-card.js';
import { shortList } from './short-list.js';
import { welcomeCard } from './welcome-card.js';

const RECALLED_SHOWN = 6;
/** Fewer make no column of their own: their card stands below what was learnt. */
const FEW_RECALLED = 3;
/** With no more memories than these the agents stand below them too. */
const SHORT_LIST = 2;

/** @typedef {import('./read-overview.js').Overview} Seen */

export class Overview {
  #section;
  #page;
  /** What was answered; null before the first answer. @type {Seen | null} */
  #seen = null;
  /** The colours of the chart. @type {'agent' | 'kind'} */
  #by = 'agent';
  /** The column of the chart under the pointer. @type {number | null} */
  #cursor = null;
  #showsAllAgents = false;
  /** Those of the coming days that are shown with all that is on. @type {Set<string>} */
  #wholeDays = new Set();

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
  }

  show() {
    void this.#load();
  }

  forget() {
    this.#seen = null;
    this.#cursor = null;
    this.#wholeDays.clear();
    this.#draw();
  }

  changed() {
    void this.#load();
  }

  async #load() {
    const withWeek = this.#page.state.learnt === 'week';
    const seen = await this.#page.ask((api) => readOverview(api, { withWeek }), { latestOf: this });
    if (!seen) return;
    this.#seen = seen;
    this.#draw();
  }

  #draw() {
    render(this.#seen === null ? nothing : this.#whole(this.#seen), this.#section);
  }

  /** @param {Seen} seen */
  #whole(seen) {
    const { health, stats, summary, latest, run } = seen;
    const hasFew = summary.most_recalled.length < FEW_RECALLED;
    const isShort = hasFew && latest.memories.length <= SHORT_LIST;
    if (stats.totals.total === 0) {
      const welcome = welcomeCard(stats.agent_id, this.#page);
      return html`<div class="overview-grid">${welcome} ${serviceCard(health)}</div>`;
    }
    return html`
      ${figures(seen, this.#page)}
      <div class="overview-grid">${this.#chart(seen.timeline)} ${freshnessCard(summary, this.#page)}</div>
      ${this.#comingUp(seen.agenda)}
      <div class="overview-thirds" data-recalled=${hasFew ? 'few' : nothing}>
        ${learntCard(seen, this.#page)} ${this.#mostRecalled(summary)} ${isShort ? this.#agents(seen) : nothing}
        <div class="overview-service">
          ${lastRunCard({ run, page: this.#page, onDraw: () => this.#draw(), onUndone: () => void this.#load() })} ${serviceCard(health)}
        </div>
      </div>
      ${isShort ? nothing : this.#agents(seen)}
    `;
  }

  /** @param {Seen['timeline']} timeline */
  #chart(timeline) {
    return memoriesOverTime({
      timeline,
      page: this.#page,
      by: this.#by,
      cursor: this.#cursor,
      onBy: (by) => {
        this.#by = by;
        this.#draw();
      },
      onCursor: (column) => {
        if (column === this.#cursor) return;
        this.#cursor = column;
        this.#draw();
      },
    });
  }

  /** @param {Seen['agenda']} agenda */
  #comingUp(agenda) {
    const onToggle = (/** @type {string} */ day) => {
      if (!this.#wholeDays.delete(day)) this.#wholeDays.add(day);
      this.#draw();
    };
    return comingUpCard({ agenda, page: this.#page, wholeDays: this.#wholeDays, onToggle });
  }

  /** @param {Seen['summary']} summary */
  #mostRecalled(summary) {
    const ever = 1 - summary.never_recalled / Math.max(1, summary.total);
    const list = {
      title: 'Most recalled',
      note: `${formatShare(ever)} ever recalled`,
      memories: summary.most_recalled.slice(0, RECALLED_SHOWN),
      empty: 'Nobody has recalled anything yet.',
      marks: (/** @type {import('../reading/api.js').Memory} */ memory) =>
        html`<span class="num muted">${memory.recall_count}×</span>`,
    };
    return shortList(list, this.#page);
  }

  /** @param {Pick<Seen, 'stats' | 'timeline'>} seen */
  #agents({ stats, timeline }) {
    const onToggle = () => {
      this.#showsAllAgents = !this.#showsAllAgents;
      this.#draw();
    };
    const todayBy = countsOfLastDays(timeline, 1);
    return agentTable({ stats, todayBy, page: this.#page, isWhole: this.#showsAllAgents, onToggle });
  }
}
