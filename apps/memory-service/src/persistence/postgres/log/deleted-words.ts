import type { Change } from '../../../store/changes/change.ts';

/**
 * Whether a change takes words away for good, so that no row may hold them for long.
 * @param keptMs how long versions are kept, milliseconds: a delete that keeps a version leaves its words there on purpose
 */
export function takesWords(change: Change, keptMs: number): boolean {
  if (change.op !== 'group') return isDelete(change);
  const { act, changes } = change;
  const isKept = keptMs > 0 && act !== undefined && act.operation !== 'erase';
  return !isKept && changes.some(isDelete);
}

function isDelete({ op }: Change): boolean {
  return op === 'delete' || op === 'erased';
}
