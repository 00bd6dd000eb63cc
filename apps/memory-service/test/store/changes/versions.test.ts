import { describe, expect, test } from '@jest/globals';
import type { PastVersion } from '../../../src/domain/memory/history.ts';
import { keptOf, Versions } from '../../../src/store/changes/versions.ts';
import { sampleMemory } from '../../sample-memory.ts';

const memory = sampleMemory(1);

function version(at: number): PastVersion {
  const strength = { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 };
  const made = { operation: 'edit', agentId: 'ann', reason: null, run: null } as const;
  return {
    ...made,
    id: memory.id,
    at,
    before: { memory, strength },
    after: memory.updatedAt,
    released: [],
    contradictions: [],
  };
}

describe('versions', () => {
  test('are all there for a reader, also those that a save leaves to the file meanwhile', async () => {
    const versions = new Versions({ keptMs: 1_000 });
    const filed = keptOf(version(1), { offset: 0, length: 10, check: 'a' });
    const added = keptOf(version(2), null);
    versions.add(filed);
    versions.add(added);
    versions.readFrom(async (lines) => {
      added.line = { offset: 10, length: 10, check: 'b' };
      added.version = null;
      return lines.map(({ check }) => version(check === 'a' ? 1 : 2));
    });
    expect(await versions.versionsOf(memory.id)).toEqual([version(1), version(2)]);
    expect(await versions.versionsOf(memory.id)).toEqual([version(1), version(2)]);
  });
});
