/** What a run would do or did, as a before and after: derived memories beside their sources, memories that were made one, the archive. */

import { origin } from '../pieces/memory-item.js';
import { namedFor } from '../pieces/texts.js';
import { changedText } from '../shared/changed-text.js';
import { countOf, formatCount } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing } from '../shared/template.js';
import { doneBy } from './last-run-card.js';
import { clustersOf } from './shown-ids.js';

/** Sources of one derived memory that are shown before all are asked for. */
const SOURCES_AT_FIRST = 2;

/** @typedef {import('./shown-ids.js').Limits} Limits */
/**
 * @typedef {object} Shown what is shown of a run, and what the reader can do there
 * @property {import('../reading/api.js').Report} report
 * @property {import('./report-memories.js').Memories} memories
 * @property {Map<string, string>} undone by memory, what became of it when it was taken back
 * @property {Limits} most
 * @property {Set<string>} unfolded the first source of each cluster that is shown whole
 * @property {import('../page.js').Page} page
 * @property {(what: keyof Limits) => void} onMore
 * @property {(source: string) => void} onFold
 * @property {(id: string, part: { derived?: number, madeOne?: number }) => void} onUndo `part`: how many memories it counts for
 */

/** @param {Shown} shown */
export function reportParts(shown) {
  const { report } = shown;
  const done = doneBy(report);
  return html`
    ${done.length === 0 ? html`<p class="empty">There is nothing to do: nothing is said twice, no new cluster, nothing to put away.</p>` : html`<p class="done-line">${done.join(', ')}.</p>`}
    ${report.prune_skipped ? html`<p class="card-note">Nothing was put away: ${report.prune_skipped}</p>` : nothing}
    ${derivedPart(shown)} ${madeOnePart(shown)} ${removedPart(report)} ${report.dry_run ? prunedPart(shown) : nothing}
  `;
}

/** @param {Shown} shown */
function derivedPart(shown) {
  const clusters = clustersOf(shown.report);
  if (clusters.length === 0) return nothing;
  return html`<h3>Derived memories, beside their sources</h3>
    <ol class="before-after" data-list="derived">${clusters.slice(0, shown.most.derived).map((one) => derivedItem(one, shown))}</ol>${moreOf(clusters, 'derived', shown)}`;
}

/** @param {Shown} shown */
function madeOnePart(shown) {
  /** @type {{ id: string, absorbed: string[] }[]} */
  const madeOne = shown.report.ids.deduplicated;
  if (madeOne.length === 0) return nothing;
  return html`<h3>Made one</h3>
    <ol class="before-after" data-list="madeOne">${madeOne.slice(0, shown.most.madeOne).map((one) => madeOneItem(one, shown))}</ol>${moreOf(madeOne, 'madeOne', shown)}`;
}

/** @param {import('../reading/api.js').Report} report */
function removedPart({ ids }) {
  const { length: count } = ids.semantic_removed;
  if (count === 0) return nothing;
  return html`<h3>Derived memories removed</h3>
    <p class="card-note">${countOf(count, 'memory', 'memories')}, of which fewer than two sources are left.</p>`;
}

/** @param {Shown} shown */
function prunedPart(shown) {
  /** @type {{ pruned: string[] }} */
  const { pruned } = shown.report.ids;
  if (pruned.length === 0) return nothing;
  return html`<h3>Would go into the archive</h3>
    <ol class="related" data-list="pruned">${pruned.slice(0, shown.most.pruned).map((id) => html`<li tabindex="-1">${wordsOf(id, shown)}</li>`)}</ol>${moreOf(pruned, 'pruned', shown)}`;
}

/** @type {Record<keyof Limits, string>} */
const PART_NAMES = { derived: 'derived memories', madeOne: 'made one', pruned: 'would go into the archive' };

/** @param {unknown[]} all @param {number} shown */
const leftOf = (all, shown) => `More: ${formatCount(all.length - shown)} are left`;

/** @param {unknown[]} all @param {keyof Limits} what @param {Shown} shown */
const moreOf = (all, what, { most, onMore }) =>
  all.length > most[what]
    ? html`<button type="button" class="button" aria-label=${namedFor(leftOf(all, most[what]), PART_NAMES[what])} @click=${() => onMore(what)}>${leftOf(all, most[what])}</button>`
    : nothing;

/** @param {{ id: string | null, sources: string[], gist?: string }} cluster @param {Shown} shown */
function derivedItem({ id, sources, gist }, shown) {
  const stored = id === null ? null : (shown.memories.now.get(id)?.gist ?? null);
  const isUndone = id !== null && shown.undone.has(id);
  const [first = ''] = sources;
  const isWhole = shown.unfolded.has(first);
  return html`
    <li tabindex="-1" data-part=${id ?? nothing} data-undone=${isUndone ? 'yes' : nothing}>
      <div>
        <ul class="before">${(isWhole ? sources : sources.slice(0, SOURCES_AT_FIRST)).map((source) => html`<li>${wordsOf(source, shown)}</li>`)}</ul>
        ${showMore({ count: sources.length, first: SOURCES_AT_FIRST, isWhole, onToggle: () => shown.onFold(first), noun: ' sources', about: `: ${gist ?? stored ?? wordsIn(first, shown)}` })}
      </div>
      <div class="after" data-folded=${isWhole || sources.length <= SOURCES_AT_FIRST ? nothing : 'yes'}>
        ${isUndone ? html`<p><del>${gist ?? stored}</del></p>${undoneNote(shown.undone.get(id))}` : derivedWords({ id, stored, planned: gist }, shown)}
      </div>
    </li>
  `;
}

/** @param {{ id: string | null, stored: string | null, planned: string | undefined }} derived `planned`: what a dry run would make of it @param {Shown} shown */
function derivedWords({ id, stored, planned }, shown) {
  if (stored === null && planned === undefined) return html`<span class="muted">gone since</span>`;
  if (id === null) return html`<p><span class="badge">new</span> ${planned}</p>`;
  const isChanged = stored !== null && planned !== undefined && planned !== stored;
  const words = isChanged ? changedText(stored, planned) : (planned ?? stored);
  return html`<p>${words}</p>
    <div class="button-row">
      ${isChanged ? nothing : html`<a class="button" aria-label=${namedFor('Look at it', planned ?? stored ?? '')} href=${shown.page.linkTo({ memory: id })}>Look at it</a>`}
      ${undoButton(id, { derived: 1 }, shown)}
    </div>`;
}

/** @param {{ id: string, absorbed: string[] }} one @param {Shown} shown */
function madeOneItem({ id, absorbed }, shown) {
  const kept = shown.memories.now.get(id);
  return html`
    <li tabindex="-1" data-part=${id} data-undone=${shown.undone.has(id) ? 'yes' : nothing}>
      <ul class="before">${absorbed.map((one) => absorbedItem(one, kept, shown))}</ul>
      <div class="after"><p>${wordsOf(id, shown)}</p>${kept === undefined ? nothing : origin(kept)}${madeOneState({ id, absorbed }, shown)}</div>
    </li>
  `;
}

/** What one of them said, beside what was kept. @param {string} id @param {any} kept undefined where it is not to be seen @param {Shown} shown */
function absorbedItem(id, kept, shown) {
  const said = shown.memories.now.get(id) ?? shown.memories.before.get(id);
  if (!said) return html`<li>${wordsOf(id, shown)}</li>`;
  return html`<li><p>${kept === undefined ? said.gist : changedText(kept.gist, said.gist)}</p>${origin(said)}</li>`;
}

/** @param {{ id: string, absorbed: string[] }} one @param {Shown} shown */
function madeOneState({ id, absorbed }, shown) {
  const { now } = shown.memories;
  if (shown.undone.has(id)) return undoneNote(shown.undone.get(id));
  // After the run the id of each leads to the memory that it became one with.
  const isOne = absorbed.some((one) => !now.has(one));
  if (isOne && now.has(id)) return undoButton(id, { madeOne: absorbed.length }, shown);
  return shown.report.dry_run ? nothing : html`<span class="muted">separate again</span>`;
}

/** @param {string} id @param {{ derived?: number, madeOne?: number }} part @param {Shown} shown */
const undoButton = (id, part, shown) =>
  shown.report.dry_run || !shown.report.run_id
    ? nothing
    : html`<button type="button" class="button" aria-label=${namedFor('Undo this', wordsIn(id, shown))} @click=${() => shown.onUndo(id, part)}>Undo this</button>`;

/** In the place of the button. @param {string | undefined} text */
const undoneNote = (text) => html`<p class="undone"><strong>Undone.</strong> ${text}</p>`;

/** @param {string} id @param {Shown} shown */
const wordsIn = (id, { memories }) => memories.now.get(id)?.gist ?? id;

/** @param {string} id @param {Shown} shown */
function wordsOf(id, { memories, page }) {
  const memory = memories.now.get(id);
  if (memory) return html`<a href=${page.linkTo({ memory: id })}>${memory.gist}</a>`;
  return html`<span class="memory-link muted" title=${id}>…${id.slice(-8)}</span>`;
}
