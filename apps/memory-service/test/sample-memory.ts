import type { Memory, Strength } from '../src/domain/memory/memory.ts';
import type { Viewer } from '../src/domain/memory/visibility.ts';

/** A memory whose fields depend on its number, every one of them set. */
export function sampleMemory(number: number, changes: Partial<Memory> = {}): Memory {
  const gist = `Memory ${number}: the Kestrel release moved to Friday — “déjà vu” 猫 🐈`;
  return {
    id: `0193a000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    gist,
    content: number % 3 === 0 ? `${gist}\nwith more than the gist` : gist,
    gistEdited: number % 5 === 0,
    tags: number % 2 === 0 ? ['release', 'naïve'] : [],
    importance: (number % 11) / 10,
    agentId: `agent-${number % 3}`,
    sessionId: number % 4 === 0 ? null : `session-${number % 4}`,
    scope: (['TEAM', 'SHARED', 'PRIVATE'] as const)[number % 3] as Memory['scope'],
    project: number % 13 === 12 ? 'web-shop' : null,
    kind: number % 7 === 0 ? 'semantic' : 'episodic',
    role: number % 2 === 0 ? 'user' : null,
    name: number % 2 === 0 ? 'Ann "the hawk"' : null,
    source: 'tool',
    entities: [
      { name: 'Kestrel', type: 'project' },
      { name: `v${number % 4}`, type: 'version' },
    ],
    createdAt: 1_760_000_000_000 + number * 1_000,
    updatedAt: 1_760_000_000_500 + number * 1_000,
    // The id of no memory, because a delete of a source would delete this memory too.
    sources: number % 7 === 0 ? ['0193a000-0000-7000-8000-999999999999'] : [],
    consolidatedInto: null,
    supersededBy: number % 6 === 0 ? '0193a000-0000-7000-8000-000000000001' : null,
    supersession: number % 6 === 0 ? { agentId: 'agent-1', at: 1_760_000_000_700, reason: 'told anew' } : null,
    validFrom: number % 13 === 12 ? 1_750_000_000_000 : null,
    validUntil: number % 13 === 12 ? 1_770_000_000_000 : null,
    invalidation: number % 13 === 12 ? { agentId: 'agent-2', at: 1_760_000_000_800, reason: 'no longer so' } : null,
    expiresAt: number % 13 === 12 ? 1_890_000_000_000 : null,
    metadata: { number, nested: { list: [1, 2.5, null, '\u2028'] } },
    idempotencyKey: number % 2 === 0 ? `key-${number}` : null,
    ...changes,
  };
}

export function sampleStrength(number: number): Strength {
  return {
    lastRecalledAt: number % 2 === 0 ? null : 1_760_000_100_000 + number,
    recallCount: number % 2,
    stabilityDays: 1 + number / 8,
    ...(number % 2 === 1 && { recalledBy: [{ agentId: 'bob', at: 1_760_000_100_000 + number }] }),
  };
}

/** Values that float32 holds exactly, so that they come back unchanged. */
export function sampleVector(seed: number, dimension = DIMENSION): Float32Array {
  return Float32Array.from({ length: dimension }, (_, index) => Math.sin(seed * 7 + index));
}

export const DIMENSION = 4;

/** An agent that asks in all projects. */
export function anyProject(agentId: string): Viewer {
  return { agentId, project: null };
}
