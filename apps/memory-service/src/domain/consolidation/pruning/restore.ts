import { type Clock, ConflictError } from '@agent-faculties/service-kit';
import { strengthened } from '../../cognition/retention.ts';
import { nextTurn } from '../../concurrency/next-turn.ts';
import { STALE } from '../../concurrency/until-taken.ts';
import { actOf } from '../../memory/change-act.ts';
import { type ArchiveChange, versionOf } from '../../memory/decision.ts';
import type { MemoryHistory } from '../../memory/history.ts';
import { keysOf, type Memory, nameOfKey, type PrunedMemory } from '../../memory/memory.ts';
import type { ListPosition, MemoryStore } from '../../memory/memory-store.ts';
import { losersAgain, releasedBy, supersededAgain } from '../../memory/superseded-again.ts';
import { successionOf } from '../../memory/supersession.ts';
import { isChangeableBy, isVisibleTo, type Viewer } from '../../memory/visibility.ts';
import type { ConsolidationStore } from '../consolidation-store.ts';
import { ARCHIVE_MS, type PrunedArchive, type PrunedEntry } from './pruned-archive.ts';

export interface RestoreDeps {
  readonly clock: Clock;
  readonly store: ConsolidationStore & Pick<MemoryStore, 'size' | 'findByIdempotencyKey'>;
  readonly maxMemories: number;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  /** null: nothing is pruned. */
  readonly archive: PrunedArchive | null;
  /** Called after a restore, because the archive holds no vectors: they are made again. */
  readonly onWithoutVectors: () => void;
}

export interface Restored {
  /** Ids of the memories that are back. */
  readonly restored: string[];
  /** Those of them of whose idempotency keys another memory has one. */
  readonly withoutKey: string[];
}

export interface PrunedPage {
  readonly items: readonly PrunedMemory[];
  /** The number of memories on all pages. */
  readonly total: number;
  /** Position by the moment of pruning. */
  readonly next: ListPosition | null;
}

/** The ids that are looked up in one turn of the event loop, in about 2 ms. */
const ENTRIES_PER_TURN = 5_000;
/** The memories of a batch. For each batch a file of the archive is read and written, and deletes wait meanwhile. */
const TAKEN_AT_ONCE = 1_000;

/** A page of the pruned memories that the caller may see, latest first. */
export async function listPruned(
  deps: RestoreDeps,
  viewer: Viewer,
  { limit, after }: { limit: number; after: ListPosition | null },
): Promise<PrunedPage> {
  const entries = await prunedFor(deps, viewer);
  const left = after ? entries.filter((entry) => isAfter(entry, after)) : entries;
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1) : undefined;
  const read = (await deps.archive?.read(page.map(({ id }) => id))) ?? [];
  return {
    items: await Promise.all(read.map((pruned) => withSuccessor(deps, pruned))),
    total: entries.length,
    next: last ? { createdAt: last.prunedAt, id: last.id } : null,
  };
}

/**
 * Restores pruned memories under their ids, with the successors that were pruned too, and without idempotency keys that are taken. Each
 * is superseded by what is there of its successors then. Each counts as recalled now, so that it is not pruned again.
 * @param ids null: all that the caller may see
 * @throws ConflictError when there is no room for all of them; UnavailableError when the disk refuses: restored memories stay
 */
export async function restorePruned(
  deps: RestoreDeps,
  viewer: Viewer,
  ids: readonly string[] | null,
): Promise<Restored> {
  const named = ids && (await withSuccessors(deps, ids));
  const wanted = (await prunedFor(deps, viewer))
    .filter((entry) => isChangeableBy(viewer, entry) && (named?.has(entry.id) ?? true))
    .map(({ id }) => id);
  await checkRoom(deps, wanted.length);
  const done: Restored = { restored: [], withoutKey: [] };
  try {
    for (let start = 0; start < wanted.length; start += TAKEN_AT_ONCE) {
      // A memory that was deleted meanwhile is no longer in the archive.
      await deps.archive?.take(wanted.slice(start, start + TAKEN_AT_ONCE), async (pruned, archive) => {
        const back = await tryToBringBack(deps, viewer, { pruned, archive });
        if (back === STALE) return STALE;
        done.restored.push(...back.restored);
        done.withoutKey.push(...back.withoutKey);
      });
    }
  } finally {
    if (done.restored.length > 0) deps.onWithoutVectors();
  }
  return done;
}

/** Adds to the named ids the successors that were pruned too: without them, what is outdated would come back as if it held. */
async function withSuccessors({ archive }: RestoreDeps, named: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (let next = named; next.length > 0; ) {
    for (const id of next) wanted.add(id);
    const pruned = (await archive?.read(next)) ?? [];
    next = pruned.flatMap(({ memory: { supersededBy: id } }) => (id === null || wanted.has(id) ? [] : [id]));
  }
  return wanted;
}

/** Ids of the archive that the caller may see, without those that an interrupted run left in the store too. */
async function prunedFor({ store, archive, clock }: RestoreDeps, viewer: Viewer): Promise<PrunedEntry[]> {
  const since = clock.now() - ARCHIVE_MS;
  const pruned: PrunedEntry[] = [];
  let seen = 0;
  for (const entry of (await archive?.entries()) ?? []) {
    if (++seen % ENTRIES_PER_TURN === 0) await nextTurn();
    if (entry.prunedAt < since || !isVisibleTo(viewer, entry)) continue;
    if ((await store.find(entry.id)) === null) pruned.push(entry);
  }
  return pruned;
}

function isAfter({ prunedAt, id }: PrunedEntry, { createdAt, id: before }: ListPosition): boolean {
  return prunedAt < createdAt || (prunedAt === createdAt && id < before);
}

/** With the successor that it would have if all that is pruned were restored: who sees the memory sees that one. */
async function withSuccessor(
  { store, archive, history }: RestoreDeps,
  { memory, ...pruned }: PrunedMemory,
): Promise<PrunedMemory> {
  const find = async (id: string) => (await store.find(id)) ?? (await archive?.read([id]))?.[0] ?? null;
  return { ...pruned, memory: { ...memory, ...(await successionOf({ store: { find }, history }, memory)) } };
}

/** Adds the memories that are not in the store. */
async function tryToBringBack(
  deps: RestoreDeps,
  viewer: Viewer,
  { pruned, archive }: { pruned: readonly PrunedMemory[]; archive: ArchiveChange },
): Promise<Restored | typeof STALE> {
  const { store, clock, maxMemories } = deps;
  const now = Math.floor(clock.now());
  const isThere = await Promise.all(pruned.map(({ memory }) => store.find(memory.id)));
  const gone = pruned.filter((_, i) => isThere[i] === null);
  await checkRoom(deps, gone.length);
  const memories = await broughtBack(deps, gone);
  const changes = memories.map((memory, i) => {
    const { importance, createdAt } = memory;
    return {
      op: 'add' as const,
      memory,
      strength: strengthened((gone[i] as PrunedMemory).strength, { importance, createdAt, now }),
      vectors: [],
    };
  });
  const ids = memories.map(({ id }) => id);
  const withoutKey = gone.flatMap(({ memory }, i) =>
    keysOf(memory).length === keysOf(memories[i] as Memory).length ? [] : [memory.id],
  );
  if (ids.length === 0) return { restored: [], withoutKey };
  const act = actOf('restore', { agentId: viewer.agentId, at: now });
  const absent = { ids, keysOf: memories.flatMap(keysOf) };
  const again = await supersededAnew(deps, viewer, memories);
  const decision = {
    expected: again.map(({ loser }) => versionOf(loser)),
    absent,
    mostMemories: maxMemories,
    changes: [...changes, ...again.map(({ loser, winner }) => supersededAgain(loser, winner, act))],
    act,
    archive,
  };
  return (await store.changeTogether(decision)) ? { restored: ids, withoutKey } : STALE;
}

/** The memories that hold again since one of these was pruned, which superseded them. */
async function supersededAnew(
  deps: RestoreDeps,
  viewer: Viewer,
  memories: readonly Memory[],
): Promise<{ readonly loser: Memory; readonly winner: Memory }[]> {
  const again = [];
  for (const winner of memories) {
    const last = (await deps.history?.versionsOf(winner.id))?.at(-1);
    const released = last?.operation === 'prune' ? releasedBy(last) : [];
    for (const loser of await losersAgain(deps, winner, { viewer, released })) again.push({ loser, winner });
  }
  return again;
}

/** The memories as they were, but for what has become of their successors and idempotency keys meanwhile. */
async function broughtBack({ store, history }: RestoreDeps, pruned: readonly PrunedMemory[]): Promise<Memory[]> {
  const memories: Memory[] = [];
  const taken = new Set<string>();
  const together = new Map(pruned.map((one) => [one.memory.id, one]));
  const find = async (id: string) => together.get(id) ?? (await store.find(id));
  for (const { memory } of pruned) {
    const keys = keysOf(memory);
    for (const keyed of keys) if (await store.findByIdempotencyKey(keyed)) taken.add(nameOfKey(keyed));
    memories.push({ ...withoutKeys(memory, taken), ...(await successionOf({ store: { find }, history }, memory)) });
    for (const keyed of keys) taken.add(nameOfKey(keyed));
  }
  return memories;
}

function withoutKeys(memory: Memory, taken: ReadonlySet<string>): Memory {
  const { tellings, absorbed, ...alone } = memory;
  const isFree = (idempotencyKey: string | null) => !taken.has(nameOfKey({ ...memory, idempotencyKey }));
  const left = tellings?.filter(({ key }) => isFree(key));
  return {
    ...alone,
    idempotencyKey: isFree(memory.idempotencyKey) ? memory.idempotencyKey : null,
    ...(left && left.length > 0 && { tellings: left }),
    ...(absorbed && { absorbed: absorbed.map((one) => ({ ...one, memory: withoutKeys(one.memory, taken) })) }),
  };
}

async function checkRoom({ store, maxMemories }: RestoreDeps, more: number): Promise<void> {
  if ((await store.size()) + more <= maxMemories) return;
  throw new ConflictError(
    `The server has no room for ${more} more memories: name fewer in 'ids', delete some memories, or raise --max-memories.`,
    { code: 'memory_limit_reached' },
  );
}
