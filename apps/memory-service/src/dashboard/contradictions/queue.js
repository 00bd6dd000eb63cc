/** In which order contradictions are to be decided, and what a key means there. Pure. */

import { speakersOf } from './speaker-pairs.js';

/** @typedef {{ id: string, a: import('./speaker-pairs.js').Said & { memory_id: string }, b: import('./speaker-pairs.js').Said & { memory_id: string } }} Contradiction */
/** @typedef {typeof import('../state/view-state.js').TABS[number]} Tab what is shown: of the first two each waits for somebody */
/** @typedef {'undo' | 'skip' | 'compatible' | { dismiss: true } | { winner: string }} Meaning `compatible` is an opinion; the last two are verdicts */

/** By key what it decides. @type {Record<string, 'a' | 'b' | 'both' | 'skip' | 'undo'>} */
const KEYS = { a: 'a', b: 'b', d: 'both', s: 'skip', u: 'undo' };

/** @param {Tab} tab */
export const isQueue = (tab) => tab === 'open' || tab === 'doubtful';

/**
 * The one that was shown as the next comes first, then those that were not skipped; of the others the one that was skipped last
 * comes last, so that they come round again.
 * @template {Contradiction} T @param {readonly T[]} items
 * @param {{ pair: string | null, nextId: string | null, skipped: readonly string[] }} queue `pair`: the speakers whose contradictions are shown, as `speakersOf` names them; null for all
 */
export function inOrder(items, { pair, nextId, skipped }) {
  const turns = new Map(skipped.map((id, turn) => [id, 2 + turn]));
  const rankOf = (/** @type {string} */ id) => turns.get(id) ?? (id === nextId ? 0 : 1);
  return items
    .filter((one) => pair === null || speakersOf(one) === pair)
    .sort((one, other) => rankOf(one.id) - rankOf(other.id));
}

/** Null where the key means nothing. @param {string} key @param {{ tab: Tab, next: Contradiction | undefined }} shown @returns {Meaning | null} */
export function meaningOf(key, { tab, next }) {
  const meant = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (meant === undefined || meant === 'undo') return meant ?? null;
  if (next === undefined || !isQueue(tab)) return null;
  if (meant === 'skip') return 'skip';
  if (tab === 'doubtful') return meant === 'both' ? 'compatible' : null;
  return meant === 'both' ? { dismiss: true } : { winner: next[meant].memory_id };
}
