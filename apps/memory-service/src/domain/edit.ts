import { type Clock, ForbiddenError, NotFoundError, PreconditionFailedError } from '@agent-faculties/service-kit';
import { readEntities } from './ingest/entities.ts';
import type { KeyedLock } from './keyed-lock.ts';
import { checkedMetadata, trimmedText } from './limits.ts';
import type { Memory, Scope } from './memory.ts';
import type { Kept, MemoryStore } from './memory-store.ts';
import type { TextEmbedding } from './text-embedding.ts';
import { isVisibleTo } from './visibility.ts';

export interface EditDeps {
  readonly clock: Clock;
  readonly store: MemoryStore;
  readonly embedding: TextEmbedding;
  /** By memory id: an edit reads, decides and writes. */
  readonly locks: KeyedLock;
  /** Told of every memory that is gone, so that nothing keeps speaking of it. */
  readonly onRemoved: (ids: readonly string[]) => void;
}

export interface MemoryChange {
  readonly gist?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly scope?: Scope | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Names a version of a memory, for If-Match. */
export function entityTag(memory: Pick<Memory, 'updatedAt'>): string {
  return `"${memory.updatedAt.toString(36)}"`;
}

/** @throws NotFoundError when there is none that the caller may see */
export async function readMemory({ store }: Pick<EditDeps, 'store'>, callerAgentId: string, id: string): Promise<Kept> {
  const kept = await store.find(id);
  if (!kept || !isVisibleTo(callerAgentId, kept.memory)) throw unknownMemory(id);
  return kept;
}

function unknownMemory(id: string): NotFoundError {
  return new NotFoundError(`Memory '${id}' not found: take an id from an answer of ingest, recall or a list.`, {
    code: 'unknown_memory',
  });
}

/**
 * Changes what is given; a new gist is searchable once this resolves.
 * @param ifMatch an ETag list or `*`; null changes any version
 * @throws NotFoundError, ForbiddenError (scope, by another agent), PreconditionFailedError, InvalidInputError
 */
export async function updateMemory(
  deps: EditDeps,
  callerAgentId: string,
  { id, change, ifMatch }: { id: string; change: MemoryChange; ifMatch: string | null },
): Promise<Kept> {
  return await deps.locks.run(id, async () => {
    const kept = await readMemory(deps, callerAgentId, id);
    checkVersion(kept.memory, ifMatch);
    checkScope(kept.memory, callerAgentId, change);
    const memory = changed(deps, kept.memory, change);
    const isNewText = memory.gistEdited && memory.gist !== kept.memory.gist;
    const vectors = isNewText ? await deps.embedding.vectorsOf(memory.gist) : undefined;
    if (!(await deps.store.replace(memory, vectors))) return await readMemory(deps, callerAgentId, id);
    return { memory, strength: kept.strength };
  });
}

export async function deleteMemory(deps: EditDeps, callerAgentId: string, id: string): Promise<void> {
  await readMemory(deps, callerAgentId, id);
  const removed = await deps.store.remove([id]);
  // Somebody else was faster.
  if (removed.length === 0) throw unknownMemory(id);
  deps.onRemoved(removed);
}

/**
 * Deletes what an agent has stored, as far as the caller may see it. Resolves to how many.
 * @throws NotFoundError when that is nothing
 */
export async function deleteAgentMemories(
  deps: EditDeps,
  callerAgentId: string,
  authorAgentId: string,
): Promise<number> {
  const ids: string[] = [];
  for await (const batch of deps.store.scan({ callerAgentId, authorAgentId })) {
    for (const { memory } of batch) ids.push(memory.id);
  }
  const removed = ids.length === 0 ? [] : await deps.store.remove(ids);
  if (removed.length === 0) {
    throw new NotFoundError(`Agent '${authorAgentId}' has no memories here: GET /stats lists the agents that have.`, {
      code: 'no_memories_of_agent',
    });
  }
  deps.onRemoved(removed);
  return removed.length;
}

function checkVersion(memory: Memory, ifMatch: string | null): void {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes(entityTag(memory))) return;
  throw new PreconditionFailedError(
    `Memory '${memory.id}' has changed since that version was read: read it again and decide anew.`,
  );
}

function checkScope(memory: Memory, callerAgentId: string, change: MemoryChange): void {
  if (change.scope === undefined || change.scope === memory.scope || memory.agentId === callerAgentId) return;
  throw new ForbiddenError(`Only '${memory.agentId}', who created it, may change the scope of this memory.`, {
    code: 'not_the_creator',
  });
}

function changed({ store, clock }: EditDeps, memory: Memory, change: MemoryChange): Memory {
  const gist = change.gist === undefined ? memory.gist : trimmedText(change.gist, 'body/gist');
  const isNewText = gist !== memory.gist;
  return {
    ...memory,
    gist,
    gistEdited: memory.gistEdited || isNewText,
    entities: isNewText
      ? readEntities(gist, { speaker: memory.name, isKnown: (key) => store.isKnownEntity(key) })
      : memory.entities,
    tags: change.tags ?? memory.tags,
    importance: change.importance ?? memory.importance,
    scope: change.scope ?? memory.scope,
    metadata: change.metadata === undefined ? memory.metadata : checkedMetadata(change.metadata, 'body/metadata'),
    // Always later than before, because it is the version that If-Match compares.
    updatedAt: Math.max(Math.floor(clock.now()), memory.updatedAt + 1),
  };
}
