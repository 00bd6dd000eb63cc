/** How the service does: growth, duplicates, secrets, waiting work, and where the time of requests goes. */

import { formatDay } from '../pieces/texts.js';
import { alternative } from '../shared/alternative.js';
import { stackedColumns } from '../shared/chart.js';
import { factList } from '../shared/fact-list.js';
import { countOf, formatCount, formatDuration } from '../shared/format.js';
import { plainTable } from '../shared/plain-table.js';
import { html, nothing, render } from '../shared/template.js';
import { tiles } from '../shared/tiles.js';
import { readMetrics } from './metrics-text.js';

const SPANS = 60;

/** In the order in which a request goes through them. */
const STAGES = ['reading', 'embedding', 'vector_search', 'evidence', 'scoring', 'journal'];

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createHealth(section, page) {
  /** @type {any} */ let seen = null;
  /** @type {number | null} */ let cursor = null;

  async function load() {
    const api = page.api();
    try {
      const [health, timeline, metrics] = await Promise.all([
        api.health(),
        api.timeline({ buckets: SPANS }),
        // Behind a gateway nobody gets them; the rest of the page does without.
        api.metrics().then(readMetrics, () => null),
      ]);
      if (api !== page.api()) return;
      page.fine();
      seen = { health, timeline, metrics };
      draw();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  function draw() {
    if (seen === null) return render(nothing, section);
    const { health, metrics } = seen;
    render(
      html`
        ${metrics === null ? nothing : figures(metrics, health)}
        <div class="overview-grid">
          ${growth(seen.timeline)}
          <section class="card" aria-label="Waiting">
            <div class="card-head"><h2>Waiting and space</h2></div>
            ${factList([
              ['For a vector', waiting(health.embedding.pending)],
              ['To be compared', waiting(health.contradictions.pending)],
              ['Disk', health.persistence.refusal ?? 'takes what it is given'],
              ...(metrics === null ? [] : sizes(metrics)),
            ])}
          </section>
        </div>
        ${metrics === null ? html`<p class="card empty">The figures of requests are in /metrics, which this reader may not ask for.</p>` : stages(metrics)}
      `,
      section,
    );
  }

  /** @param {any} timeline */
  function growth({ since, until, lanes }) {
    const [from, to] = [Date.parse(since), Date.parse(until)];
    const columns = Array.from({ length: SPANS }, (_, place) => formatDay(from + ((to - from) * (place + 1)) / SPANS));
    const series = ['episodic', 'semantic'].map((kind) => {
      let sum = 0;
      const added = columns.map((_, place) =>
        lanes.reduce(
          (/** @type {number} */ all, /** @type {any} */ lane) => all + (lane.kind === kind ? lane.counts[place] : 0),
          0,
        ),
      );
      return {
        name: kind,
        values: added.map((count) => {
          sum += count;
          return sum;
        }),
      };
    });
    return html`
      <section class="card" aria-label="Growth">
        <div class="card-head"><h2>Growth</h2><p class="card-note">by when it was said; what is gone is left out</p></div>
        ${stackedColumns({
          label: 'Memories so far',
          columns,
          series,
          cursor,
          onCursor: (column) => {
            if (column === cursor) return;
            cursor = column;
            draw();
          },
        })}
        ${alternative({
          summary: 'As a table',
          caption: 'Memories so far',
          columns: ['Until', ...series.map(({ name }) => name)],
          rows: () => columns.map((name, place) => [name, ...series.map(({ values }) => values[place] ?? 0)]).reverse(),
        })}
      </section>
    `;
  }

  return {
    show: () => void load(),
    forget() {
      seen = null;
      draw();
    },
    changed: () => void load(),
  };
}

/** @param {import('./metrics-text.js').Metrics} metrics @returns {[string, string][]} */
const sizes = (metrics) => [
  ['Journal', bytes(metrics.value('memory_journal_bytes'))],
  ['Vectors', bytes(metrics.value('memory_vector_bytes'))],
  ['Process', bytes(metrics.value('process_resident_memory_bytes'))],
  ['Room for', countOf(metrics.value('memory_memories_limit'), 'memory', 'memories')],
];

/** @param {import('./metrics-text.js').Metrics} metrics @param {any} health */
function figures(metrics, health) {
  const made = (/** @type {string} */ operation, /** @type {string} */ stage) =>
    formatCount(metrics.value('memory_stage_duration_seconds_count', { operation, stage }));
  return tiles([
    { label: 'Up for', value: formatDuration(health.uptime_seconds) },
    { label: 'Duplicates met', value: formatCount(metrics.value('memory_messages_total', { outcome: 'duplicate' })) },
    {
      label: 'Made one by night',
      value: formatCount(metrics.value('memory_consolidation_changes_total', { change: 'deduplicated' })),
    },
    { label: 'Secrets masked', value: formatCount(metrics.sum('redactions_total')) },
    { label: 'Ingests', value: made('ingest', 'journal') },
    { label: 'Recalls', value: made('recall', 'scoring') },
  ]);
}

/** @param {import('./metrics-text.js').Metrics} metrics */
function stages(metrics) {
  const name = 'memory_stage_duration_seconds';
  const rows = ['ingest', 'recall'].flatMap((operation) =>
    STAGES.map((stage) => {
      const of = { operation, stage };
      const count = metrics.value(`${name}_count`, of);
      return {
        operation,
        stage,
        count,
        mean: metrics.value(`${name}_sum`, of) / count,
        p95: metrics.quantile(name, of, 0.95),
      };
    }).filter(({ count }) => count > 0),
  );
  return html`
    <section class="card" aria-label="Where the time goes">
      <div class="card-head"><h2>Where the time goes</h2><p class="card-note">since the start of the service</p></div>
      ${
        rows.length === 0
          ? html`<p class="empty">Nothing was told or asked since the start.</p>`
          : plainTable({
              caption: 'Stages',
              columns: ['Operation and stage', 'Times', 'Mean', '95 of 100 within'],
              rows: rows.map(({ operation, stage, count, mean, p95 }) => [
                `${operation}: ${stage.replace('_', ' ')}`,
                formatCount(count),
                millis(mean),
                p95 === null ? '–' : millis(p95),
              ]),
            })
      }
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
