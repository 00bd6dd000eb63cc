/** What the last consolidation did, with a button that takes it back. */

import { confirmed } from '../shared/confirm.js';
import { countOf, formatDuration } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';

/** @typedef {{ derived: number, madeOne: number, isWhole: boolean }} Undone how much of a run was taken back here */

/** A report says what its run did then. By run. @type {Map<string, Undone>} */
const undoneRuns = new Map();

/** @param {string | null} run */
const undoneOf = (run) => undoneRuns.get(run ?? '') ?? { derived: 0, madeOne: 0, isWhole: false };

/** Notes what was taken back. @param {string} run @param {Partial<Undone>} part */
export function noteUndone(run, { derived = 0, madeOne = 0, isWhole = false }) {
  const before = undoneOf(run);
  undoneRuns.set(run, {
    derived: before.derived + derived,
    madeOne: before.madeOne + madeOne,
    isWhole: before.isWhole || isWhole,
  });
}

/** @param {any} report what is left of what it did, in words, and how much was undone */
export function doneBy(report) {
  const undone = undoneOf(report.run_id);
  if (undone.isWhole) return ['The run was undone'];
  const done = [
    [report.semantic_created + report.semantic_rebuilt - undone.derived, 'memory derived', 'memories derived'],
    [report.deduplicated - undone.madeOne, 'memory made one with another', 'memories made one with others'],
    [report.pruned, 'memory put into the archive', 'memories put into the archive'],
    [report.semantic_removed, 'derived memory removed', 'derived memories removed'],
    [report.contradictions ?? 0, 'contradiction found', 'contradictions found'],
    [undone.derived + undone.madeOne, 'undone', 'undone'],
  ].filter(([count]) => count > 0);
  return done.map(([count, one, many]) => countOf(count, one, many));
}

/** @param {{ run: any, page: import('../page.js').Page, onUndone: () => void }} card run: null where this reader may not ask */
export function lastRunCard({ run, page, onUndone }) {
  const report = run?.last_report ?? null;
  return html`
    <section class="card" aria-label="Last consolidation">
      <div class="card-head">
        <h2>Last consolidation</h2>
        ${run?.next_run_at ? html`<p class="card-note">next ${instant(run.next_run_at)}</p>` : nothing}
      </div>
      ${report === null ? html`<p class="empty">${run === null ? 'This reader may not ask for it.' : 'None has run yet.'}</p>` : told(report)}
      ${
        report?.run_id
          ? html`<p class="button-row">
              ${page.state.view === 'consolidation' ? nothing : html`<a class="button" href=${page.linkTo({ view: 'consolidation' })}>Look at it</a>`}
              ${undoButton({ report, page, onUndone })}
            </p>`
          : nothing
      }
    </section>
  `;
}

/** @param {any} report */
function told(report) {
  const done = doneBy(report);
  return html`
    <p>${instant(report.started_at)}, ${formatDuration(report.took_ms / 1000)}, ${countOf(report.examined, 'memory', 'memories')} looked at.</p>
    ${done.length === 0 ? html`<p class="empty">There was nothing to do.</p>` : html`<ul class="done-list">${done.map((one) => html`<li>${one}</li>`)}</ul>`}
    ${report.problem ? html`<p class="banner">${report.problem}</p>` : nothing}
  `;
}

/** @param {{ report: any, page: import('../page.js').Page, onUndone: () => void }} about */
function undoButton({ report, page, onUndone }) {
  if (!report.changed || undoneOf(report.run_id).isWhole) return nothing;
  const ask = async () => {
    const chosen = await confirmed({
      title: 'Undo this run?',
      text: 'What it made one is separate again, what it derived is gone, what it put into the archive is back: each memory that nobody has changed since.',
      actions: [{ name: 'undo', label: 'Undo the run', isDangerous: true }],
    });
    if (chosen === null) return;
    try {
      const { not_undone: left } = await page.api().undoRun(report.run_id);
      if (left.length === 0) noteUndone(report.run_id, { isWhole: true });
      page.say(
        left.length === 0 ? 'Taken back.' : `Taken back, but for ${left.length} that others have changed since.`,
      );
      onUndone();
    } catch (error) {
      page.failed(error);
    }
  };
  return html`<button type="button" class="button" @click=${() => void ask()}>Undo …</button>`;
}
