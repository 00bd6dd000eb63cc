/** How the service does: growth, duplicates, secrets, waiting work, and where the time of requests goes. */

import { factList } from '../shared/fact-list.js';
import { countOf, formatCount, formatDuration } from '../shared/format.js';
import { plainTable } from '../shared/plain-table.js';
import { html, nothing, render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { growthCard, SPANS } from './growth-card.js';
import { readMetrics } from './metrics-text.js';
import { stageCount, stageTimes } from './stage-times.js';

/** @typedef {import('./metrics-text.js').Metrics} Metrics */

export class Health {
  #section;
  #page;
  /** What was answered; null before the first answer. @type {{ health: import('../reading/api.js').Health, timeline: import('../reading/api.js').Answer<'getTimeline'>, metrics: Metrics | null } | null} */
  #seen = null;
  /** The column of the chart under the pointer. @type {number | null} */
  #cursor = null;

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
    this.#draw();
  }

  changed() {
    void this.#load();
  }

  async #load() {
    const seen = await this.#page.ask(read, { latestOf: this });
    if (!seen) return;
    this.#seen = seen;
    this.#draw();
  }

  #draw() {
    if (this.#seen === null) return render(nothing, this.#section);
    const { health, timeline, metrics } = this.#seen;
    const growth = growthCard(timeline, { cursor: this.#cursor, onCursor: (column) => this.#point(column) });
    render(
      html`
        ${metrics === null ? nothing : figures(metrics, health)}
        <div class="overview-grid">${growth} ${waitingCard(health, metrics)}</div>
        ${metrics === null ? html`<p class="card empty">The figures of requests are in /metrics, which this reader may not ask for.</p>` : stageCard(metrics)}
      `,
      this.#section,
    );
  }

  /** @param {number | null} column */
  #point(column) {
    if (column === this.#cursor) return;
    this.#cursor = column;
    this.#draw();
  }
}

/** @param {import('../reading/api.js').Api} api */
async function read(api) {
  const [health, timeline, metrics] = await Promise.all([
    api.health(),
    api.timeline({ buckets: SPANS }),
    // Behind a gateway nobody gets them; the rest of the page does without.
    api.metrics().then(readMetrics, () => null),
  ]);
  return { health, timeline, metrics };
}

/** @param {Metrics} metrics @param {import('../reading/api.js').Health} health */
function figures(metrics, health) {
  const duplicates = metrics.value('memory_messages_total', { outcome: 'duplicate' });
  const madeOne = metrics.value('memory_consolidation_changes_total', { change: 'deduplicated' });
  const ingests = stageCount(metrics, { operation: 'ingest', stage: 'journal' });
  const recalls = stageCount(metrics, { operation: 'recall', stage: 'scoring' });
  const counted = tiles([
    { label: 'Up for', value: formatDuration(health.uptime_seconds) },
    { label: 'Duplicates met', value: formatCount(duplicates) },
    { label: 'Near duplicates made one', value: formatCount(madeOne) },
    { label: 'Secrets masked', value: formatCount(metrics.sum('redactions_total')) },
    { label: 'Ingests', value: formatCount(ingests) },
    { label: 'Recalls', value: formatCount(recalls) },
  ]);
  return html`${counted}<p class="card-note tiles-note">since the start of the service, in all spaces</p>`;
}

/** @param {import('../reading/api.js').Health} health @param {Metrics | null} metrics */
const waitingCard = ({ embedding, contradictions, persistence }, metrics) => html`
  <section class="card" aria-label="Waiting">
    <div class="card-head"><h2>Waiting and room</h2>${metrics === null ? nothing : html`<p class="card-note">sizes are of all spaces</p>`}</div>
    ${factList([
      ['For a vector', waiting(embedding.pending)],
      ['To be compared', waiting(contradictions.pending)],
      ['Writes to the disk', persistence.refusal ?? 'succeed'],
      ...(metrics === null ? [] : sizes(metrics)),
    ])}
  </section>
`;

/** @param {Metrics} metrics @returns {[string, string][]} */
const sizes = (metrics) => [
  ['Journal', bytes(metrics.value('memory_journal_bytes'))],
  ['Vectors', bytes(metrics.value('memory_vector_bytes'))],
  ['Process', bytes(metrics.value('process_resident_memory_bytes'))],
  ['Room for', countOf(metrics.value('memory_memories_limit'), 'memory', 'memories')],
];

/** @param {Metrics} metrics */
function stageCard(metrics) {
  const stages = stageTimes(metrics);
  const table = {
    caption: 'Stages',
    columns: ['Operation and stage', 'Times', 'Mean', 'p95 at most'],
    rows: stages.map(({ operation, stage, count, mean, p95 }) => [
      `${operation}: ${stage.replace('_', ' ')}`,
      formatCount(count),
      millis(mean),
      p95 === null ? '–' : millis(p95),
    ]),
  };
  return html`
    <section class="card" aria-label="Where the time goes">
      <div class="card-head"><h2>Where the time goes</h2><p class="card-note">since the start of the service, in all spaces</p></div>
      ${stages.length === 0 ? html`<p class="empty">Nothing was told or asked since the start.</p>` : plainTable(table)}
    </section>
  `;
}

/** @param {number} count */
const waiting = (count) => (count === 0 ? 'none' : countOf(count, 'memory', 'memories'));
/** @param {number} seconds */
const millis = (seconds) => `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 1)} ms`;
/** @param {number} count */
const bytes = (count) =>
  count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
