import { type Clock, NotFoundError } from '@agent-faculties/service-kit';
import { strengthened } from '../cognition/retention.ts';
import { TimeSlicer } from '../concurrency/time-slicer.ts';
import { actOf, type ChangeAct, type KeptOperation } from '../memory/change-act.ts';
import { versionOf } from '../memory/decision.ts';
import type { MemoryHistory, PastVersion } from '../memory/history.ts';
import { keysOf, withKeysOf } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { losersAgain, releasedBy, supersededAgain } from '../memory/superseded-again.ts';
import { successionOf } from '../memory/supersession.ts';
import { isChangeableBy, isVisibleTo, type Viewer } from '../memory/visibility.ts';
import { existing } from './apply-plan.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import type { PrunedArchive } from './pruning/pruned-archive.ts';
import { rederiving } from './rederive.ts';
import { sinceRun, sourcesStoodSince, withAdditions } from './since-run.ts';

export interface UndoDeps {
  readonly clock: Clock;
  readonly store: ConsolidationStore & Pick<MemoryStore, 'size'>;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  readonly archive: PrunedArchive | null;
  readonly maxMemories: number;
  /** Yields to requests; called every few ms. */
  readonly pause: () => Promise<void>;
  /** Called where memories came back without vectors, which are made in the background. */
  readonly onWithoutVectors: () => void;
}

export interface NotUndone {
  readonly id: string;
  /** What the run did to it. */
  readonly operation: KeptOperation;
  readonly reason: string;
}

export interface Undone {
  /** Ids of memories that are separate again. */
  readonly setApart: string[];
  /** Ids of derived memories that are gone again. */
  readonly removed: string[];
  /** Ids of derived memories that are what they were before. */
  readonly putBack: string[];
  /** Ids of pruned memories that are there again. */
  readonly restored: string[];
  readonly notUndone: NotUndone[];
}

/** What a run did to a memory, all its changes taken together. */
interface NetChange {
  readonly id: string;
  readonly operation: KeptOperation;
  readonly before: StoredMemory | null;
  /** `updatedAt` after it; null: gone. */
  readonly after: number | null;
  readonly at: number;
  /** Ids of the memories that it superseded until then. */
  readonly released: readonly string[];
}

interface Undoing extends UndoDeps {
  readonly viewer: Viewer;
  readonly act: ChangeAct;
  readonly done: Undone;
}

export interface UndoScope {
  readonly run: string;
  /** Only what the run did to these; none: all that it did. Of memories that became one, any. */
  readonly ids?: readonly string[] | undefined;
}

/**
 * Takes back what a consolidation did to the memories that the viewer may see, each where nobody has changed it since; what repeats have
 * brought since stays with the survivor. What was derived goes first, because it rests on the merged memories. A second undo changes nothing and says so.
 * @throws NotFoundError when the run did nothing that the viewer may see, or its versions are no longer kept; UnavailableError:
 *   what was undone stays so
 */
export async function undoRun(deps: UndoDeps, viewer: Viewer, { run, ids }: UndoScope): Promise<Undone> {
  const done: Undone = { setApart: [], removed: [], putBack: [], restored: [], notUndone: [] };
  const act = actOf('undo', {
    agentId: viewer.agentId,
    at: Math.floor(deps.clock.now()),
    reason: `consolidation ${run}`,
  });
  const undoing: Undoing = { ...deps, viewer, act, done };
  const slicer = new TimeSlicer({ clock: deps.clock, pause: deps.pause, isStopped: () => false });
  if (deps.history === null) throw nothingKept(run);
  const steps = behindSuccessors(await stepsAmong(ids, await stepsOf(undoing, run), deps.store));
  if (steps.length === 0) throw unknownRun(run, ids);
  const take = async (
    which: (step: NetChange) => boolean,
    undo: (undoing: Undoing, step: NetChange) => Promise<string | null>,
  ) => {
    for (const step of steps.filter(which)) {
      const reason = (await isChangeable(undoing, step)) ? await undo(undoing, step) : OTHER_PROJECT;
      if (reason !== null)
        done.notUndone.push({ id: step.id, operation: step.operation, reason: await told(undoing, step, reason) });
      await slicer.rest();
    }
  };
  try {
    await take(({ operation }) => operation === 'derive' || operation === 'remove', undoDerived);
    await take(({ operation, after }) => operation === 'absorb' && after !== null, setApart);
    await take(({ operation, after }) => operation === 'absorb' && after === null, wasSetApart);
    await take(({ operation }) => operation === 'prune', unprune);
  } finally {
    await deps.archive?.remove(done.restored);
    if (done.setApart.length + done.putBack.length + done.restored.length > 0) deps.onWithoutVectors();
  }
  return done;
}

/** One step for each memory that the viewer may see, as it was and as it is. */
async function stepsOf({ store, history, viewer, clock }: Undoing, run: string): Promise<NetChange[]> {
  const steps = new Map<string, NetChange>();
  const since = clock.now() - (history?.keptMs ?? 0);
  for await (const batch of history?.versionsOfRun(run) ?? []) {
    for (const version of batch) {
      if (version.at >= since && (await isSeen({ store, history, viewer }, version)))
        steps.set(version.id, joined(steps.get(version.id), version));
    }
  }
  return [...steps.values()].filter(({ before, after }) => before !== null || after !== null);
}

/** The id of one that was absorbed leads to the memory that it became one with, which is made what it was. */
async function stepsAmong(
  ids: UndoScope['ids'],
  steps: readonly NetChange[],
  store: UndoDeps['store'],
): Promise<readonly NetChange[]> {
  if (ids === undefined) return steps;
  const found = await Promise.all(ids.map(async (id) => (await store.find(id))?.memory.id ?? id));
  const wanted = new Set(found);
  return steps.filter(({ id }) => wanted.has(id));
}

/** Each behind the step of its successor: before that one is back, a memory would come back as if it held. */
function behindSuccessors(steps: readonly NetChange[]): NetChange[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<NetChange>();
  for (const first of steps) {
    const chain = new Set<NetChange>();
    let step: NetChange | undefined = first;
    while (step && !ordered.has(step) && !chain.has(step)) {
      chain.add(step);
      step = byId.get(step.before?.memory.supersededBy ?? '');
    }
    for (const one of [...chain].reverse()) ordered.add(one);
  }
  return [...ordered];
}

type Seeing = Pick<Undoing, 'store' | 'history' | 'viewer'>;

async function isSeen({ store, history, viewer }: Seeing, { id, before }: PastVersion): Promise<boolean> {
  const present = await store.find(id);
  // What the run derived and is gone again stands in later versions alone.
  const past = before || present ? [before] : ((await history?.versionsOf(id)) ?? []).map((version) => version.before);
  const known = [...past, present].filter((stored) => stored !== null).map(({ memory }) => memory);
  return known.length > 0 && known.every((memory) => isVisibleTo(viewer, memory));
}

/** Why a step is not undone, where it was not undone before. */
async function told({ history, act }: Undoing, { id }: NetChange, reason: string): Promise<string> {
  const versions = (await history?.versionsOf(id)) ?? [];
  const isUndone = versions.some((version) => version.operation === act.operation && version.reason === act.reason);
  return isUndone ? UNDONE : reason;
}

/** What the run derived was not there before it, and belongs to the project of its sources. */
async function isChangeable({ store, viewer }: Undoing, { id, before }: NetChange): Promise<boolean> {
  const known = before ?? (await existing(store, id));
  return known === null || isChangeableBy(viewer, known.memory);
}

function joined(known: NetChange | undefined, { id, operation, before, after, at, released }: PastVersion): NetChange {
  return { id, operation, before: known ? known.before : before, after, at, released };
}

async function undoDerived(undoing: Undoing, step: NetChange): Promise<string | null> {
  const { store, history, act, done } = undoing;
  const { id, before } = step;
  const present = await existing(store, id);
  const { by } = await sinceRun(history, step, present?.memory ?? null);
  if (by === 'others') return present ? CHANGED : GONE;
  if (!before) {
    const changes = [{ op: 'delete', ids: [id] }] as const;
    if (!(await store.changeTogether({ expected: expectedOf(present), changes, act }))) return CHANGED;
    done.removed.push(id);
    return null;
  }
  if (!(await sourcesStoodSince(undoing, before.memory, step.at))) return SOURCES_CHANGED;
  const updatedAt = Math.max(act.at, (present ?? before).memory.updatedAt + 1);
  const succession = await successionOf(undoing, before.memory, present?.memory);
  const isTaken = await store.changeTogether({
    expected: expectedOf(present),
    ...(!present && { absent: { ids: [id] } }),
    versions: [{ id, at: step.at }],
    changes: [
      { op: 'add', memory: { ...before.memory, ...succession, updatedAt }, strength: before.strength, vectors: [] },
    ],
    act,
  });
  if (!isTaken) return CHANGED;
  done.putBack.push(id);
  return null;
}

/** Makes a survivor what it was, and what it absorbed in that run separate memories. */
async function setApart(undoing: Undoing, step: NetChange): Promise<string | null> {
  const { store, history, act, clock, done } = undoing;
  const { id, before } = step;
  const present = await existing(store, id);
  if (!present) return GONE;
  const { by, left } = await sinceRun(history, step, present.memory);
  if (!before || !left || by === 'others') return CHANGED;
  const was = by === 'nobody' ? before.memory : withAdditions(before.memory, { left, present: present.memory });
  const had = new Set((before.memory.absorbed ?? []).map((one) => one.memory.id));
  const apart = (present.memory.absorbed ?? []).filter((one) => !had.has(one.memory.id));
  const alone = {
    ...withKeysOf(was, present.memory),
    updatedAt: Math.max(act.at, present.memory.updatedAt + 1),
  };
  const isTaken = await rederiving({ store, now: () => clock.now() }, [id], () =>
    store.changeTogether({
      expected: expectedOf(present),
      changes: [{ op: 'update', memory: alone }, ...apart.map((one) => ({ op: 'add' as const, ...one, vectors: [] }))],
      act,
    }),
  );
  if (!isTaken) return CHANGED;
  done.setApart.push(...apart.map((one) => one.memory.id));
  return null;
}

async function wasSetApart({ store, done }: Undoing, { id }: NetChange): Promise<string | null> {
  if (done.setApart.includes(id)) return null;
  const found = await store.find(id);
  if (found?.memory.id === id) return THERE;
  return found ? `'${found.memory.id}', which it became one with, has changed since` : GONE;
}

async function unprune(undoing: Undoing, { id, before, at, released }: NetChange): Promise<string | null> {
  const { store, viewer, act, maxMemories, done } = undoing;
  if (await store.find(id)) return THERE;
  if (!before) return GONE;
  if ((await store.size()) >= maxMemories) return 'the server holds as many memories as it may';
  const { strength } = before;
  const { importance, createdAt } = before.memory;
  const memory = { ...before.memory, ...(await successionOf(undoing, before.memory)) };
  const losers = await losersAgain(undoing, memory, { viewer, released: releasedBy({ released, at }) });
  const isTaken = await store.changeTogether({
    expected: losers.map(versionOf),
    absent: { ids: [id], keysOf: keysOf(memory) },
    versions: [{ id, at }],
    mostMemories: maxMemories,
    changes: [
      // It counts as recalled now, so that it is not pruned again.
      { op: 'add', memory, strength: strengthened(strength, { importance, createdAt, now: act.at }), vectors: [] },
      ...losers.map((loser) => supersededAgain(loser, memory, act)),
    ],
    act,
  });
  if (!isTaken) return 'its idempotency key is taken, or it came back or was erased meanwhile';
  done.restored.push(id);
  return null;
}

const OTHER_PROJECT = 'it belongs to another project, which shares it';
const CHANGED = 'it has changed since';
const UNDONE = 'it is undone already';
const GONE = 'it is gone';
const THERE = 'it is there again';
const SOURCES_CHANGED = 'the memories that it was derived from have changed or gone since';

function expectedOf(present: StoredMemory | null) {
  return present ? [versionOf(present.memory)] : [];
}

function nothingKept(run: string): NotFoundError {
  return new NotFoundError(
    `Nothing of a consolidation '${run}' can be undone: this service keeps no versions (--history-days 0). POST /pruned/restore brings back what it pruned.`,
    { code: 'unknown_run' },
  );
}

function unknownRun(run: string, ids: UndoScope['ids']): NotFoundError {
  const what = ids ? 'none of these memories that you see' : 'nothing that you see';
  return new NotFoundError(
    `Nothing of a consolidation '${run}' can be undone: it changed ${what}, or longer ago than --history-days. GET /consolidate names the last one.`,
    { code: 'unknown_run' },
  );
}
