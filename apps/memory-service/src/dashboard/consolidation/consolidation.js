/** Consolidation: what a run would do, as a before and after; what the last one did, with its undo; and the archive. */

import { confirmed } from '../shared/confirm.js';
import { countOf, formatDuration } from '../shared/format.js';
import { html, nothing, render } from '../shared/template.js';
import { archiveCard } from './archive-card.js';
import { lastRunCard } from './last-run-card.js';
import { readMemories } from './report-memories.js';
import { reportParts } from './report-parts.js';
import { shownIds } from './shown-ids.js';
import { noteUndone } from './undone-runs.js';

/** Of each thing that a run did, how many are shown at first, and how many more on demand. */
const SHOWN_AT_FIRST = 5;
const SHOWN_MORE = 50;
const AT_FIRST = { derived: SHOWN_AT_FIRST, madeOne: SHOWN_AT_FIRST, pruned: SHOWN_AT_FIRST };
const ARCHIVE_PAGE = 20;

/** @typedef {import('../reading/api.js').Api} Api */
/** @typedef {import('./report-memories.js').Memories} Memories */

/** @returns {Memories} */
const noMemories = () => ({ now: new Map(), before: new Map() });

export class Consolidation {
  #section;
  #page;
  /** What the service says of its runs; null before it is known. @type {import('../reading/api.js').Runs | null} */
  #run = null;
  /** What is shown in full: a dry run, or the last run. @type {import('../reading/api.js').Report | null} */
  #report = null;
  /** Those that the report names. */
  #memories = noMemories();
  /** Of that run, what was taken back one by one, with what became of it. @type {Map<string, string>} */
  #undone = new Map();
  #most = AT_FIRST;
  /** Clusters that are shown whole, by their first source. @type {Set<string>} */
  #unfolded = new Set();
  /** @type {import('./archive-card.js').Archive | null} */
  #archive = null;
  /** Why this reader may see nothing of it, in the words of the service or its gateway; else null. @type {string | null} */
  #refusal = null;
  #isBusy = false;

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
  }

  show() {
    void this.#load();
  }

  forget() {
    this.#run = null;
    this.#report = null;
    this.#memories = noMemories();
    this.#most = AT_FIRST;
    this.#archive = null;
    this.#refusal = null;
    this.#draw();
  }

  /** @param {Set<string>} kinds */
  changed(kinds) {
    if (kinds.has('consolidation') || kinds.has('reset')) void this.#load();
  }

  // What is known.

  async #load() {
    const isLoaded = await this.#page.ask(async (api) => {
      const archive = { cursor: null, limit: ARCHIVE_PAGE };
      const answers = await Promise.all([api.consolidation(), api.pruned(archive)]).catch(refusalIn);
      if (api !== this.#page.api()) return false;
      this.#refusal = typeof answers === 'string' ? answers : null;
      if (typeof answers === 'string') return true;
      const [run, pruned] = answers;
      this.#run = run;
      this.#archive = pruned;
      if (!this.#report?.dry_run) await this.#look(run.last_report, api);
      return true;
    });
    if (isLoaded) this.#draw();
  }

  /** Shows a report, with the memories that it names. @param {import('../reading/api.js').Report | null} of null where none has run @param {Api} api */
  async #look(of, api) {
    const before = this.#report;
    const isSameRun = of !== null && of.run_id !== null && of.run_id === before?.run_id;
    if (!isSameRun) this.#undone = new Map();
    // What was taken back is named no more, and stays where it was.
    const report = isSameRun && this.#undone.size > 0 ? { ...of, ids: before.ids } : of;
    const shown = report === null ? { ids: [], absorbed: [] } : shownIds(report, this.#most);
    const known = of === this.#report ? this.#memories : noMemories();
    const read = await readMemories(shown, { known, run: of?.run_id ?? null, api });
    if (api !== this.#page.api()) return;
    for (const id of this.#undone.keys()) {
      const memory = this.#memories.now.get(id);
      if (memory) read.now.set(id, memory);
    }
    this.#report = report;
    this.#memories = read;
  }

  /** @param {keyof typeof AT_FIRST} what */
  async #showMore(what) {
    const before = this.#most[what];
    this.#most = { ...this.#most, [what]: before + SHOWN_MORE };
    const isRead = await this.#page.ask(async (api) => {
      await this.#look(this.#report, api);
      return true;
    });
    if (!isRead) return;
    this.#draw();
    // Where no more are left the button is gone.
    if (document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (
        this.#section.querySelector(`[data-list="${what}"] > li:nth-child(${before + 1})`)
      )?.focus();
  }

  /** @param {string} source */
  #fold(source) {
    if (!this.#unfolded.delete(source)) this.#unfolded.add(source);
    this.#draw();
  }

  async #backToLast() {
    this.#report = null;
    await this.#load();
    // What was pressed is gone.
    /** @type {HTMLElement | null} */ (this.#section.querySelector('h2'))?.focus();
  }

  // Runs.

  async #runNow() {
    if (this.#isBusy) return;
    const chosen = await confirmed({
      title: 'Consolidate now?',
      text: 'What is said twice becomes one memory, each cluster gets a derived memory, and what is old, of little importance and not recalled goes to the archive. The run can be undone, whole or in part.',
      actions: [{ name: 'run', label: 'Consolidate' }],
    });
    if (chosen !== null) await this.#start({}, 'Consolidated.');
  }

  /** Its buttons are not `disabled` meanwhile: that would take the focus from the one that was pressed. @param {object} options @param {string} said */
  async #start(options, said) {
    if (this.#isBusy) return;
    const started = this.#act(said, async (api) => {
      const { report } = await api.consolidate(options);
      await this.#look(report, api);
    });
    this.#draw();
    await started;
  }

  /** Takes back what the last run did to one memory. @param {string} id @param {{ derived?: number, madeOne?: number }} part how many memories it counts for */
  async #undoPart(id, part) {
    const run = this.#report?.run_id ?? null;
    if (this.#isBusy || run === null) return;
    await this.#act('Taken back.', async (api) => {
      const { not_undone: left, removed, put_back: putBack } = await api.undoRun(run, { ids: [id] });
      const [refused] = left;
      if (refused) throw new Error(`It was not taken back: ${refused.reason}.`);
      this.#undone.set(id, whatBecame({ isRemoved: removed.includes(id), isPutBack: putBack.includes(id) }));
      noteUndone(run, part);
    });
    // Its button is gone.
    /** @type {HTMLElement | null} */ (this.#section.querySelector(`[data-part="${CSS.escape(id)}"]`))?.focus();
  }

  /**
   * Does something and reads what is there then.
   * @param {string} said where it is done @param {(api: Api) => Promise<void>} work
   */
  async #act(said, work) {
    const api = this.#page.api();
    this.#isBusy = true;
    const problem = await work(api).then(
      () => null,
      (error) => error,
    );
    this.#isBusy = false;
    if (api !== this.#page.api()) return;
    if (problem === null) this.#page.say(said);
    else this.#page.refused(problem);
    this.#draw();
    await this.#load();
  }

  // The archive.

  async #moreOfArchive() {
    const known = this.#archive;
    if (known === null) return;
    const answer = await this.#page.ask((api) => api.pruned({ cursor: known.next_cursor, limit: ARCHIVE_PAGE }));
    if (!answer) return;
    this.#archive = { ...answer, pruned: [...known.pruned, ...answer.pruned] };
    this.#draw();
    // Who pressed the button goes on behind what was there.
    this.#focusInArchive(`li:nth-child(${known.pruned.length + 1}) .memory-gist`);
  }

  /** Where what had the focus is gone, or another place is meant. @param {string} selector */
  #focusInArchive(selector) {
    /** @type {HTMLElement | null} */ (this.#section.querySelector(`[aria-label="Archive"] ${selector}`))?.focus();
  }

  /** @param {string} id */
  async #restore(id) {
    const answer = await this.#page.ask((api) => api.restore([id]));
    if (!answer) return;
    this.#page.say(answer.restored.length === 0 ? 'It is not in the archive any more.' : 'Restored.');
    const archive = this.#archive;
    if (archive === null) return;
    // The others stay where they are, those of further pages too; what came in the place of this one came back with it.
    const gone = new Set([id, ...answer.restored]);
    const pruned = archive.pruned.filter(({ memory }) => !gone.has(memory.id));
    this.#archive = { ...archive, pruned, total: archive.total - gone.size };
    this.#draw();
    if (document.activeElement === document.body) this.#focusInArchive('h2');
  }

  // What is drawn.

  #draw() {
    if (this.#refusal !== null) return render(html`<p class="card empty">${this.#refusal}</p>`, this.#section);
    const lastRun = {
      run: this.#run,
      page: this.#page,
      onDraw: () => this.#draw(),
      onUndone: () => void this.#backToLast(),
    };
    render(
      html`
        <div class="overview-grid">
          ${this.#reportCard()}
          <div class="stack">${lastRunCard(lastRun)} ${this.#archiveCard()}</div>
        </div>
      `,
      this.#section,
    );
  }

  #reportCard() {
    const report = this.#report;
    return html`
      <div class="card">
        <div class="card-head">
          <h2 tabindex="-1">${report?.dry_run ? 'What a run would do now' : 'What the last run did'}</h2>
          <p class="card-note" role="status">${this.#note()}</p>
        </div>
        <div class="button-row">
          <button type="button" class="button" aria-disabled=${this.#isBusy} @click=${() => void this.#start({ dry_run: true }, 'This is what a run would do.')}>Try a dry run</button>
          <button type="button" class="button" aria-disabled=${this.#isBusy} @click=${() => void this.#runNow()}>Consolidate now …</button>
          ${report?.dry_run ? html`<button type="button" class="button" @click=${() => void this.#backToLast()}>Back to the last run</button>` : nothing}
        </div>
        ${report === null ? html`<p class="empty">None has run yet. A dry run shows what one would do, and changes nothing.</p>` : this.#parts(report)}
      </div>
    `;
  }

  #note() {
    if (this.#isBusy) return 'Going through the memories …';
    if (this.#report === null) return '';
    const { took_ms: tookMs, examined } = this.#report;
    return `${formatDuration(tookMs / 1000)}, ${countOf(examined, 'memory', 'memories')} looked at`;
  }

  /** @param {import('../reading/api.js').Report} report */
  #parts(report) {
    return reportParts({
      report,
      memories: this.#memories,
      undone: this.#undone,
      most: this.#most,
      unfolded: this.#unfolded,
      page: this.#page,
      onMore: (what) => void this.#showMore(what),
      onFold: (source) => this.#fold(source),
      onUndo: (id, part) => void this.#undoPart(id, part),
    });
  }

  #archiveCard() {
    if (this.#archive === null) return nothing;
    return archiveCard(this.#archive, {
      page: this.#page,
      onRestore: (id) => void this.#restore(id),
      onMore: () => void this.#moreOfArchive(),
    });
  }
}

/** The words of a refusal; anything else is thrown on. @param {any} error @returns {string} */
function refusalIn(error) {
  if (error?.status === 403) return error.message;
  throw error;
}

/** @param {{ isRemoved: boolean, isPutBack: boolean }} undone */
function whatBecame({ isRemoved, isPutBack }) {
  if (isRemoved) return 'The derived memory is gone; its sources stay.';
  return isPutBack ? 'It is what it was before the run.' : 'They are separate again.';
}
