import { isDeepStrictEqual } from 'node:util';
import {
  type Clock,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnavailableError,
} from '@agent-faculties/service-kit';
import type { ProcessState } from '../cognition/process-state.ts';
import { readingStep } from '../concurrency/reading-steps.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import type { PrunedArchive } from '../consolidation/pruning/pruned-archive.ts';
import { rederiving } from '../consolidation/rederive.ts';
import { removeWords } from '../consolidation/remove-words.ts';
import { settingOneApart } from '../consolidation/set-apart.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import type { TextEmbedding } from '../embedding/text-embedding.ts';
import { actOf, type ChangeAct, type Operation } from '../memory/change-act.ts';
import { versionOf } from '../memory/decision.ts';
import type { MemoryHistory } from '../memory/history.ts';
import { checkedMetadata, trimmedText } from '../memory/limits.ts';
import { type Entity, idsOfWords, type Memory, NOT_SUPERSEDED, recallText, type Scope } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { checkExpiry, checkSpan, isEnded, isSameValidity } from '../memory/validity.ts';
import { isChangeableBy, isVisibleTo, type Viewer } from '../memory/visibility.ts';
import { readNames } from '../text/entities.ts';
import { checkVersion } from './precondition.ts';
import { rewrite } from './rewrite.ts';

export interface EditDeps extends Pick<ProcessState, 'locks' | 'workingMemory'> {
  readonly clock: Clock;
  readonly store: MemoryStore & ConsolidationStore & ContradictionStore;
  /** The archive, which deletes reach too; null where nothing is kept on disk. */
  readonly archive: PrunedArchive | null;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  readonly embedding: TextEmbedding;
  /** Saves, where anything is kept on disk. @throws UnavailableError when the disk refuses */
  readonly saveNow: () => Promise<void>;
  /** Called after memories were deleted, so that a save takes them off the disk. */
  readonly saveAfterDelete: () => void;
}

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

/** How often to scan: consolidation may move a memory across the position of a scan, and a second scan finds it. */
const SCANS = 2;

/** Finds a memory by its id, or by that of one that it absorbed. @throws NotFoundError when there is none that the caller may see */
export async function readMemory(
  { store }: { readonly store: Pick<MemoryStore, 'find'> },
  viewer: Viewer,
  id: string,
): Promise<StoredMemory> {
  const stored = await store.find(id);
  if (!stored || !isVisibleTo(viewer, stored.memory)) throw unknownMemory(id);
  return stored;
}

/** The memories of these ids that the viewer sees, by id, in the order of the ids. */
export async function readMemories(
  { store }: Pick<EditDeps, 'store'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMemory>> {
  const found = new Map<string, StoredMemory>();
  for (const id of ids) {
    const stored = await store.find(id);
    if (stored && isVisibleTo(viewer, stored.memory)) found.set(id, stored);
  }
  return found;
}

export function unknownMemory(id: string): NotFoundError {
  return new NotFoundError(`Memory '${id}' not found: take an id from an answer of ingest, recall or a list.`, {
    code: 'unknown_memory',
  });
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
  /** As for an update. */
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

/**
 * The memory of an id, to be changed or deleted. If a memory of another agent absorbed it, it first becomes separate again, so that
 * no memory changes because of the words of another agent.
 * @throws NotFoundError, PreconditionFailedError
 */
async function standingByItself(
  deps: EditDeps,
  viewer: Viewer,
  { id, ifMatch }: { id: string; ifMatch: string | null },
): Promise<{ id: string; ifMatch: string | null }> {
  const { store } = deps;
  return await untilTaken(async () => {
    const stored = await readMemory(deps, viewer, id);
    const { memory } = stored;
    checkProject(memory, viewer);
    const apart = memory.id === id ? null : await settingOneApart(store, memory, id);
    if (!apart) return { id: memory.id, ifMatch };
    // A reader of this id was shown the version of the survivor.
    checkVersion(stored, ifMatch);
    const { id: survivor, updatedAt } = memory;
    const update = { op: 'update', memory: { ...apart.alone, updatedAt: updatedAt + 1 } } as const;
    const group = {
      expected: [{ id: survivor, updatedAt }],
      changes: [update, ...apart.changes],
      act: actNow(deps, viewer, 'set_apart'),
    };
    const isApart = await rederivingAfter(deps, [survivor], () => store.changeTogether(group));
    return isApart ? { id, ifMatch: null } : STALE;
  });
}

function actNow({ clock }: Pick<EditDeps, 'clock'>, { agentId }: Viewer, operation: Operation): ChangeAct {
  return actOf(operation, { agentId, at: Math.floor(clock.now()) });
}

async function rederivingAfter<T>(deps: EditDeps, ids: readonly string[], change: () => Promise<T>): Promise<T> {
  return await rederiving({ store: deps.store, now: () => deps.clock.now() }, ids, change);
}

/** A deletion; with `erase` it leaves nothing on the disk. */
export interface Deletion {
  /** An ETag list or `*`; null deletes any version. */
  readonly ifMatch: string | null;
  /** Whether to leave nothing of it in the history, the archive, the journal and later backups. */
  readonly erase: boolean;
}

/**
 * Deletes a memory, those that it absorbed, and its copies in the archive. Of a memory that another agent's absorbed, it deletes
 * only that memory. An erasure also removes the rest of a memory that was deleted before.
 * @throws NotFoundError, PreconditionFailedError, UnavailableError where the disk refuses to forget it
 */
export async function deleteMemory(
  deps: EditDeps,
  viewer: Viewer,
  { id, ifMatch, erase }: Deletion & { id: string },
): Promise<void> {
  const { store, archive } = deps;
  const tryToDelete = async () => {
    if (await deletePruned(deps, viewer, id)) return [id];
    const left = erase ? await leftOf(deps, viewer, id) : [];
    if (left.length > 0) return left;
    const whose = await standingByItself(deps, viewer, { id, ifMatch });
    const stored = await readMemory(deps, viewer, whose.id);
    checkVersion(stored, whose.ifMatch);
    const { memory } = stored;
    const changes = [{ op: 'delete', ids: [memory.id] }] as const;
    const decision = { expected: [versionOf(memory)], changes, act: deletingAct(deps, viewer, erase) };
    const isTaken = await rederivingAfter(deps, [memory.id], () => store.changeTogether(decision));
    if (!isTaken) return STALE;
    // An interrupted consolidation may have left it in the archive too.
    await archive?.remove([memory.id]);
    return idsOfWords(memory);
  };
  const gone = await untilTaken(tryToDelete);
  forget(deps, gone);
  if (erase) await eraseFromDisk(deps, gone);
}

function deletingAct(deps: EditDeps, viewer: Viewer, erase: boolean): ChangeAct {
  return actNow(deps, viewer, erase ? 'erase' : 'delete');
}

/** Of a memory that is in no answer any more: takes it, or what absorbed it, out of the store where it has expired; resolves to the ids to be erased. */
async function leftOf(deps: EditDeps, viewer: Viewer, id: string): Promise<readonly string[]> {
  const expired = await removeExpired(deps, viewer, (memory) => idsOfWords(memory).includes(id));
  return expired.length > 0 || !(await isOnlyInHistory(deps, viewer, id)) ? expired : [id];
}

/** Resolves to the ids of those that were removed, and of those that they absorbed. */
async function removeExpired(
  { store }: EditDeps,
  viewer: Viewer,
  isWanted: (memory: Memory) => boolean,
): Promise<readonly string[]> {
  const isMeant = (memory: Memory) => isWanted(memory) && isVisibleTo(viewer, memory) && isChangeableBy(viewer, memory);
  return (await store.removeExpired({ isMeant })).flatMap(idsOfWords);
}

async function isOnlyInHistory({ store, history }: EditDeps, viewer: Viewer, id: string): Promise<boolean> {
  if ((await store.find(id)) !== null) return false;
  const last = (await history?.versionsOf(id))?.findLast(({ before }) => before !== null)?.before?.memory;
  return last !== undefined && isVisibleTo(viewer, last) && isChangeableBy(viewer, last);
}

/** Removes deleted memories from the history and the archive, and saves, so that no file holds their words. */
async function eraseFromDisk({ history, archive, saveNow }: EditDeps, ids: readonly string[]): Promise<void> {
  await history?.erase(ids);
  await archive?.remove(ids);
  try {
    await saveNow();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new UnavailableError(
      `It is deleted and in no answer, but the files still hold its words: POST /save once that is mended takes them off the disk. ${error.message}`,
      { code: 'erasure_incomplete', cause: error },
    );
  }
}

/** Removes deleted memories from working memory and schedules a save. */
function forget({ workingMemory, saveAfterDelete }: EditDeps, removed: readonly string[]): void {
  for (const id of removed) workingMemory.forget(id);
  saveAfterDelete();
}

/** Deletes a memory that is only in the archive; resolves to whether there was one. */
async function deletePruned({ store, archive }: EditDeps, viewer: Viewer, id: string): Promise<boolean> {
  const pruned = await archive?.find(id);
  if (!archive || !pruned || !isVisibleTo(viewer, pruned) || !isChangeableBy(viewer, pruned)) return false;
  await archive.remove([id]);
  return (await store.find(id)) === null;
}

/**
 * Deletes the memories of an agent that the caller may see. Resolves to their ids.
 * @throws NotFoundError when there are none
 */
export async function deleteAgentMemories(
  deps: EditDeps,
  viewer: Viewer,
  { authorAgentId, erase }: Pick<Deletion, 'erase'> & { authorAgentId: string },
): Promise<readonly string[]> {
  const whose = { viewer, authorAgentId, act: deletingAct(deps, viewer, erase) };
  const gone = new Set<string>(erase ? await idsOnDisk(deps, whose) : []);
  for (let scans = 0; scans < SCANS; scans++) {
    const holders = await holdersOfWords(deps, whose);
    const ids = [...holders.keys()];
    const removed = await rederivingAfter(deps, [...holders.values()], () => removeWords(deps.store, whose, ids));
    for (const id of [...removed, ...(await removePruned(deps, { ...whose, ids }))]) gone.add(id);
  }
  if (gone.size === 0) {
    throw new NotFoundError(`Agent '${authorAgentId}' has no memories here: GET /stats lists the agents that have.`, {
      code: 'no_memories_of_agent',
    });
  }
  const ids = [...gone];
  forget(deps, ids);
  if (erase) await eraseFromDisk(deps, ids);
  return ids;
}

/** Ids of the memories of an agent that are on the disk and in no answer any more. Removes its expired ones from the store. */
async function idsOnDisk(deps: EditDeps, whose: { viewer: Viewer; authorAgentId: string }): Promise<readonly string[]> {
  const isTheirs = ({ agentId }: Pick<Memory, 'agentId'>) => agentId === whose.authorAgentId;
  const expired = await removeExpired(
    deps,
    whose.viewer,
    (memory) => isTheirs(memory) || (memory.absorbed ?? []).some((one) => isTheirs(one.memory)),
  );
  return [...expired, ...(await idsInHistory(deps, whose))];
}

/** The memories of an agent that are in no answer any more, of which the history has versions that the viewer might have deleted. */
async function idsInHistory(
  { store, history }: EditDeps,
  { viewer, authorAgentId }: { viewer: Viewer; authorAgentId: string },
): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const batch of history?.scan() ?? []) {
    for (const { before } of batch) {
      const memories = before ? [before.memory, ...(before.memory.absorbed ?? []).map(({ memory }) => memory)] : [];
      for (const memory of memories) {
        const isTheirs =
          memory.agentId === authorAgentId && isVisibleTo(viewer, memory) && isChangeableBy(viewer, memory);
        if (isTheirs && (await store.find(memory.id)) === null) ids.add(memory.id);
      }
    }
  }
  return ids;
}

/**
 * Deletes from the archive the memories of an agent that the caller may see, and those of `ids` that were pruned since they were
 * read. Resolves to the deleted ids.
 */
async function removePruned(
  { archive }: EditDeps,
  { viewer, authorAgentId, ids }: { viewer: Viewer; authorAgentId: string; ids: readonly string[] },
): Promise<readonly string[]> {
  const pruned = ((await archive?.entries()) ?? []).filter(
    (entry) => entry.agentId === authorAgentId && isVisibleTo(viewer, entry) && isChangeableBy(viewer, entry),
  );
  return (await archive?.remove([...ids, ...pruned.map(({ id }) => id)])) ?? [];
}

/** For each memory of an agent that the caller may see, by id, the memory that holds it: itself, or the one that absorbed it. */
async function holdersOfWords(
  deps: EditDeps,
  { viewer, authorAgentId }: { viewer: Viewer; authorAgentId: string },
): Promise<Map<string, string>> {
  const holders = new Map<string, string>();
  for await (const batch of deps.store.scan({ viewer })) {
    for (const { memory } of batch) {
      if (!isChangeableBy(viewer, memory)) continue;
      if (memory.agentId === authorAgentId) {
        if (await standsAlone(deps, memory)) holders.set(memory.id, memory.id);
        continue;
      }
      for (const one of memory.absorbed ?? []) {
        if (one.memory.agentId === authorAgentId) holders.set(one.memory.id, memory.id);
      }
    }
  }
  return holders;
}

/** Whether a memory is deleted with its agent. A memory that was derived from other agents' memories too is derived again instead. */
async function standsAlone({ store }: EditDeps, { kind, sources }: Memory): Promise<boolean> {
  if (kind === 'episodic') return true;
  const found = await Promise.all(sources.map((id) => store.find(id)));
  return found.every((stored) => stored === null);
}

export function checkProject(memory: Memory, viewer: Viewer): void {
  if (isChangeableBy(viewer, memory)) return;
  throw new ForbiddenError(
    `Memory '${memory.id}' belongs to project '${memory.project}', which shares it: change it in that project.`,
    { code: 'other_project' },
  );
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
  const names = await readingStep(gist, () => readNames(gist, name));
  const known = await store.knownEntities(names.uncertain, project);
  return names.entities((key) => known.has(key));
}
