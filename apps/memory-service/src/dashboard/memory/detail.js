/** All facts about one memory, beside the view from which it was opened, and what can be done to it. */

import { confirmed } from '../shared/confirm.js';
import { byId } from '../shared/dom.js';
import { html, nothing, render } from '../shared/template.js';
import { NO_CONDITIONS } from '../state/view-state.js';
import { editForm } from './edit-form.js';
import { memoryFacts } from './memory-facts.js';
import { relationParts } from './relations.js';
import { versionList } from './version-list.js';

/** Half of the window of the timeline to which a memory leads. */
const AROUND_MS = 30 * 60_000;
/** What is done to a memory has its own buttons. */
const FORMS = new Set(['edit', 'invalidate', 'absence']);

/** @param {string} at */
const timesAround = (at) => ({
  since: new Date(Date.parse(at) - AROUND_MS).toISOString(),
  until: new Date(Date.parse(at) + AROUND_MS).toISOString(),
  as_of: '',
});

/** The memory that came in its place, where there is one to be seen. @param {any} memory @param {import('../reading/api.js').Api} api */
async function successorOf({ superseded_by: id }, api) {
  return id === null ? null : ((await api.memories([id])).memories[0] ?? null);
}

/** @typedef {{ memory: any, version: string | null }} Read */

/** @param {HTMLDialogElement} dialog @param {import('../page.js').Page} page */
export function createDetail(dialog, page) {
  /** @type {string | null} */ let shown = null;
  /** @type {Read | null} */ let read = null;
  /** @type {any} what it is connected with; null before it is known */ let relations = null;
  /** @type {any} its history; null before it was asked for */ let past = null;
  /** @type {'facts' | 'edit' | 'invalidate' | 'absence' | 'history'} */ let mode = 'facts';
  /** @type {string | null} why a question did not bring it */ let absence = null;
  /** @type {{ text: string, isStale: boolean } | null} */ let problem = null;

  function draw() {
    render(
      html`
        <header class="detail-head">
          <h2 id="detail-heading" tabindex="-1">Memory</h2>
          <button type="button" class="button" @click=${() => dialog.close()}>Close</button>
        </header>
        <p class="banner" role="alert" ?hidden=${problem === null}>
          ${problem?.text ?? nothing}
          ${problem?.isStale ? html`<button type="button" class="button" @click=${() => shown && void load(shown)}>Read it again</button>` : nothing}
        </p>
        <div class="detail-body">${mode === 'history' ? history() : read === null ? nothing : body(read)}</div>
        ${read === null || FORMS.has(mode) ? nothing : html`<div class="detail-actions">${actions(read)}</div>`}
      `,
      dialog,
    );
  }

  /** @param {Read} known */
  function body(known) {
    const { memory } = known;
    if (mode === 'edit')
      return editForm(memory, { onCancel: () => turnTo('facts'), onSave: (change) => save(known, change) });
    if (mode === 'invalidate') return invalidationForm(known);
    if (mode === 'absence') return absenceForm(known);
    return html`${memoryFacts(memory, { page, successor: relations?.successor ?? null })} ${relations === null ? nothing : relationParts(relations, memory, page)}`;
  }

  /** Of a deleted memory too, which is nowhere else. */
  function history() {
    const { id, versions, kept_days: keptDays } = past;
    return html`
      ${read === null ? html`<p class="card-note">Deleted. Until it is erased, or its versions are too old, it can be brought back.</p>` : nothing}
      ${versionList(versions, { keptDays, onRevert: (version) => void revertTo(id, version) })}
    `;
  }

  /** @param {Read} known */
  function actions(known) {
    const { kind, superseded_by, valid_until, created_at } = known.memory;
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, className = 'button') =>
      html`<button type="button" class=${className} @click=${onclick}>${text}</button>`;
    if (mode === 'history') return button('Back', () => turnTo('facts'));
    return [
      button('Edit', () => turnTo('edit', 'textarea')),
      superseded_by !== null &&
        button(
          'Take supersession back',
          () => void change(known, { superseded_by: null }, 'It stands by itself again'),
        ),
      kind === 'episodic' && valid_until === null && button('Invalidate …', () => turnTo('invalidate', 'textarea')),
      kind === 'episodic' &&
        valid_until !== null &&
        button('Take end back', () => void change(known, { valid_until: null }, 'It holds again')),
      button('History', () => void openHistory(known.memory.id)),
      button('Why not recalled …', () => turnTo('absence', 'input')),
      html`<a class="button" href=${page.linkTo({ view: 'timeline', memory: null, times: timesAround(created_at) })}>On the timeline</a>`,
      button('Delete …', () => void ask(known), 'button button-danger'),
    ].filter(Boolean);
  }

  /** @param {typeof mode} to @param {string} [focused] */
  function turnTo(to, focused) {
    mode = to;
    absence = null;
    problem = null;
    draw();
    /** @type {HTMLElement | null} */ (dialog.querySelector(focused ?? '#detail-heading'))?.focus();
  }

  /** @param {unknown} error */
  function failed(error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const isStale = /** @type {any} */ (error).status === 412;
    problem = { text: error instanceof Error ? error.message : String(error), isStale };
    draw();
  }

  /** @param {string} id */
  async function load(id) {
    const api = page.api();
    mode = 'facts';
    problem = null;
    try {
      const answer = await api.memory(id);
      if (api !== page.api() || id !== shown) return;
      read = answer;
      draw();
      const [found, successor] = await Promise.all([api.relations(id), successorOf(answer.memory, api)]);
      if (api !== page.api() || id !== shown) return;
      relations = { ...found, successor };
      draw();
    } catch (error) {
      if (api !== page.api() || id !== shown) return;
      read = null;
      failed(error);
      if (/** @type {any} */ (error).status === 404) void openHistory(id);
    }
  }

  /** @param {string} id */
  async function openHistory(id) {
    const api = page.api();
    try {
      const answer = await api.history(id);
      if (api !== page.api() || id !== shown || (read === null && answer.versions.length === 0)) return;
      past = answer;
      turnTo('history', read === null ? undefined : '.detail-actions button');
    } catch (error) {
      if (read !== null) failed(error);
    }
  }

  /** Where somebody else changed the memory, the form keeps the typed text. @param {Read} known @param {object} changed */
  const save = (known, changed) =>
    saveNow(known.memory.id, 'Saved', async (api) =>
      Object.keys(changed).length === 0 ? known : await api.change(known.memory.id, changed, known.version),
    );

  /** @param {Read} known @param {object} changed @param {string} said */
  const change = (known, changed, said) =>
    saveNow(known.memory.id, said, (api) => api.change(known.memory.id, changed, known.version));

  /** @param {string} id @param {string} version */
  const revertTo = (id, version) => saveNow(id, 'Reverted', (api) => api.revert(id, version));

  /** @param {string} id @param {string} said @param {(api: import('../reading/api.js').Api) => Promise<Read>} make */
  async function saveNow(id, said, make) {
    const api = page.api();
    try {
      const saved = await make(api);
      if (api !== page.api() || id !== shown) return;
      read = saved;
      turnTo('facts');
      page.say(said);
      page.memoryChanged(id, saved.memory);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {Read} known */
  function invalidationForm(known) {
    const { id } = known.memory;
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const reason = /** @type {HTMLTextAreaElement} */ (dialog.querySelector('#invalidation-reason')).value;
      void saveNow(id, 'Invalidated', (api) => api.invalidate(id, reason, known.version));
    };
    return html`
      <form class="edit-form" @submit=${submit}>
        <label class="field" for="invalidation-reason"><span>Why it no longer holds; it stays stored and ranks behind</span>
          <textarea id="invalidation-reason" rows="2" maxlength="1000" required></textarea>
        </label>
        <div class="detail-actions">
          <button type="submit" class="button button-main">Invalidate</button>
          <button type="button" class="button" @click=${() => turnTo('facts')}>Cancel</button>
        </div>
      </form>
    `;
  }

  /** @param {Read} known */
  function absenceForm({ memory }) {
    const { view, query, trust, recall } = page.state;
    const conditions = view === 'search' ? { ...recall, trust } : { ...NO_CONDITIONS, trust: '' };
    const submit = async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const api = page.api();
      const question = /** @type {HTMLInputElement} */ (dialog.querySelector('#absence-question')).value;
      try {
        const { explanation } = await api.whyNot(memory.id, question, conditions);
        if (api !== page.api() || memory.id !== shown || mode !== 'absence') return;
        problem = null;
        absence = explanation;
        draw();
      } catch (error) {
        failed(error);
      }
    };
    return html`
      <form class="edit-form" @submit=${submit}>
        <p class="said">${memory.gist}</p>
        <label class="field" for="absence-question"><span>The question that did not bring it</span>
          <input id="absence-question" type="search" autocomplete="off" required .value=${query}>
        </label>
        <p role="status">${absence ?? nothing}</p>
        <div class="detail-actions">
          <button type="submit" class="button button-main">Ask why</button>
          <button type="button" class="button" @click=${() => turnTo('facts')}>Back</button>
        </div>
      </form>
    `;
  }

  /** @param {Read} known */
  async function ask(known) {
    const chosen = await confirmed({
      title: 'Delete this memory?',
      text: 'It leaves every answer at once, and its history, which is shown then, can bring it back for some days. To erase it leaves nothing of it on the disk.',
      keep: 'Keep it',
      actions: [
        { name: 'delete', label: 'Delete', isDangerous: true },
        { name: 'erase', label: 'Erase for good', isDangerous: true },
      ],
    });
    if (chosen === null || known.memory.id !== shown) return;
    try {
      await page.api().remove(known.memory.id, { erase: chosen === 'erase' });
      page.say(chosen === 'erase' ? 'Erased' : 'Deleted');
      page.memoryChanged(known.memory.id, null);
      if (chosen === 'delete') {
        read = null;
        return void openHistory(known.memory.id);
      }
      dialog.close();
      // The link that opened it disappears with the memory.
      byId('content').focus();
    } catch (error) {
      failed(error);
    }
  }

  function drop() {
    shown = null;
    read = null;
    relations = null;
    past = null;
    absence = null;
    problem = null;
    mode = 'facts';
    draw();
  }

  dialog.addEventListener('close', () => {
    drop();
    if (page.state.memory !== null) page.go({ memory: null });
  });
  // A click beside the dialog hits the dialog element, because the backdrop belongs to it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  return {
    /** Closes the memory when the agent changes, because the other agent may not see it. */
    forget: drop,
    /** @param {string | null} id */
    show(id) {
      if (id === null) {
        if (dialog.open) dialog.close();
        return;
      }
      if (id === shown) return;
      drop();
      shown = id;
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
      /** @type {HTMLElement | null} */ (dialog.querySelector('#detail-heading'))?.focus();
      void load(id);
    },
  };
}
