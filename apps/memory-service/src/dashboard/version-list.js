/** What was done to a memory, latest first, with a button for each version that it can be made again. */

import { el } from './shared/dom.js';

/** @typedef {{ version: string | null, at: string, by: string | null, operation: string, reason: string | null, changed: string[], before: any, after: any }} Version */

/** @param {Version[]} versions @param {{ keptDays: number, onRevert: (version: string) => void }} about */
export function versionList(versions, { keptDays, onRevert }) {
  if (versions.length === 0) {
    const why =
      keptDays === 0 ? 'This server keeps no versions.' : `Nobody has changed it in the last ${keptDays} days.`;
    return el('p', {}, why);
  }
  return el('ol', { class: 'versions', 'aria-label': 'History' }, ...versions.map((one) => item(one, onRevert)));
}

/** @param {Version} version @param {(version: string) => void} onRevert */
function item({ version, at, by, operation, reason, changed, before }, onRevert) {
  const when = el('time', { datetime: at }, new Date(at).toLocaleString());
  const what = changed.length > 0 ? `${operation}: ${changed.join(', ')}` : operation;
  const parts = [el('p', {}, when, ` ${by ?? 'the service'} · ${what}${reason === null ? '' : ` (${reason})`}`)];
  if (before) parts.push(el('blockquote', {}, before.gist));
  if (version !== null) {
    const revert = () => onRevert(version);
    parts.push(el('button', { type: 'button', class: 'button', onclick: revert }, 'Make it this again'));
  }
  return el('li', {}, ...parts);
}
