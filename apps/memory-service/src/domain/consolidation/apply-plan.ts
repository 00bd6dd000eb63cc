import type { IdSource } from '@agent-faculties/service-kit';
import type { TimeSlicer } from '../concurrency/time-slicer.ts';
import { directionOf } from '../embedding/direction.ts';
import { isTerse } from '../embedding/terse.ts';
import { actOfRun, type ChangeAct, type Operation } from '../memory/change-act.ts';
import { type Expected, versionOf } from '../memory/decision.ts';
import type { Memory, Strength } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import { isSameValidity } from '../memory/validity.ts';
import { semanticMemory } from './clusters/semantic-memory.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { absorbing } from './duplicates/absorb.ts';
import type { DuplicateGroup } from './duplicates/near-duplicates.ts';
import type { Plan, PlannedCluster } from './plan.ts';
import type { PrunedArchive } from './pruning/pruned-archive.ts';
import { type ClusterEntry, type DuplicateEntry, type IdEntry, ownerOf } from './report.ts';

/** The memories that are pruned in one step. */
const PRUNED_AT_ONCE = 50;

export interface ApplyDeps {
  readonly store: ConsolidationStore;
  readonly ids: IdSource;
  /** The id of the run. */
  readonly run: string;
  /** The archive; null: nothing is kept on disk, and nothing is pruned. */
  readonly archive: PrunedArchive | null;
  readonly now: () => number;
  readonly slicer: TimeSlicer;
}

/** The work done so far; grows while a plan is applied. */
export class Done {
  readonly deduplicated: DuplicateEntry[] = [];
  readonly created: ClusterEntry[] = [];
  readonly rebuilt: ClusterEntry[] = [];
  readonly removed: IdEntry[] = [];
  readonly pruned: IdEntry[] = [];
  readonly skipped: IdEntry[] = [];
}

/**
 * Applies a plan step by step. Each step is one atomic group of changes, whenever the process ends. Memories that others have changed
 * since the plan are left unchanged.
 * @throws UnavailableError when the disk refuses, StoppedError; the work in `done` is kept
 */
export async function applyPlan(deps: ApplyDeps, plan: Plan, done: Done): Promise<void> {
  for (const group of plan.duplicates) await rested(deps, () => absorb(deps, group, done));
  for (const stored of plan.unsupported) await rested(deps, () => removeUnsupported(deps, stored, done));
  for (const cluster of plan.clustered) await rested(deps, () => derive(deps, cluster, done));
  for (let start = 0; start < plan.pruned.length; start += PRUNED_AT_ONCE) {
    await rested(deps, () => prune(deps, plan.pruned.slice(start, start + PRUNED_AT_ONCE), done));
  }
}

async function rested({ slicer }: ApplyDeps, step: () => Promise<void>): Promise<void> {
  await step();
  await slicer.rest();
}

async function absorb(deps: ApplyDeps, group: DuplicateGroup, done: Done): Promise<void> {
  const { store, now } = deps;
  const current = await unchanged(store, [group.survivor, ...group.others]);
  const [survivor, ...others] = current;
  const { id } = group.survivor.memory;
  if (!survivor || others.length !== group.others.length) return skip(done, group.survivor.memory);
  const decided = await store.decidedAmong(current.map(({ memory }) => memory.id));
  if (decided.size > 0) return skip(done, survivor.memory);
  const { memory, strength } = absorbing({ survivor, others }, Math.floor(now()));
  const ids = others.map((other) => other.memory.id);
  const happened = await store.changeTogether({
    expected: current.map(expectedOf),
    changes: [
      { op: 'delete', ids },
      { op: 'update', memory, strength },
    ],
    act: actNow(deps, 'absorb'),
  });
  if (!happened) return skip(done, memory);
  done.deduplicated.push({ owner: ownerOf(memory), id, absorbed: ids });
}

async function removeUnsupported(deps: ApplyDeps, { memory }: StoredMemory, done: Done): Promise<void> {
  const { store } = deps;
  const { id } = memory;
  // A change of a source may have deleted it already.
  if (await existing(store, id)) {
    const changes = [{ op: 'delete', ids: [id] }] as const;
    await store.changeTogether({ expected: [], changes, act: actNow(deps, 'remove') });
  }
  done.removed.push({ owner: ownerOf(memory), id });
}

async function derive(deps: ApplyDeps, cluster: PlannedCluster, done: Done): Promise<void> {
  const { store, ids, now } = deps;
  const sources = await sameWords(store, cluster.sources);
  const first = (cluster.sources[0] as StoredMemory).memory;
  if (sources.length !== cluster.sources.length) return skip(done, cluster.semantic?.memory ?? first);
  const id = cluster.semantic?.memory.id ?? ids.next();
  const strength = cluster.semantic?.strength ?? null;
  const memory = await addSemantic(store, sources, { id, strength, now, act: actNow(deps, 'derive') });
  if (!memory) return skip(done, cluster.semantic?.memory ?? first);
  const entry = { owner: ownerOf(memory), id, sources: memory.sources };
  if (cluster.semantic) done.rebuilt.push(entry);
  else done.created.push(entry);
}

/**
 * Stores the semantic memory of these sources, in place of one of the same id. Resolves to null when a source has changed. Its
 * vector is the direction of theirs, so no model is needed, unless all are terse.
 * @param made.act of a consolidation; absent where it follows from what an agent did, of which the version is kept
 * @param made.strength strength of the one that it replaces, which may be deleted already; null: it is new
 */
export async function addSemantic(
  store: ConsolidationStore,
  sources: readonly StoredMemory[],
  { id, strength, now, act }: { id: string; strength: Readonly<Strength> | null; now: () => number; act?: ChangeAct },
): Promise<Memory | null> {
  const before = await existing(store, id);
  const nowMs = Math.max(Math.floor(now()), (before?.memory.updatedAt ?? 0) + 1);
  const memory = semanticMemory(
    sources.map((source) => source.memory),
    { id, nowMs },
  );
  const known = before?.strength ?? strength;
  // The vector of a terse one tells of the message before it, which is no source.
  const telling = sources.filter((source) => !isTerse(source.memory));
  const embeddings = await store.embeddingsOf(telling.map((source) => source.memory.id));
  const meanings = embeddings.filter((embedding) => embedding !== null);
  const happened = await store.changeTogether({
    expected: [...sources, ...(before ? [before] : [])].map(expectedOf),
    changes: [
      {
        op: 'add',
        memory,
        ...(known && { strength: known }),
        vectors: meanings.length > 0 ? [directionOf(meanings)] : [],
      },
    ],
    ...(act && { act }),
  });
  return happened ? memory : null;
}

async function prune(deps: ApplyDeps, pruned: readonly StoredMemory[], done: Done): Promise<void> {
  const { store, archive, now } = deps;
  if (!archive) return;
  const current = (await unchanged(store, pruned)).filter(({ strength }) => strength.recallCount === 0);
  const isCurrent = new Set(current.map(({ memory }) => memory.id));
  for (const { memory } of pruned) if (!isCurrent.has(memory.id)) skip(done, memory);
  if (current.length === 0) return;
  const changes = [{ op: 'delete', ids: current.map(({ memory }) => memory.id) }] as const;
  const decision = { expected: current.map(expectedOf), changes, act: actNow(deps, 'prune') };
  const happened = await archive.move(current, Math.floor(now()), (archived) =>
    store.changeTogether({ ...decision, archive: archived }),
  );
  if (happened) done.pruned.push(...current.map(({ memory }) => ({ owner: ownerOf(memory), id: memory.id })));
  else for (const { memory } of current) skip(done, memory);
}

function actNow({ run, now }: ApplyDeps, operation: Operation): ChangeAct {
  return actOfRun(operation, { run, at: Math.floor(now()) });
}

/** Finds a memory by its own id only. */
export async function existing(store: Pick<ConsolidationStore, 'find'>, id: string): Promise<StoredMemory | null> {
  const stored = await store.find(id);
  return stored?.memory.id === id ? stored : null;
}

/** The memories that nobody has changed since, with their current strength. */
async function unchanged(store: ConsolidationStore, planned: readonly StoredMemory[]): Promise<StoredMemory[]> {
  const found = await Promise.all(planned.map(({ memory }) => existing(store, memory.id)));
  return found.filter((stored, i) => stored?.memory.updatedAt === planned[i]?.memory.updatedAt) as StoredMemory[];
}

/** The memories with the same text, visibility and validity; a survivor may have got tags since. */
async function sameWords(store: ConsolidationStore, planned: readonly StoredMemory[]): Promise<StoredMemory[]> {
  const found = await Promise.all(planned.map(({ memory }) => existing(store, memory.id)));
  return found.filter((stored, i) => {
    const { memory } = planned[i] as StoredMemory;
    return (
      stored?.memory.gist === memory.gist &&
      stored.memory.scope === memory.scope &&
      isSameValidity(stored.memory, memory)
    );
  }) as StoredMemory[];
}

function skip(done: Done, memory: Memory): void {
  done.skipped.push({ owner: ownerOf(memory), id: memory.id });
}

function expectedOf({ memory }: StoredMemory): Expected {
  return versionOf(memory);
}
