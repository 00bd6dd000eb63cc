/** Consolidation: what a run would do, as a before and after; what the last one did, with its undo; and the archive. */

import { memoryItem, origin } from '../pieces/memory-item.js';
import { changedText } from '../shared/changed-text.js';
import { confirmed } from '../shared/confirm.js';
import { countOf, formatCount, formatDuration } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing, render } from '../shared/template.js';
import { doneBy, lastRunCard, noteUndone } from './run-card.js';

/** Memories of one request. */
const MEMORIES_AT_ONCE = 200;
/** Of each thing that a run did, how many are shown at first, and how many more on demand. */
const SHOWN_AT_FIRST = 5;
const SHOWN_MORE = 50;
const AT_FIRST = { derived: SHOWN_AT_FIRST, madeOne: SHOWN_AT_FIRST, pruned: SHOWN_AT_FIRST };
const ARCHIVE_PAGE = 20;

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createConsolidation(section, page) {
  /** @type {any} */ let run = null;
  /** What is shown in full: a dry run, or the last run. @type {any} */ let report = null;
  /** @type {Map<string, any>} */ let memories = new Map();
  /** What became one with another memory, as it was before; null where that is no longer kept. @type {Map<string, any>} */
  let absorbedBefore = new Map();
  /** Of the last run, what was taken back one by one, with what became of it. @type {Map<string, string>} */ let undone =
    new Map();
  /** How many are shown. */ let most = AT_FIRST;
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

  /** Reads the memories that a report names. @param {any} of @param {import('../reading/api.js').Api} api */
  async function look(of, api) {
    const isSame = of !== null && report !== null && of.run_id !== null && of.run_id === report.run_id;
    if (!isSame) undone = new Map();
    // What was taken back is named no more, and stays where it was.
    const told = isSame && undone.size > 0 ? { ...of, ids: report.ids } : of;
    const found = new Map(of === report ? memories : []);
    const before = new Map(of === report ? absorbedBefore : []);
    /** @type {{ ids: string[], absorbed: string[] }} */
    const shown = told === null ? { ids: [], absorbed: [] } : shownIds(told, most);
    const ids = [...new Set(shown.ids)].filter((id) => !found.has(id) && !before.has(id));
    for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
      const batch = ids.slice(start, start + MEMORIES_AT_ONCE);
      const answer = await api.memories(batch);
      for (const memory of answer.memories) found.set(memory.id, memory);
    }
    const gone = of?.dry_run ? [] : shown.absorbed.filter((id) => !found.has(id) && !before.has(id));
    await Promise.all(gone.map(async (id) => before.set(id, await asBefore(id, of.run_id, api))));
    if (api !== page.api()) return;
    for (const id of undone.keys()) if (memories.has(id)) found.set(id, memories.get(id));
    report = told;
    memories = found;
    absorbedBefore = before;
  }

  /** A memory before a run made it one with another. @param {string} id @param {string} run @param {import('../reading/api.js').Api} api */
  async function asBefore(id, run, api) {
    try {
      const { versions } = await api.history(id);
      return versions.find((/** @type {any} */ one) => one.run_id === run)?.before ?? null;
    } catch (error) {
      if (/** @type {any} */ (error).status === 404) return null;
      throw error;
    }
  }

  /** @param {keyof typeof AT_FIRST} what */
  async function showMore(what) {
    const api = page.api();
    most = { ...most, [what]: most[what] + SHOWN_MORE };
    try {
      await look(report, api);
      draw();
    } catch (error) {
      page.failed(error);
    }
  }

  /** Takes back what the last run did to one memory. @param {string} id @param {{ derived?: number, madeOne?: number }} part how many memories it counts for */
  async function undoPart(id, part) {
    if (isBusy) return;
    const api = page.api();
    /** @type {unknown} */ let problem = null;
    isBusy = true;
    try {
      const { not_undone: left, removed, put_back: putBack } = await api.undoRun(report.run_id, { ids: [id] });
      if (left.length > 0) problem = new Error(`It was not taken back: ${left[0].reason}.`);
      else {
        if (removed.includes(id)) undone.set(id, 'The derived memory is gone; its sources stay.');
        else undone.set(id, putBack.includes(id) ? 'It is what it was before the run.' : 'They are separate again.');
        noteUndone(report.run_id, part);
      }
    } catch (error) {
      problem = error;
    } finally {
      isBusy = false;
    }
    if (api !== page.api()) return;
    if (problem === null) page.say('Taken back.');
    await load();
    // Its button is gone.
    /** @type {HTMLElement | null} */ (section.querySelector(`[data-part="${CSS.escape(id)}"]`))?.focus();
    if (problem !== null) page.failed(problem);
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
      text: 'What is said twice becomes one memory, each cluster gets a derived memory, and what is old, of little importance and not recalled goes to the archive. The run can be undone, whole or in part.',
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
            ${lastRunCard({ run, page, onUndone: backToLast })}
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
          : html`<h3>Derived memories, beside their sources</h3>
        <ol class="before-after">${clusters.slice(0, most.derived).map(cluster)}</ol>${rest(clusters, 'derived')}`
      }
      ${
        ids.deduplicated.length === 0
          ? nothing
          : html`<h3>Made one</h3>
        <ol class="before-after">${ids.deduplicated.slice(0, most.madeOne).map(made)}</ol>${rest(ids.deduplicated, 'madeOne')}`
      }
      ${
        ids.semantic_removed.length === 0
          ? nothing
          : html`<h3>Derived memories removed</h3>
        <p class="card-note">${countOf(ids.semantic_removed.length, 'memory', 'memories')}, of which fewer than two sources are left.</p>`
      }
      ${
        ids.pruned.length === 0 || !of.dry_run
          ? nothing
          : html`<h3>Would go into the archive</h3>
        <ol class="related">${ids.pruned.slice(0, most.pruned).map((/** @type {string} */ id) => html`<li>${text(id)}</li>`)}</ol>${rest(ids.pruned, 'pruned')}`
      }
    `;
  }

  /** @param {unknown[]} all @param {keyof typeof AT_FIRST} what */
  const rest = (all, what) =>
    all.length > most[what]
      ? html`<button type="button" class="button" @click=${() => void showMore(what)}>More: ${formatCount(all.length - most[what])} are left</button>`
      : nothing;

  /** @param {string} id @param {{ derived?: number, madeOne?: number }} part */
  const undoButton = (id, part) =>
    report.dry_run || !report.run_id
      ? nothing
      : html`<button type="button" class="button" @click=${() => void undoPart(id, part)}>Undo this</button>`;

  /** In the place of the button. @param {string | undefined} text */
  const undoneNote = (text) => html`<p class="undone"><strong>Undone.</strong> ${text}</p>`;

  /** @param {{ id: string | null, sources: string[], gist?: string }} one */
  function cluster({ id, sources, gist }) {
    const derived = id === null ? null : (memories.get(id)?.gist ?? null);
    const sentence = gist ?? derived;
    if (id !== null && undone.has(id))
      return html`
        <li tabindex="-1" data-part=${id} data-undone="yes">
          <ul class="before">${sources.map((source) => html`<li>${text(source)}</li>`)}</ul>
          <div class="after"><p><del>${sentence}</del></p>${undoneNote(undone.get(id))}</div>
        </li>
      `;
    return html`
      <li tabindex="-1" data-part=${id ?? nothing}>
        <ul class="before">${sources.map((source) => html`<li>${text(source)}</li>`)}</ul>
        <div class="after">
          ${
            sentence === null
              ? html`<span class="muted">gone since</span>`
              : html`<p>${id === null ? html`<span class="badge">new</span> ` : nothing}${derived !== null && gist !== undefined && gist !== derived ? changedText(derived, gist) : id === null ? sentence : html`<a href=${page.linkTo({ memory: id })}>${sentence}</a>`}</p>${id === null ? nothing : undoButton(id, { derived: 1 })}`
          }
        </div>
      </li>
    `;
  }

  /** @param {{ id: string, absorbed: string[] }} one */
  function made({ id, absorbed }) {
    const kept = memories.get(id);
    // After the run the id of each leads to the memory that it became one with.
    const isOne = absorbed.some((one) => !memories.has(one));
    const isUndone = undone.has(id);
    const state = () => {
      if (isUndone) return undoneNote(undone.get(id));
      if (isOne && kept !== undefined) return undoButton(id, { madeOne: absorbed.length });
      return report.dry_run ? nothing : html`<span class="muted">separate again</span>`;
    };
    return html`
      <li tabindex="-1" data-part=${id} data-undone=${isUndone ? 'yes' : nothing}>
        <ul class="before">
          ${absorbed.map((one) => {
            const said = memories.get(one) ?? absorbedBefore.get(one);
            if (!said) return html`<li>${text(one)}</li>`;
            return html`<li><p>${kept === undefined ? said.gist : changedText(kept.gist, said.gist)}</p>${origin(said)}</li>`;
          })}
        </ul>
        <div class="after"><p>${text(id)}</p>${kept === undefined ? nothing : origin(kept)}${state()}</div>
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
      most = AT_FIRST;
      archive = null;
      memories = new Map();
      draw();
    },
    changed(/** @type {Set<string>} */ kinds) {
      if (kinds.has('consolidation') || kinds.has('reset')) void load();
    },
  };
}

/** The ids of the memories whose words are shown, and those of them that became one with another. @param {any} report @param {typeof AT_FIRST} most */
function shownIds({ ids }, most) {
  const clusters = [...ids.semantic_created, ...ids.semantic_rebuilt].slice(0, most.derived);
  const madeOne = ids.deduplicated.slice(0, most.madeOne);
  const absorbed = madeOne.flatMap((/** @type {any} */ one) => one.absorbed);
  return {
    ids: [
      ...clusters.flatMap(({ id, sources }) => (id === null ? sources : [id, ...sources])),
      ...madeOne.map((/** @type {any} */ { id }) => id),
      ...absorbed,
      ...ids.pruned.slice(0, most.pruned),
    ],
    absorbed,
  };
}
