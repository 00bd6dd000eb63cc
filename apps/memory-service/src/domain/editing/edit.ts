import { isDeepStrictEqual } from 'node:util';
import { ConflictError, ForbiddenError } from '@agent-faculties/service-kit';
import { readingStep } from '../concurrency/reading-steps.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { actOf, type Operation } from '../memory/change-act.ts';
import { checkedMetadata, trimmedText } from '../memory/limits.ts';
import { type Entity, type Memory, NOT_SUPERSEDED, recallText, type Scope } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { checkExpiry, checkSpan, isEnded, isSameValidity } from '../memory/validity.ts';
import type { Viewer } from '../memory/visibility.ts';
import { readNames } from '../text/entities/entities.ts';
import type { EditDeps } from './edit-deps.ts';
import { checkVersion } from './precondition.ts';
import { readMemory } from './read.ts';
import { rewrite } from './rewrite.ts';
import { standingByItself } from './standing-by-itself.ts';

export interface MemoryChange {
  readonly gist?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly scope?: Scope | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** null takes it back, here and in the next two. */
  readonly validFrom?: number | null | undefined;
  readonly validUntil?: number | null | undefined;
  readonly expiresAt?: number | null | undefined;
  /** null: nothing supersedes it any more. */
  readonly supersededBy?: null | undefined;
}

/**
 * Changes the given fields; a new gist is searchable when this resolves.
 * @param ifMatch an ETag list or `*`; null changes any version
 * @throws NotFoundError, ForbiddenError (scope, by another agent), ConflictError (scope or validity of a semantic memory),
 *   PreconditionFailedError, InvalidInputError
 */
export async function updateMemory(
  deps: EditDeps,
  viewer: Viewer,
  { id, change, ifMatch }: { id: string; change: MemoryChange; ifMatch: string | null },
): Promise<StoredMemory> {
  const make = async (memory: Memory) => {
    checkScope(memory, viewer, change);
    return await changed(deps, memory, change);
  };
  return await changeMemory(deps, viewer, { id, ifMatch, make });
}

export interface Invalidation {
  readonly id: string;
  readonly reason: string;
  /** When it ceased to hold, epoch milliseconds; null: now, or when it has ended already. */
  readonly at: number | null;
  /** An ETag list or `*`; null changes any version. */
  readonly ifMatch: string | null;
}

/**
 * Says that a memory no longer holds, and keeps it. To say the same again changes nothing. It may end before it was to begin.
 * @throws NotFoundError, ForbiddenError, ConflictError (of a semantic memory), PreconditionFailedError, InvalidInputError
 */
export async function invalidateMemory(
  deps: EditDeps,
  viewer: Viewer,
  { id, reason, at, ifMatch }: Invalidation,
): Promise<StoredMemory> {
  const nowMs = Math.floor(deps.clock.now());
  const act = { agentId: viewer.agentId, at: nowMs, reason: trimmedText(reason, 'body/reason') };
  const make = async (memory: Memory) => {
    checkIsSaid(memory);
    const { invalidation, validUntil } = memory;
    const isSame = invalidation?.agentId === act.agentId && invalidation.reason === act.reason;
    if (isSame && (at === null ? isEnded(memory, nowMs) : at === validUntil)) return memory;
    const end = at ?? (isEnded(memory, nowMs) ? validUntil : nowMs);
    if (at !== null) checkSpan({ ...memory, validUntil: at }, 'body', 'at');
    return { ...memory, validUntil: end, invalidation: act, updatedAt: Math.max(nowMs, memory.updatedAt + 1) };
  };
  return await changeMemory(deps, viewer, { id, ifMatch, make, operation: 'invalidate', reason: act.reason });
}

interface Making {
  readonly id: string;
  readonly ifMatch: string | null;
  /** The memory as it is to be; the same object where nothing changes. */
  readonly make: (memory: Memory) => Promise<Memory>;
  /** For the history; absent: an edit without one. */
  readonly operation?: Operation;
  readonly reason?: string | null;
}

async function changeMemory(
  deps: EditDeps,
  viewer: Viewer,
  { id, ifMatch, make, operation = 'edit', reason = null }: Making,
): Promise<StoredMemory> {
  const found = await standingByItself(deps, viewer, { id, ifMatch });
  const tryToChange = async () => {
    const stored = await readMemory(deps, viewer, found.id);
    const before = stored.memory;
    checkVersion(stored, found.ifMatch);
    const memory = await make(before);
    if (memory === before) return stored;
    const isNewText = memory.gistEdited && memory.gist !== before.gist;
    const vectors = isNewText ? await deps.embedding.vectorsOf(memory.gist) : undefined;
    const act = actOf(operation, { agentId: viewer.agentId, at: Math.floor(deps.clock.now()), reason });
    const isTaken = await rewrite({ store: deps.store, now: () => deps.clock.now() }, { before, memory, vectors, act });
    return isTaken ? await readMemory(deps, viewer, found.id) : STALE;
  };
  return await deps.locks.run(found.id, () => untilTaken(tryToChange));
}

export function checkScope(memory: Memory, viewer: Viewer, change: MemoryChange): void {
  if (change.scope === undefined || change.scope === memory.scope) return;
  if (memory.kind === 'semantic') {
    throw new ConflictError(
      'A semantic memory has the scope of its sources: change theirs, and it is derived again from the others.',
      { code: 'scope_of_sources' },
    );
  }
  if (memory.agentId === viewer.agentId) return;
  throw new ForbiddenError(`Only '${memory.agentId}', who created it, may change the scope of this memory.`, {
    code: 'not_the_creator',
  });
}

/** The memory after the change; the same object if nothing changes. */
async function changed({ store, clock }: EditDeps, memory: Memory, change: MemoryChange): Promise<Memory> {
  const gist = change.gist === undefined ? memory.gist : trimmedText(change.gist, 'body/gist');
  const isNewText = gist !== memory.gist;
  const set = {
    ...(isNewText && { entities: await namesIn(store, gist, memory) }),
    ...(change.tags && { tags: change.tags }),
    ...(change.importance !== undefined && { importance: change.importance }),
  };
  const text = { gist, content: memory.content, gistEdited: memory.gistEdited || isNewText };
  const after: Memory = {
    ...memory,
    ...set,
    ...(memory.own && { own: { ...memory.own, ...set } }),
    ...text,
    // The successor was preferred to the old text.
    ...((recallText(text) !== recallText(memory) || change.supersededBy === null) && NOT_SUPERSEDED),
    ...validityAfter(memory, change, clock.now()),
    scope: change.scope ?? memory.scope,
    metadata: change.metadata === undefined ? memory.metadata : checkedMetadata(change.metadata, 'body/metadata'),
  };
  if (isDeepStrictEqual(after, memory)) return memory;
  // Always later than the old version, because If-Match compares it.
  return { ...after, updatedAt: Math.max(Math.floor(clock.now()), memory.updatedAt + 1) };
}

/** @throws ConflictError for a derived memory, of which no validity is kept */
function checkIsSaid({ kind }: Memory): void {
  if (kind === 'episodic') return;
  throw new ConflictError('A semantic memory holds as long as its sources do: change theirs.', {
    code: 'validity_of_sources',
  });
}

/** The validity of a memory after a change. To say anew until when it holds takes an invalidation back. */
function validityAfter(memory: Memory, change: MemoryChange, nowMs: number): Partial<Memory> {
  const { validFrom = memory.validFrom, validUntil = memory.validUntil, expiresAt = memory.expiresAt } = change;
  const after = { validFrom, validUntil, expiresAt };
  if (isSameValidity(after, memory)) return {};
  checkIsSaid(memory);
  if (change.validFrom !== undefined || change.validUntil !== undefined) checkSpan(after, 'body');
  if (change.expiresAt !== undefined) checkExpiry(after, { nowMs, where: 'body' });
  return { ...after, invalidation: change.validUntil === undefined ? memory.invalidation : null };
}

async function namesIn(store: MemoryStore, gist: string, { name, project }: Memory): Promise<readonly Entity[]> {
  const names = await readingStep(gist, () => readNames(gist).by(name));
  const known = await store.knownEntities(names.uncertain, project);
  return names.entities((key) => known.has(key));
}
