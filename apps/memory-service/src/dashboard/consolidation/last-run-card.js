/** What the last consolidation did, with a button that takes it back. */

import { confirmed } from '../shared/confirm.js';
import { countOf, formatDuration } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { isBeingUndone, leftOf, noteUndone, undoing, undoneOf } from './undone-runs.js';

/** @typedef {import('../page.js').Page} Page */

/** In words. @param {import('../reading/api.js').Report} report @returns {string[]} */
export function doneBy(report) {
  const undone = undoneOf(report.run_id);
  if (undone.isWhole) return [`The run was undone${butFor(undone.kept)}`];
  // Read anew, it no longer says how many that were.
  if (report.undone) return ['The run was undone, but for what others had changed before'];
  return leftOf(report, undone).map(([count, one, many]) => countOf(count, one, many));
}

/** @param {number} kept */
const butFor = (kept) =>
  kept === 0 ? '' : `, but for ${countOf(kept, 'memory', 'memories')} that others have changed since`;

/** @param {{ run: import('../reading/api.js').Runs | null, page: Page, onDraw: () => void, onUndone: () => void }} card run: null where this reader may not ask; onDraw: another state of its button */
export function lastRunCard({ run, page, onDraw, onUndone }) {
  const report = run?.last_report ?? null;
  return html`
    <section class="card" aria-label="Last consolidation">
      <div class="card-head">
        <h2>Last consolidation</h2>
        ${run?.next_run_at ? html`<p class="card-note">next ${instant(run.next_run_at)}</p>` : nothing}
      </div>
      ${report === null ? noRun({ run, page }) : told(report)}
      ${report?.run_id ? html`<p class="button-row">${lookLink(page)} ${undoButton({ report, page, onDraw, onUndone })}</p>` : nothing}
    </section>
  `;
}

/** @param {{ run: import('../reading/api.js').Runs | null, page: Page }} about */
function noRun({ run, page }) {
  if (run === null) return html`<p class="empty">This reader may not ask for it.</p>`;
  return html`
    <p class="empty">None has run yet. A run makes one memory of near duplicates, derives one from each cluster, and puts old memories that nobody recalls into the archive.</p>
    ${page.state.view === 'consolidation' ? nothing : html`<p class="button-row"><a class="button" href=${page.linkTo({ view: 'consolidation' })}>Try a dry run</a></p>`}
  `;
}

/** @param {import('../reading/api.js').Report} report */
function told(report) {
  const done = doneBy(report);
  return html`
    <p>${instant(report.started_at)}, ${formatDuration(report.took_ms / 1000)}, ${countOf(report.examined, 'memory', 'memories')} looked at.</p>
    ${done.length === 0 ? html`<p class="empty">There was nothing to do.</p>` : html`<ul class="done-list">${done.map((one) => html`<li>${one}</li>`)}</ul>`}
    ${report.problem ? html`<p class="banner">${report.problem}</p>` : nothing}
  `;
}

/** @param {Page} page */
const lookLink = (page) =>
  page.state.view === 'consolidation'
    ? nothing
    : html`<a class="button" href=${page.linkTo({ view: 'consolidation' })}>Look at it</a>`;

/** @param {{ report: import('../reading/api.js').Report, page: Page, onDraw: () => void, onUndone: () => void }} about */
function undoButton({ report, page, onDraw, onUndone }) {
  const { run_id: id } = report;
  if (!report.changed || id === null || report.undone || undoneOf(id).isWhole) return nothing;
  const isBusy = isBeingUndone(id);
  const undo = async () => {
    if (!isBusy && (await undoRun(id, { page, onDraw }))) onUndone();
  };
  // Not `disabled`: that would take the focus from it.
  return html`<button type="button" class="button" aria-disabled=${isBusy} @click=${() => void undo()}>${isBusy ? 'Being undone …' : 'Undo …'}</button>`;
}

/** Whether somebody wanted it and it went. @param {string} run @param {{ page: Page, onDraw: () => void }} about */
async function undoRun(run, { page, onDraw }) {
  const chosen = await confirmed({
    title: 'Undo this run?',
    text: 'What it made one is separate again, what it derived is gone, what it put into the archive is back: each memory that nobody has changed since.',
    actions: [{ name: 'undo', label: 'Undo the run', isDangerous: true }],
  });
  if (chosen === null) return false;
  const undone = undoing(
    run,
    page.ask((api) => api.undoRun(run)),
  );
  onDraw();
  const answer = await undone;
  if (!answer) {
    onDraw();
    return false;
  }
  const { set_apart: setApart, removed, put_back: putBack, restored, not_undone: left } = answer;
  // Somebody else may have undone it; the report that is read now says so.
  const isNothing = [setApart, removed, putBack, restored].every((ids) => ids.length === 0);
  if (!isNothing) noteUndone(run, { isWhole: true, kept: left.length });
  page.say(isNothing ? 'Nothing of it was left to take back.' : `Taken back${butFor(left.length)}.`);
  return true;
}
