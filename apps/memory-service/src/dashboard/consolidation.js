/** Consolidation: what a run would do, as a before and after; what the last one did, with its undo; and the archive. */

import { memoryItem } from './memory-item.js';
import { doneBy, lastRunCard } from './run-card.js';
import { changedText } from './shared/changed-text.js';
import { confirmed } from './shared/confirm.js';
import { countOf, formatCount, formatDuration } from './shared/format.js';
import { instant } from './shared/instant.js';
import { html, nothing, render } from './shared/template.js';

/** Memories of one request. */
const MEMORIES_AT_ONCE = 200;
/** Clusters and pairs that are shown; the rest is counted. */
const MOST_SHOWN = 60;
const ARCHIVE_PAGE = 20;

/** @param {HTMLElement} section @param {import('./page.js').Page} page */
export function createConsolidation(section, page) {
  /** @type {any} */ let run = null;
  /** What is shown in full: a dry run, or the last run. @type {any} */ let report = null;
  /** @type {Map<string, any>} */ let memories = new Map();
  /** @type {{ pruned: any[], total: number, next_cursor: string | null } | null} */ let archive = null;
  let isBusy = false;

  async function load() {
    const api = page.api();
    try {
      const [state, pruned] = await Promise.all([
        api.consolidation(),
        api.pruned({ cursor: null, limit: ARCHIVE_PAGE }),
      ]);
      if (api !== page.api()) return;
      page.fine();
      run = state;
      archive = pruned;
      if (report === null || !report.dry_run) await look(state.last_report, api);
      draw();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  /** Reads the memories that a report names. @param {any} of @param {import('./api.js').Api} api */
  async function look(of, api) {
    const found = new Map();
    const ids = [...new Set(of === null ? [] : shownIds(of))];
    for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
      const batch = ids.slice(start, start + MEMORIES_AT_ONCE);
      const answer = await api.memories(batch);
      for (const memory of answer.memories) found.set(memory.id, memory);
    }
    if (api !== page.api()) return;
    report = of;
    memories = found;
  }

  /** @param {object} options @param {string} said */
  async function start(options, said) {
    const api = page.api();
    isBusy = true;
    draw();
    try {
      const answer = await api.consolidate(options);
      await look(answer.report, api);
      if (api !== page.api()) return;
      page.fine();
      page.say(said);
    } catch (error) {
      if (api === page.api()) page.failed(error);
    } finally {
      isBusy = false;
      if (api === page.api()) await load();
    }
  }

  async function runNow() {
    const chosen = await confirmed({
      title: 'Consolidate now?',
      text: 'What is said twice becomes one, clusters get a sentence, and what nobody will miss goes to the archive. The run can be undone.',
      actions: [{ name: 'run', label: 'Consolidate' }],
    });
    if (chosen !== null) await start({}, 'Consolidated.');
  }

  function draw() {
    render(
      html`
        <div class="overview-grid">
          <div class="card">
            <div class="card-head">
              <h2>${report?.dry_run ? 'What a run would do now' : 'What the last run did'}</h2>
              <p class="card-note" role="status">${isBusy ? 'Going through the memories …' : report ? `${formatDuration(report.took_ms / 1000)}, ${countOf(report.examined, 'memory', 'memories')} looked at` : ''}</p>
            </div>
            <div class="button-row">
              <button type="button" class="button" ?disabled=${isBusy} @click=${() => void start({ dry_run: true }, 'This is what a run would do.')}>Try a dry run</button>
              <button type="button" class="button" ?disabled=${isBusy} @click=${() => void runNow()}>Consolidate now …</button>
              ${report?.dry_run ? html`<button type="button" class="button" @click=${backToLast}>Back to the last run</button>` : nothing}
            </div>
            ${report === null ? html`<p class="empty">None has run yet. A dry run shows what one would do, and changes nothing.</p>` : whole(report)}
          </div>
          <div class="stack">
            ${lastRunCard({ run, page, onUndone: () => void load() })}
            ${archiveCard()}
          </div>
        </div>
      `,
      section,
    );
  }

  function backToLast() {
    report = null;
    void load();
  }

  /** @param {any} of */
  function whole(of) {
    const { ids } = of;
    const clusters = [...ids.semantic_created, ...ids.semantic_rebuilt];
    const done = doneBy(of);
    return html`
      ${done.length === 0 ? html`<p class="empty">There is nothing to do: nothing is said twice, no new cluster, nothing to put away.</p>` : html`<p class="done-line">${done.join(', ')}.</p>`}
      ${of.prune_skipped ? html`<p class="card-note">Nothing was put away: ${of.prune_skipped}</p>` : nothing}
      ${
        clusters.length === 0
          ? nothing
          : html`<h3>Sentences and what goes into them</h3>
        <ol class="before-after">${clusters.slice(0, MOST_SHOWN).map(cluster)}</ol>${rest(clusters)}`
      }
      ${
        ids.deduplicated.length === 0
          ? nothing
          : html`<h3>Made one</h3>
        <ol class="before-after">${ids.deduplicated.slice(0, MOST_SHOWN).map(made)}</ol>${rest(ids.deduplicated)}`
      }
      ${
        ids.semantic_removed.length === 0
          ? nothing
          : html`<h3>Derived sentences removed</h3>
        <p class="card-note">${countOf(ids.semantic_removed.length, 'sentence')}, of which fewer than two sources are left.</p>`
      }
      ${
        ids.pruned.length === 0
          ? nothing
          : html`<h3>Put into the archive</h3>
        <ol class="related">${ids.pruned.slice(0, MOST_SHOWN).map((/** @type {string} */ id) => html`<li>${text(id)}</li>`)}</ol>${rest(ids.pruned)}`
      }
    `;
  }

  /** @param {unknown[]} all */
  const rest = (all) =>
    all.length > MOST_SHOWN ? html`<p class="card-note">and ${formatCount(all.length - MOST_SHOWN)} more</p>` : nothing;

  /** @param {{ id: string | null, sources: string[], gist?: string }} one */
  function cluster({ id, sources, gist }) {
    const derived = id === null ? null : (memories.get(id)?.gist ?? null);
    const sentence = gist ?? derived;
    return html`
      <li>
        <ul class="before">${sources.map((source) => html`<li>${text(source)}</li>`)}</ul>
        <p class="after">
          ${
            sentence === null
              ? html`<span class="muted">gone since</span>`
              : html`${id === null ? html`<span class="badge">new</span> ` : nothing}${derived !== null && gist !== undefined && gist !== derived ? changedText(derived, gist) : id === null ? sentence : html`<a href=${page.linkTo({ memory: id })}>${sentence}</a>`}`
          }
        </p>
      </li>
    `;
  }

  /** @param {{ id: string, absorbed: string[] }} one */
  function made({ id, absorbed }) {
    const kept = memories.get(id)?.gist;
    return html`
      <li>
        <ul class="before">
          ${absorbed.map((one) => {
            const said = memories.get(one);
            // After the run its id leads to the memory that it became one with.
            const isApart = said !== undefined && said.id === one;
            return html`<li>${isApart && kept !== undefined ? changedText(kept, said.gist) : html`<span class="memory-link">…${one.slice(-8)}</span>`}</li>`;
          })}
        </ul>
        <p class="after">${text(id)}</p>
      </li>
    `;
  }

  /** @param {string} id */
  function text(id) {
    const memory = memories.get(id);
    if (memory) return html`<a href=${page.linkTo({ memory: id })}>${memory.gist}</a>`;
    return html`<span class="memory-link muted" title=${id}>…${id.slice(-8)}</span>`;
  }

  function archiveCard() {
    if (archive === null) return nothing;
    const { pruned, total, next_cursor: next } = archive;
    return html`
      <section class="card" aria-label="Archive">
        <div class="card-head">
          <h2>Archive</h2>
          <p class="card-note num">${countOf(total, 'memory', 'memories')}</p>
        </div>
        ${pruned.length === 0 ? html`<p class="empty">Nothing was put away in the last 30 days. A run puts away what is old, of little importance and not recalled.</p>` : nothing}
        <ol class="memories">
          ${pruned.map(({ memory, pruned_at, kept_until }) =>
            memoryItem(
              memory,
              page,
              html`<p class="card-note">Put away ${instant(pruned_at)}, kept until ${instant(kept_until)}
                <button type="button" class="button" @click=${() => void restore(memory.id)}>Restore</button></p>`,
            ),
          )}
        </ol>
        ${next === null ? nothing : html`<button type="button" class="button" @click=${() => void moreOfArchive()}>More</button>`}
      </section>
    `;
  }

  async function moreOfArchive() {
    const api = page.api();
    const known = archive;
    if (known === null) return;
    try {
      const answer = await api.pruned({ cursor: known.next_cursor, limit: ARCHIVE_PAGE });
      if (api !== page.api()) return;
      archive = { ...answer, pruned: [...known.pruned, ...answer.pruned] };
      draw();
    } catch (error) {
      page.failed(error);
    }
  }

  /** @param {string} id */
  async function restore(id) {
    const api = page.api();
    try {
      const { restored } = await api.restore([id]);
      page.say(restored.length === 0 ? 'It is not in the archive any more.' : 'Restored.');
      await load();
    } catch (error) {
      page.failed(error);
    }
  }

  return {
    show: () => void load(),
    forget() {
      run = null;
      report = null;
      archive = null;
      memories = new Map();
      draw();
    },
    changed(/** @type {Set<string>} */ kinds) {
      if (kinds.has('consolidation') || kinds.has('reset')) void load();
    },
  };
}

/** The ids of the memories whose words are shown. @param {any} report */
function shownIds({ ids }) {
  const clusters = [...ids.semantic_created, ...ids.semantic_rebuilt].slice(0, MOST_SHOWN);
  return [
    ...clusters.flatMap(({ id, sources }) => (id === null ? sources : [id, ...sources])),
    ...ids.deduplicated.slice(0, MOST_SHOWN).flatMap((/** @type {any} */ { id, absorbed }) => [id, ...absorbed]),
    ...ids.pruned.slice(0, MOST_SHOWN),
  ];
}
