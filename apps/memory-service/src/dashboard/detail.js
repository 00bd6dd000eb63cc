/** All facts about one memory, beside the view from which it was opened. */

import { createEditForm } from './edit-form.js';
import { memoryFacts } from './memory-facts.js';
import { byId, el } from './shared/dom.js';
import { versionList } from './version-list.js';

/** @param {HTMLDialogElement} dialog @param {import('./page.js').Page} page */
export function createDetail(dialog, page) {
  const heading = el('h2', { id: 'detail-heading', tabindex: '-1' }, 'Memory');
  const problem = el('p', { class: 'banner', role: 'alert', hidden: true });
  const body = el('div', { class: 'detail-body' });
  const actions = el('div', { class: 'detail-actions' });
  dialog.append(
    el(
      'header',
      { class: 'detail-head' },
      heading,
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
    problem,
    body,
    actions,
  );

  /** @type {string | null} */ let shown = null;

  /** @param {unknown} error */
  function failed(error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    problem.hidden = false;
    problem.textContent = error instanceof Error ? error.message : String(error);
  }

  /** @param {string} id */
  async function load(id) {
    const api = page.api();
    problem.hidden = true;
    actions.replaceChildren();
    try {
      const answer = await api.memory(id);
      if (api === page.api() && id === shown) draw(answer);
    } catch (error) {
      if (api !== page.api() || id !== shown) return;
      body.replaceChildren();
      failed(error);
    }
  }

  /** @param {{ memory: any, version: string | null }} read */
  function draw(read) {
    const { memory } = read;
    problem.hidden = true;
    body.replaceChildren(memoryFacts(memory, page));
    const edit = el('button', { type: 'button', class: 'button', onclick: () => openForm(read) }, 'Edit');
    const remove = el(
      'button',
      { type: 'button', class: 'button button-danger', onclick: () => ask(read) },
      'Delete …',
    );
    const history = el('button', { type: 'button', class: 'button', onclick: () => void showHistory(read) }, 'History');
    actions.replaceChildren(edit, ...validityActions(read), history, remove);
  }

  /** @param {{ memory: any, version: string | null }} read */
  async function showHistory(read) {
    const { id } = read.memory;
    const api = page.api();
    try {
      const { versions, kept_days: keptDays } = await api.history(id);
      if (api !== page.api() || id !== shown) return;
      body.replaceChildren(versionList(versions, { keptDays, onRevert: (version) => void revertTo(id, version) }));
      const back = el('button', { type: 'button', class: 'button', onclick: () => draw(read) }, 'Back');
      actions.replaceChildren(back);
      back.focus();
    } catch (error) {
      failed(error);
    }
  }

  /** @param {string} id @param {string} version */
  async function revertTo(id, version) {
    const api = page.api();
    try {
      const reverted = await api.revert(id, version);
      if (api !== page.api() || id !== shown) return;
      draw(reverted);
      heading.focus();
      page.say('Reverted');
      page.memoryChanged(id, reverted.memory);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {{ memory: any, version: string | null }} read */
  function openForm(read) {
    const { id } = read.memory;
    const form = createEditForm(read.memory, {
      onCancel: () => draw(read),
      // Where somebody else changed the memory, the form keeps the typed text, to be compared with the present one.
      onSave: (change) =>
        saveNow(id, 'Saved', async (api) =>
          Object.keys(change).length === 0 ? read : await api.change(id, change, read.version),
        ),
    });
    body.replaceChildren(form);
    actions.replaceChildren();
    form.querySelector('textarea')?.focus();
  }

  /** What may be said of when a memory holds. @param {{ memory: any, version: string | null }} read */
  function validityActions(read) {
    const { kind, superseded_by, valid_until } = read.memory;
    /** @param {string} text @param {() => void} onclick */
    const button = (text, onclick) => el('button', { type: 'button', class: 'button', onclick }, text);
    return [
      superseded_by !== null &&
        button(
          'Take supersession back',
          () => void changeNow(read, { superseded_by: null }, 'It stands by itself again'),
        ),
      kind === 'episodic' && valid_until === null && button('Invalidate …', () => openInvalidation(read)),
      kind === 'episodic' &&
        valid_until !== null &&
        button('Take end back', () => void changeNow(read, { valid_until: null }, 'It holds again')),
    ];
  }

  /** @param {{ memory: any, version: string | null }} read @param {object} change @param {string} said */
  async function changeNow(read, change, said) {
    await saveNow(read.memory.id, said, (api) => api.change(read.memory.id, change, read.version));
  }

  /**
   * @param {string} id @param {string} said
   * @param {(api: import('./api.js').Api) => Promise<{ memory: any, version: string | null }>} save
   */
  async function saveNow(id, said, save) {
    const api = page.api();
    try {
      const changed = await save(api);
      if (api !== page.api() || id !== shown) return;
      draw(changed);
      heading.focus();
      page.say(said);
      page.memoryChanged(id, changed.memory);
    } catch (error) {
      failed(error);
      if (/** @type {any} */ (error).status === 412) offerReload(id);
    }
  }

  /** @param {{ memory: any, version: string | null }} read */
  function openInvalidation(read) {
    const { id } = read.memory;
    const reason = el('textarea', { id: 'invalidation-reason', rows: 2, maxlength: 1_000, required: true });
    const form = el(
      'form',
      { class: 'edit-form' },
      el(
        'label',
        { class: 'field', for: 'invalidation-reason' },
        el('span', {}, 'Why it no longer holds; it stays stored and ranks behind'),
        reason,
      ),
      el(
        'div',
        { class: 'detail-actions' },
        el('button', { type: 'submit', class: 'button button-main' }, 'Invalidate'),
        el('button', { type: 'button', class: 'button', onclick: () => draw(read) }, 'Cancel'),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void saveNow(id, 'Invalidated', (api) => api.invalidate(id, reason.value, read.version));
    });
    body.replaceChildren(form);
    actions.replaceChildren();
    reason.focus();
  }

  /** @param {string} id */
  function offerReload(id) {
    problem.append(
      ' ',
      el('button', { type: 'button', class: 'button', onclick: () => void load(id) }, 'Read it again'),
    );
  }

  /** @param {{ memory: any, version: string | null }} read */
  function ask(read) {
    const keep = el('button', { type: 'button', class: 'button', onclick: () => draw(read) }, 'Keep it');
    const remove = el(
      'button',
      {
        type: 'button',
        class: 'button button-danger',
        onclick: () => void removeNow(read.memory.id, { erase: false }),
      },
      'Delete',
    );
    const erase = el(
      'button',
      { type: 'button', class: 'button button-danger', onclick: () => void removeNow(read.memory.id, { erase: true }) },
      'Erase for good',
    );
    actions.replaceChildren(
      el(
        'p',
        { role: 'alert' },
        'Delete this memory? It leaves every answer at once, and its history can bring it back for some days. To erase it leaves nothing of it on the disk.',
      ),
      keep,
      remove,
      erase,
    );
    keep.focus();
  }

  /** @param {string} id @param {{ erase: boolean }} how */
  async function removeNow(id, how) {
    try {
      await page.api().remove(id, how);
      dialog.close();
      // The link that opened it disappears with the memory.
      byId('content').focus();
      page.say(how.erase ? 'Erased' : 'Deleted');
      page.memoryChanged(id, null);
    } catch (error) {
      failed(error);
    }
  }

  dialog.addEventListener('close', () => {
    shown = null;
    body.replaceChildren();
    if (page.state.memory !== null) page.go({ memory: null });
  });
  // A click beside the dialog hits the dialog element, because the backdrop belongs to it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  return {
    /** Closes the memory when the agent changes, because the other agent may not see it. */
    forget() {
      shown = null;
      body.replaceChildren();
      actions.replaceChildren();
    },
    /** @param {string | null} id */
    show(id) {
      if (id === null) {
        if (dialog.open) dialog.close();
        return;
      }
      if (id === shown) return;
      shown = id;
      if (!dialog.open) dialog.showModal();
      heading.focus();
      void load(id);
    },
  };
}
