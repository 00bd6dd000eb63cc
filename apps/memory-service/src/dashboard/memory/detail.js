/** All facts about one memory, beside the view from which it was opened, and what can be done to it. */

import { closeByClickBeside } from '../shared/click-beside.js';
import { confirmed } from '../shared/confirm.js';
import { byId } from '../shared/dom.js';
import { html, nothing, render } from '../shared/template.js';
import { NO_CONDITIONS } from '../state/view-state.js';
import { absenceForm } from './absence-form.js';
import { editForm } from './edit-form.js';
import { invalidationForm } from './invalidation-form.js';
import { button, memoryActions } from './memory-actions.js';
import { memoryFacts } from './memory-facts.js';
import { relationParts } from './relations.js';
import { versionList } from './version-list.js';

/** What is shown: the facts, the history, or a form, which has its own buttons. @typedef {'facts' | 'history' | import('./memory-actions.js').Form} Mode */
/** @typedef {import('../reading/api.js').Api} Api */
/** @typedef {import('../reading/api.js').Read} Read */

/** By form, what has the focus in it. */
const FOCUSED = { edit: 'textarea', invalidate: 'textarea', absence: 'input' };

export class Detail {
  #dialog;
  #page;
  /** The id of the memory. @type {string | null} */
  #shown = null;
  /** @type {Read | null} */
  #read = null;
  /** What it is connected with; null before it is known. @type {(import('../reading/api.js').Relations & { successor: import('../reading/api.js').Memory | null }) | null} */
  #relations = null;
  /** It is not there, or not to be seen, and has no history. */
  #isGone = false;
  /** Its history; null before it was asked for. @type {import('../reading/api.js').Answer<'getMemoryHistory'> | null} */
  #past = null;
  /** @type {Mode} */
  #mode = 'facts';
  /** Why a question did not bring it. @type {string | null} */
  #absence = null;
  /** @type {{ text: string, isStale: boolean } | null} */
  #problem = null;
  /** The id of what is being saved; its buttons are not `disabled` meanwhile, which would take the focus from them. @type {string | null} */
  #saving = null;
  /** Words were typed in a form that changes the memory, and are not saved. */
  #hasTyped = false;
  #isAsking = false;

  /** @param {HTMLDialogElement} dialog @param {import('../page.js').Page} page */
  constructor(dialog, page) {
    this.#dialog = dialog;
    this.#page = page;
    dialog.addEventListener('close', () => {
      this.#drop();
      if (page.state.memory !== null) page.go({ memory: null });
    });
    closeByClickBeside(dialog);
    dialog.addEventListener('input', () => {
      this.#hasTyped = this.#mode !== 'absence';
    });
    dialog.addEventListener('cancel', (event) => this.#keepTyped(event));
    // A browser lets a page refuse `cancel` only a few times in a row, so the key itself is refused.
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing) this.#keepTyped(event);
    });
    addEventListener('beforeunload', (event) => {
      if (this.#hasTyped) event.preventDefault();
    });
  }

  /** @param {string | null} id */
  show(id) {
    const dialog = this.#dialog;
    if (this.#hasTyped) {
      if (id !== this.#shown) void this.#askToLeave();
      return;
    }
    if (id === null) {
      if (dialog.open) dialog.close();
      return;
    }
    if (id === this.#shown) return;
    this.#drop();
    this.#shown = id;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    this.#focus('#detail-heading');
    void this.#load(id);
  }

  /** Reads anew what is shown; a form keeps what it began with, and says so when it is sent. */
  changed() {
    if (this.#shown === null || this.#mode !== 'facts' || this.#isGone || this.#problem?.isStale) return;
    void this.#load(this.#shown);
  }

  /** Closes the memory when the agent changes, because the other agent may not see it. */
  forget() {
    this.#drop();
  }

  #drop() {
    this.#shown = null;
    this.#read = null;
    this.#relations = null;
    this.#isGone = false;
    this.#past = null;
    this.#absence = null;
    this.#problem = null;
    this.#saving = null;
    this.#mode = 'facts';
    this.#hasTyped = false;
    this.#draw();
  }

  /** Of an answer, whether it is still of use. @param {string} id @param {Api} api */
  #isShown(id, api) {
    return api === this.#page.api() && id === this.#shown;
  }

  // What is known.

  /** @param {string} id */
  async #load(id) {
    const api = this.#page.api();
    this.#mode = 'facts';
    this.#hasTyped = false;
    const isWanted = () => this.#isShown(id, api) && this.#mode === 'facts';
    try {
      const read = await api.memory(id);
      if (!isWanted()) return;
      this.#problem = null;
      this.#read = read;
      this.#draw();
      const [relations, successor] = await Promise.all([api.relations(id), successorOf(read.memory, api)]);
      if (!this.#isShown(id, api)) return;
      this.#relations = { ...relations, successor };
      this.#draw();
    } catch (error) {
      if (!isWanted()) return;
      this.#isGone = /** @type {any} */ (error).status === 404;
      if (this.#isGone) this.#read = null;
      this.#failed(error);
      if (this.#isGone) void this.#openHistory(id);
    }
  }

  /** Of a deleted memory too, which is nowhere else. @param {string} id */
  async #openHistory(id) {
    const api = this.#page.api();
    try {
      const past = await api.history(id);
      if (!this.#isShown(id, api) || (this.#read === null && past.versions.length === 0)) return;
      this.#past = past;
      this.#turnTo('history', this.#read === null ? undefined : '.detail-actions button');
    } catch (error) {
      if (this.#read !== null) this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const isStale = /** @type {any} */ (error).status === 412;
    this.#problem = { text: error instanceof Error ? error.message : String(error), isStale };
    this.#draw();
  }

  async #readAgain() {
    if (this.#hasTyped && !(await this.#mayDrop('Read it again without saving?', 'Read it again'))) return;
    if (this.#shown === null) return;
    void this.#load(this.#shown);
    // What was pressed goes.
    this.#focus('#detail-heading');
  }

  // What can be done.

  /** @param {Mode} to @param {string} [focused] */
  #turnTo(to, focused = '#detail-heading') {
    this.#mode = to;
    this.#hasTyped = false;
    this.#absence = null;
    this.#problem = null;
    this.#draw();
    this.#focus(focused);
  }

  /** @param {string} selector */
  #focus(selector) {
    /** @type {HTMLElement | null} */ (this.#dialog.querySelector(selector))?.focus();
  }

  /** @param {Event} closing */
  #keepTyped(closing) {
    if (!this.#hasTyped) return;
    closing.preventDefault();
    void this.#askToLeave();
  }

  #close() {
    if (this.#hasTyped) void this.#askToLeave();
    else this.#dialog.close();
  }

  /** Whether somebody lets the typed words go; null where the question stands already, or the memory goes meanwhile. @param {string} title @param {string} label */
  async #mayDrop(title, label) {
    const id = this.#shown;
    if (this.#isAsking) return null;
    this.#isAsking = true;
    const chosen = await confirmed({
      title,
      text: 'What you typed is not saved.',
      keep: 'Keep typing',
      actions: [{ name: 'drop', label, isDangerous: true }],
    });
    this.#isAsking = false;
    return id === this.#shown ? chosen !== null : null;
  }

  /** Typed words go with the memory only after a question; where they stay, the address leads to the memory again. */
  async #askToLeave() {
    const mayLeave = await this.#mayDrop('Leave without saving?', 'Leave');
    if (mayLeave === null) return;
    const id = this.#shown;
    const wanted = this.#page.state.memory;
    if (!mayLeave) {
      if (wanted !== id) this.#page.go({ memory: id });
      return;
    }
    this.#hasTyped = false;
    this.show(wanted === id ? null : wanted);
  }

  /** Where somebody else changed the memory, the form keeps the typed text. @param {string} id @param {string} said @param {(api: Api) => Promise<Read>} make */
  async #save(id, said, make) {
    // A second press is no second change.
    if (this.#saving === id) return;
    const api = this.#page.api();
    this.#saving = id;
    try {
      const saved = await make(api);
      if (!this.#isShown(id, api)) return;
      this.#read = saved;
      this.#turnTo('facts');
      this.#page.say(said);
      this.#page.memoryChanged(id, saved.memory);
    } catch (error) {
      if (this.#isShown(id, api)) this.#failed(error);
    } finally {
      if (this.#saving === id) this.#saving = null;
    }
  }

  /** @param {Read} known @param {object} change @param {string} said */
  #change({ memory: { id }, version }, change, said) {
    return this.#save(id, said, (api) => api.change(id, change, version));
  }

  /** @param {Read} known @param {object} change empty where nothing was changed */
  #saveEdit(known, change) {
    if (Object.keys(change).length > 0) return this.#change(known, change, 'Saved');
    return this.#save(known.memory.id, 'Saved', async () => known);
  }

  /** @param {import('../reading/api.js').Memory} memory @param {string} question */
  async #askWhyNot({ id }, question) {
    const api = this.#page.api();
    const { view, trust, recall } = this.#page.state;
    const conditions = view === 'search' ? { ...recall, trust } : { ...NO_CONDITIONS, trust: '' };
    try {
      const { explanation } = await api.whyNot(id, question, conditions);
      if (!this.#isShown(id, api) || this.#mode !== 'absence') return;
      this.#problem = null;
      this.#absence = explanation;
      this.#draw();
    } catch (error) {
      if (this.#isShown(id, api)) this.#failed(error);
    }
  }

  /** @param {Read} known */
  async #delete({ memory: { id }, version }) {
    const chosen = await confirmed({
      title: 'Delete this memory?',
      text: 'It leaves every answer at once, and its history, which is shown then, can bring it back for some days. To erase it leaves nothing of it on the disk.',
      keep: 'Keep it',
      actions: [
        { name: 'delete', label: 'Delete', isDangerous: true },
        { name: 'erase', label: 'Erase for good', isDangerous: true },
      ],
    });
    if (chosen === null || id !== this.#shown) return;
    try {
      await this.#page.api().remove(id, { erase: chosen === 'erase', version });
      this.#page.say(chosen === 'erase' ? 'Erased' : 'Deleted');
      this.#page.memoryChanged(id, null);
      if (chosen === 'erase') this.#leave();
      else {
        this.#read = null;
        void this.#openHistory(id);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #leave() {
    this.#dialog.close();
    // The link that opened it disappears with the memory.
    byId('content').focus();
  }

  // What is drawn.

  #draw() {
    render(
      html`
        <header class="detail-head">
          <h2 id="detail-heading" tabindex="-1">Memory</h2>
          ${button('Close', () => this.#close())}
        </header>
        <p class="banner" role="alert" ?hidden=${this.#problem === null}>
          ${this.#problem?.text ?? nothing}
          ${this.#problem?.isStale ? button('Read it again', () => void this.#readAgain()) : nothing}
        </p>
        <div class="detail-body">${this.#body()}</div>
        ${this.#actions()}
      `,
      this.#dialog,
    );
  }

  #body() {
    if (this.#mode === 'history') return this.#past === null ? nothing : this.#history(this.#past);
    const known = this.#read;
    if (known === null) return nothing;
    if (this.#mode === 'facts') return this.#facts(known.memory);
    return this.#form(this.#mode, known);
  }

  /** @param {import('../reading/api.js').Memory} memory */
  #facts(memory) {
    const relations = this.#relations;
    const facts = memoryFacts(memory, { page: this.#page, successor: relations?.successor ?? null });
    return html`${facts} ${relations === null ? nothing : relationParts(relations, memory, this.#page)}`;
  }

  /** @param {import('./memory-actions.js').Form} form @param {Read} known */
  #form(form, known) {
    const { memory, version } = known;
    const onCancel = () => this.#turnTo('facts');
    if (form === 'edit') return editForm(memory, { onCancel, onSave: (change) => this.#saveEdit(known, change) });
    if (form === 'invalidate') {
      const onInvalidate = (/** @type {string} */ reason) =>
        void this.#save(memory.id, 'Invalidated', (api) => api.invalidate(memory.id, reason, version));
      return invalidationForm({ onCancel, onInvalidate });
    }
    return absenceForm(memory, {
      question: this.#page.state.query,
      explanation: this.#absence,
      onAsk: (question) => void this.#askWhyNot(memory, question),
      onCancel,
    });
  }

  /** @param {import('../reading/api.js').Answer<'getMemoryHistory'>} past */
  #history({ id, versions, kept_days: keptDays }) {
    const version = this.#read?.version ?? null;
    const onRevert = (/** @type {string} */ to) =>
      void this.#save(id, 'Reverted', (api) => api.revert(id, { to, version }));
    const whereabouts = versions[0]?.operation === 'prune' ? 'In the archive' : 'Deleted';
    return html`
      ${this.#read === null ? html`<p class="card-note">${whereabouts}. Until it is erased, or its versions are too old, it can be brought back.</p>` : nothing}
      ${versionList(versions, { keptDays, onRevert })}
    `;
  }

  #actions() {
    const known = this.#read;
    if (known === null || this.#mode in FOCUSED) return nothing;
    if (this.#mode === 'history')
      return html`<div class="detail-actions">${button('Back', () => this.#turnTo('facts'))}</div>`;
    const { id } = known.memory;
    return html`<div class="detail-actions">${memoryActions(known.memory, {
      page: this.#page,
      onForm: (form) => this.#turnTo(form, FOCUSED[form]),
      onChange: (change, said) => void this.#change(known, change, said),
      onHistory: () => void this.#openHistory(id),
      onDelete: () => void this.#delete(known),
    })}</div>`;
  }
}

/** The memory that came in its place, where there is one to be seen. @param {import('../reading/api.js').Memory} memory @param {Api} api */
async function successorOf({ superseded_by: id }, api) {
  return id === null ? null : ((await api.memories([id])).memories[0] ?? null);
}
