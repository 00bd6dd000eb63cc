import type { components } from '../api.gen.ts';
import { retention } from '../domain/cognition/retention.ts';
import type { Act, Memory } from '../domain/memory/memory.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { formatInstant } from './instant.ts';

type Schemas = components['schemas'];

/** The log field that names the memories that a request stored, changed, showed or deleted. */
export function touched(stored: readonly StoredMemory[]): { memory_ids: string[] } {
  return { memory_ids: stored.map(({ memory }) => memory.id) };
}

export function memoryView({ memory, strength }: StoredMemory, nowMs: number): Schemas['Memory'] {
  return {
    id: memory.id,
    gist: memory.gist,
    content: memory.content,
    tags: [...memory.tags],
    importance: memory.importance,
    agent_id: memory.agentId,
    session_id: memory.sessionId,
    scope: memory.scope,
    project: memory.project,
    kind: memory.kind,
    role: memory.role,
    name: memory.name,
    source: memory.source,
    entities: memory.entities.map(({ name, type }) => ({ name, type })),
    created_at: formatInstant(memory.createdAt),
    updated_at: formatInstant(memory.updatedAt),
    last_recalled_at: formatInstantOrNull(strength.lastRecalledAt),
    recall_count: strength.recallCount,
    strength: Number(retention(strength, { createdAt: memory.createdAt, now: nowMs }).toFixed(4)),
    sources: [...memory.sources],
    consolidated_into: memory.consolidatedInto,
    superseded_by: memory.supersededBy,
    supersession: actView(memory.supersession),
    valid_from: formatInstantOrNull(memory.validFrom),
    valid_until: formatInstantOrNull(memory.validUntil),
    invalidation: actView(memory.invalidation),
    expires_at: formatInstantOrNull(memory.expiresAt),
    metadata: { ...memory.metadata },
  };
}

function actView(act: Act | null): Schemas['Act'] | null {
  return act && { agent_id: act.agentId, at: formatInstant(act.at), reason: act.reason };
}

function formatInstantOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatInstant(milliseconds);
}

export function workingMemoryView(items: readonly Memory[]): Schemas['WorkingMemory'] {
  return items.map(({ id, gist, agentId, role, name, createdAt }) => ({
    id,
    gist,
    agent_id: agentId,
    role,
    name,
    created_at: formatInstant(createdAt),
  }));
}
