/** How many runs each type had in a range and how long they took, and what changed between two ranges. Pure. */

import { isClear } from './rank-sum.js';

/** @typedef {{ runs: number, durations: number[], failed: number, median: number | null }} Figures */
/** @typedef {{ ratio: number, kind: 'slower' | 'quicker' | 'same' }} Change by the medians */
/** @typedef {{ figures: Map<string, Figures>, count: number, isCut: boolean }} RangeRead `isCut`: it has more tasks than are read */
/** @typedef {{ type: string, before: Figures | undefined, after: Figures | undefined, change: Change | undefined }} Compared */

/** @param {import('../state/store.js').Task[]} tasks @returns {Map<string, Figures>} by task type */
export function figuresOf(tasks) {
  /** @type {Map<string, import('../state/store.js').Task[]>} */
  const byType = new Map();
  for (const task of tasks) {
    const own = byType.get(task.task_type);
    if (own) own.push(task);
    else byType.set(task.task_type, [task]);
  }
  return new Map([...byType].map(([type, own]) => [type, figuresOfType(own)]));
}

/** @param {import('../state/store.js').Task[]} tasks of one type @returns {Figures} */
function figuresOfType(tasks) {
  const durations = tasks
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ duration_seconds: seconds }) => seconds ?? 0)
    .sort((a, b) => a - b);
  const failed = tasks.filter(({ outcome }) => outcome === 'error' || outcome === 'timeout').length;
  return { runs: tasks.length, durations, failed, median: medianSorted(durations) };
}

/** @param {readonly number[]} sorted */
function medianSorted(sorted) {
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** @param {Map<string, Figures>} a before @param {Map<string, Figures>} b after @returns {Compared[]} the greatest change first */
export function compared(a, b) {
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .map((type) => {
      const [before, after] = [a.get(type), b.get(type)];
      return { type, before, after, change: changeOf(before, after) };
    })
    .sort((one, other) => sizeOf(other.change) - sizeOf(one.change));
}

/** @param {Figures | undefined} before @param {Figures | undefined} after @returns {Change | undefined} */
function changeOf(before, after) {
  if (!before?.median || !after?.median) return undefined;
  const ratio = after.median / before.median;
  const clear = isClear(before.durations, after.durations);
  return { ratio, kind: clear && ratio > 1.1 ? 'slower' : clear && ratio < 0.9 ? 'quicker' : 'same' };
}

/** @param {Change | undefined} change */
const sizeOf = (change) => (change === undefined || change.kind === 'same' ? 0 : Math.abs(Math.log(change.ratio)));
