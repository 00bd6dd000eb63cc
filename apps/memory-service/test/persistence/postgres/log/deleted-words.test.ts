import { expect, test } from '@jest/globals';
import { takesWords } from '../../../../src/persistence/postgres/log/deleted-words.ts';
import type { Change } from '../../../../src/store/changes/change.ts';
import { sampleMemory } from '../../../sample-memory.ts';

const DAY_MS = 86_400_000;
const { id } = sampleMemory(1);
const remove = { op: 'delete', ids: [id] } as const;
const group = (operation: 'delete' | 'erase' | 'edit' | null, changes: readonly object[]) =>
  ({
    op: 'group',
    expected: [],
    changes,
    ...(operation && { act: { operation, agentId: 'ann', at: 0, reason: null, run: null } }),
  }) as Change;

test.each<[string, Change, number, boolean]>([
  ['a delete that keeps a version', group('delete', [remove]), DAY_MS, false],
  ['a delete where no versions are kept', group('delete', [remove]), 0, true],
  ['a delete of nobody', group(null, [remove]), DAY_MS, true],
  ['a delete without a group', remove, DAY_MS, true],
  ['an erasure', group('erase', [remove]), DAY_MS, true],
  ['an erasure of versions', { op: 'erased', ids: [id] }, DAY_MS, true],
  ['an erasure that comes with an edit', group('erase', [{ op: 'update' }, remove]), DAY_MS, true],
  ['an edit', group('edit', [{ op: 'update' }]), 0, false],
])('%s', (_name, change, keptMs, takes) => {
  expect(takesWords(change, keptMs)).toBe(takes);
});
