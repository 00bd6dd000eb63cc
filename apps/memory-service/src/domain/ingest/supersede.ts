import { ConflictError, ForbiddenError, InvalidInputError } from '@agent-faculties/service-kit';
import { actOf, type ChangeAct } from '../memory/change-act.ts';
import { type Expected, type PlannedChange, versionOf } from '../memory/decision.ts';
import { type Memory, NOT_SUPERSEDED } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { checkSuccession, isSucceededBy, lastInPlaceOf, type Successors } from '../memory/supersession.ts';
import { isEnded } from '../memory/validity.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';

/** Changes that put a memory in the place of others, and the versions of these that they rest on. */
export interface Superseding {
  readonly ids: readonly string[];
  readonly expected: readonly Expected[];
  readonly changes: readonly PlannedChange[];
  /** undefined: it supersedes nothing. */
  readonly act: ChangeAct | undefined;
  readonly alreadySuperseded: readonly AlreadySuperseded[];
}

/** A memory that another one had superseded before, which holds beside the new one. */
export interface AlreadySuperseded {
  /** Of the superseded one. */
  readonly id: string;
  readonly by: Memory;
}

interface Asked {
  readonly supersedes: readonly string[];
  readonly maySupersedeOthers: boolean;
  readonly memory: Memory;
  readonly by: Memory;
}

/** The reason of a supersession by a message that names what it supersedes. */
const REASON = 'said anew';

/**
 * Plans to put a memory in the place of others. Those that it has superseded already are left as they are.
 * @param of.supersedes ids of those others @param of.memory as it was said @param of.by the memory in their place
 * @throws InvalidInputError that names what the viewer does not see; ForbiddenError, ConflictError where it must not supersede one
 */
export async function superseding(
  store: Pick<MemoryStore, 'find'>,
  viewer: Viewer,
  { supersedes, maySupersedeOthers, memory: { updatedAt: nowMs }, by }: Asked,
): Promise<Superseding> {
  const superseded = new Map((await named(store, viewer, supersedes)).map((memory) => [memory.id, memory]));
  const left = [...superseded.values()].filter(({ supersededBy }) => supersededBy !== by.id);
  // The message repeats a memory in whose place one of these came, perhaps after others: that memory holds again.
  const again = (await isSucceededBy(store, by, new Set(left.map(({ id }) => id))))
    ? changed(by, NOT_SUPERSEDED, nowMs)
    : null;
  for (const loser of left) {
    if (loser.id === by.id) throw supersedesItself(loser.id);
    if (!maySupersedeOthers) checkIsOwn(viewer, loser);
    await checkSuccession(store, viewer, { winner: again ?? by, loser });
  }
  const supersession = { agentId: viewer.agentId, at: nowMs, reason: REASON };
  const losers = left.map((memory) => changed(memory, { supersededBy: by.id, supersession }, nowMs));
  const after = new Map([by, ...(again ? [again] : []), ...losers].map((memory) => [memory.id, memory]));
  return {
    ids: left.map(({ id }) => id),
    alreadySuperseded: await alreadySuperseded(store, viewer, { left, by, after, nowMs }),
    act: left.length > 0 ? actOf('supersede', { agentId: viewer.agentId, at: nowMs }) : undefined,
    expected: left.map(versionOf),
    changes: [...(again ? [again] : []), ...losers].map((memory) => ({ op: 'update', memory })),
  };
}

/**
 * The same for a repeat of a message whose memory has superseded those others: what the first answer told, which the client may never
 * have had, as far as it is so still.
 */
export async function stillSuperseded(
  { store, history }: Successors,
  viewer: Viewer,
  { supersedes, memory: { updatedAt: nowMs }, by }: Omit<Asked, 'maySupersedeOthers'>,
): Promise<readonly AlreadySuperseded[]> {
  const left: Memory[] = [];
  for (const id of new Set(supersedes)) {
    const isSuperseded = (await store.find(id))?.memory.supersededBy === by.id;
    const versions = isSuperseded ? ((await history?.versionsOf(id)) ?? []) : [];
    const before = versions.findLast((version) => version.before?.memory.supersededBy !== by.id)?.before?.memory;
    if (before) left.push(before);
  }
  return await alreadySuperseded(store, viewer, { left, by, after: new Map([[by.id, by]]), nowMs });
}

/** @param of.left the superseded ones, as they were before @param of.after the memories as they are once the change is made */
async function alreadySuperseded(
  store: Pick<MemoryStore, 'find'>,
  viewer: Viewer,
  { left, by, after, nowMs }: { left: Memory[]; by: Memory; after: ReadonlyMap<string, Memory>; nowMs: number },
): Promise<AlreadySuperseded[]> {
  const find = async (id: string) => after.get(id) ?? (await store.find(id))?.memory;
  const own = await lastInPlaceOf(find, after.get(by.id) as Memory);
  const already: AlreadySuperseded[] = [];
  for (const loser of left) {
    const last = await lastInPlaceOf(find, loser);
    const isBeside = last.id !== own.id && last.id !== loser.id && isVisibleTo(viewer, last);
    if (isBeside && !isEnded(last, nowMs)) already.push({ id: loser.id, by: last });
  }
  return already;
}

function supersedesItself(id: string): ConflictError {
  return new ConflictError(
    `Memory '${id}' says just this: no memory takes its own place, leave it out of supersedes.`,
    {
      code: 'superseded_in_a_circle',
    },
  );
}

function changed(memory: Memory, changes: Partial<Memory>, nowMs: number): Memory {
  return { ...memory, ...changes, updatedAt: Math.max(nowMs, memory.updatedAt + 1) };
}

async function named(store: Pick<MemoryStore, 'find'>, viewer: Viewer, ids: readonly string[]): Promise<Memory[]> {
  const memories: Memory[] = [];
  const faults: { where: string; message: string }[] = [];
  for (const [index, id] of ids.entries()) {
    const memory = (await store.find(id))?.memory;
    const fault = faultOf(memory, viewer);
    if (memory && fault === null) memories.push(memory);
    else faults.push({ where: `body/supersedes/${index}`, message: `'${id}' ${fault}` });
  }
  if (faults.length === 0) return memories;
  throw new InvalidInputError(`${faults.map(({ where, message }) => `${where}: ${message}`).join('; ')}.`, { faults });
}

function checkIsOwn(viewer: Viewer, { id, agentId }: Memory): void {
  if (agentId === viewer.agentId) return;
  throw new ForbiddenError(
    `Memory '${id}' was told by '${agentId}', and your role may supersede your own alone: say it without, and let an administrator decide.`,
    { code: 'not_the_creator' },
  );
}

function faultOf(memory: Memory | undefined, viewer: Viewer): string | null {
  if (!memory || !isVisibleTo(viewer, memory)) {
    return 'is no memory that you may see: take an id from what was stored, recalled or listed';
  }
  return memory.kind === 'semantic' ? 'was derived from other memories: name those in its sources' : null;
}
