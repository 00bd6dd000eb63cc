/** What was done to a memory, latest first, with the words that changed, and a button for each version that it can be made again. */

import { changedText } from '../shared/changed-text.js';
import { formatMoment, instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';

/** @typedef {{ version: string | null, at: string, by: string | null, operation: string, reason: string | null, changed: string[], before: any, after: any }} Version */

const SHORT_VALUE = 80;

/** @param {Version[]} versions @param {{ keptDays: number, onRevert: (version: string) => void }} about */
export function versionList(versions, { keptDays, onRevert }) {
  if (versions.length === 0) {
    const why =
      keptDays === 0 ? 'This server keeps no versions.' : `Nobody has changed it in the last ${keptDays} days.`;
    return html`<p class="empty">${why}</p>`;
  }
  return html`<ol class="versions" aria-label="History">${versions.map((one) => item(one, onRevert))}</ol>`;
}

/** @param {Version} version @param {(version: string) => void} onRevert */
function item({ version, at, by, operation, reason, changed, before, after }, onRevert) {
  const what =
    changed.length > 0 ? `${operation.replace('_', ' ')}: ${changed.join(', ')}` : operation.replace('_', ' ');
  return html`
    <li>
      <p class="origin"><span class="origin-agent">${by ?? 'the service'}</span><span>${what}</span>${instant(at)}</p>
      ${reason === null ? nothing : html`<p>${reason}</p>`}
      ${words(before, after)}
      ${
        before && after
          ? html`<dl class="field-changes">
            ${changed
              .filter((field) => field !== 'gist' && field !== 'content')
              .map(
                (field) =>
                  html`<div><dt>${field}</dt><dd><del>${short(before[field])}</del> <ins>${short(after[field])}</ins></dd></div>`,
              )}
          </dl>`
          : nothing
      }
      ${
        version === null
          ? nothing
          : html`<button type="button" class="button" aria-label=${`Make it what it was before: ${what}, ${formatMoment(Date.parse(at))}`} @click=${() => onRevert(version)}>Make it what it was before</button>`
      }
    </li>
  `;
}

/** @param {any} before @param {any} after */
function words(before, after) {
  if (before && after)
    return before.gist === after.gist
      ? nothing
      : html`<p class="changed-text">${changedText(before.gist, after.gist)}</p>`;
  if (before) return html`<p class="changed-text"><del>${before.gist}</del></p>`;
  return after ? html`<p class="changed-text"><ins>${after.gist}</ins></p>` : nothing;
}

/** @param {unknown} value */
function short(value) {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? listed(value) : JSON.stringify(value ?? null);
  return text.length > SHORT_VALUE ? `${text.slice(0, SHORT_VALUE)}…` : text;
}

/** Tags, ids and entities by their names. @param {any[]} values */
const listed = (values) =>
  values.length === 0
    ? 'none'
    : values.map((one) => one?.name ?? (typeof one === 'string' ? one : JSON.stringify(one))).join(', ');
