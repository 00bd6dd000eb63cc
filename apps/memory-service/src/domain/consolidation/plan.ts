import { sortedInSlices } from '../concurrency/sorted-in-slices.ts';
import type { TimeSlicer } from '../concurrency/time-slicer.ts';
import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Memory } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import { byTime } from '../memory/order-of-time.ts';
import { isForGood } from '../memory/validity.ts';
import { audienceKey } from '../memory/visibility.ts';
import { clusterablesByAudience } from './clusters/clusterables.ts';
import { type Clusterable, clustersOf } from './clusters/clusters.ts';
import { semanticMemory } from './clusters/semantic-memory.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { absorbing } from './duplicates/absorb.ts';
import { type DuplicateGroup, nearDuplicates } from './duplicates/near-duplicates.ts';
import { type PruneLimits, prunable } from './pruning/prune.ts';

export interface PlanOptions {
  readonly deduplicate: boolean;
  readonly cluster: boolean;
  /** null: nothing is pruned. */
  readonly prune: PruneLimits | null;
  readonly model: ModelKind;
  readonly store: Pick<ConsolidationStore, 'embeddingsOf' | 'decidedAmong'>;
  readonly now: number;
  readonly slicer: TimeSlicer;
}

/** A cluster whose semantic memory is to be derived, or derived again. */
export interface PlannedCluster {
  /** The present semantic memory; null: there is none yet. */
  readonly semantic: StoredMemory | null;
  /** In order of time. */
  readonly sources: readonly StoredMemory[];
}

/** The plan of a consolidation. Making it changes nothing. */
export interface Plan {
  readonly duplicates: readonly DuplicateGroup[];
  /** All clusters of the store, unchanged ones included. */
  readonly clusters: readonly PlannedCluster[];
  /** The new and changed clusters: their semantic memories are derived. */
  readonly clustered: readonly PlannedCluster[];
  /** Semantic memories with fewer than two sources left. */
  readonly unsupported: readonly StoredMemory[];
  readonly pruned: readonly StoredMemory[];
  /** All memories that the plan read. */
  readonly examined: readonly StoredMemory[];
}

/** The least sources of a semantic memory; with fewer it is deleted. */
export const LEAST_SOURCES = 2;

/** @param memories all of the store, oldest first */
export async function planConsolidation(memories: readonly StoredMemory[], options: PlanOptions): Promise<Plan> {
  const { slicer, now } = options;
  const duplicates = options.deduplicate
    ? await nearDuplicates(memories, { ...options, decidedAmong: (ids) => options.store.decidedAmong(ids) })
    : [];
  const { left, survivors, touched } = await afterAbsorbing(memories, duplicates, options);
  if (!options.cluster) {
    const pruned = await prunedOf(left, await sourcesOf(memories, slicer), touched, options);
    return { duplicates, clusters: [], clustered: [], unsupported: [], pruned, examined: memories };
  }
  const supported = await supportOf(left, survivors, slicer);
  const before = supported.filter(({ sources }) => sources.length >= LEAST_SOURCES);
  let clusters = await clusterAll(left, before, options);
  const inClusters = new Set(clusters.flatMap(({ sources }) => sources.map(idOf)));
  const pruned = await prunedOf(left, inClusters, touched, options);
  if (pruned.length > 0) {
    // Without the pruned memories others may become neighbours. They are found in this run, so that the next one finds nothing new.
    const gone = new Set(pruned);
    clusters = await clusterAll(
      left.filter((stored) => !gone.has(stored)),
      clusters,
      options,
    );
  }
  const clustered: PlannedCluster[] = [];
  for (const cluster of clusters) {
    if (slicer.isDue) await slicer.rest();
    if (!holds(cluster, { touched, now })) clustered.push(cluster);
  }
  return {
    duplicates,
    clusters,
    clustered,
    unsupported: supported.flatMap(({ semantic, sources }) =>
      semantic && sources.length < LEAST_SOURCES ? semantic : [],
    ),
    pruned,
    examined: memories,
  };
}

/** The store after absorbing the duplicates: each survivor with those that it absorbs, findable by their ids too. */
async function afterAbsorbing(
  memories: readonly StoredMemory[],
  duplicates: readonly DuplicateGroup[],
  { now, slicer }: PlanOptions,
): Promise<{ left: StoredMemory[]; survivors: Map<string, StoredMemory>; touched: Set<string> }> {
  const survivors = new Map<string, StoredMemory>();
  const merged = new Map<string, StoredMemory>();
  await slicer.each(duplicates, (group) => {
    const survivor = absorbing(group, now);
    merged.set(idOf(survivor), survivor);
    for (const other of group.others) survivors.set(idOf(other), survivor);
  });
  const left: StoredMemory[] = [];
  await slicer.each(memories, (stored) => {
    if (!survivors.has(idOf(stored))) left.push(merged.get(idOf(stored)) ?? stored);
  });
  return { left, survivors, touched: new Set([...survivors.keys(), ...merged.keys()]) };
}

/** Ids of the sources of all semantic memories. */
async function sourcesOf(memories: readonly StoredMemory[], slicer: TimeSlicer): Promise<Set<string>> {
  const ids = new Set<string>();
  await slicer.each(memories, ({ memory }) => {
    for (const source of memory.sources) ids.add(source);
  });
  return ids;
}

/** The semantic memories with their remaining sources; a source of several belongs to the oldest of them. */
async function supportOf(
  memories: readonly StoredMemory[],
  survivors: ReadonlyMap<string, StoredMemory>,
  slicer: TimeSlicer,
): Promise<PlannedCluster[]> {
  const byId = new Map<string, StoredMemory>();
  const semantics: StoredMemory[] = [];
  await slicer.each(memories, (stored) => {
    byId.set(idOf(stored), stored);
    if (stored.memory.kind === 'semantic') semantics.push(stored);
  });
  const taken = new Set<string>();
  const supported: PlannedCluster[] = [];
  await slicer.each(await sortedInSlices(semantics, { compare: byIdOf, slicer }), (semantic) => {
    const { memory } = semantic;
    const sources = new Set(memory.sources.flatMap((id) => byId.get(id) ?? survivors.get(id) ?? []));
    const valid = [...sources].filter((source) => isSource(source.memory, memory) && !taken.has(idOf(source)));
    for (const source of valid) taken.add(idOf(source));
    supported.push({ semantic, sources: valid.sort(storedByTime) });
  });
  return supported;
}

/** Whether a memory may be a source of a semantic one: those who see either see both, and it holds for good. */
export function isSource(source: Memory, semantic: Memory): boolean {
  return source.kind === 'episodic' && isForGood(source) && audienceKey(source) === audienceKey(semantic);
}

/** Clusters each visibility separately. */
async function clusterAll(
  memories: readonly StoredMemory[],
  before: readonly PlannedCluster[],
  options: PlanOptions,
): Promise<PlannedCluster[]> {
  const clusters: PlannedCluster[] = [];
  const inCluster = new Set(before.flatMap(({ sources }) => sources.map(idOf)));
  const semanticOf = new Map(before.flatMap(({ semantic, sources }) => sources.map((one) => [idOf(one), semantic])));
  const isWanted = (stored: StoredMemory) => inCluster.has(idOf(stored));
  for (const visible of await clusterablesByAudience(memories, { isWanted, ...options })) {
    const indexOf = new Map<string, number>();
    await options.slicer.each(visible.entries(), ([index, { stored }]) => indexOf.set(idOf(stored), index));
    const existing = before
      .filter(({ sources }) => indexOf.has(idOf(sources[0] as StoredMemory)))
      .map(({ sources }) => sources.map((source) => indexOf.get(idOf(source)) as number));
    for (const members of await clustersOf(visible, { existing, model: options.model, slicer: options.slicer })) {
      const sources = members.map((member) => (visible[member] as Clusterable).stored);
      const semantic = sources.map((source) => semanticOf.get(idOf(source))).find((known) => known) ?? null;
      clusters.push({ semantic, sources });
    }
  }
  return clusters;
}

async function prunedOf(
  memories: readonly StoredMemory[],
  inClusters: ReadonlySet<string>,
  touched: ReadonlySet<string>,
  { prune, now, slicer }: PlanOptions,
): Promise<StoredMemory[]> {
  if (!prune) return [];
  const successors = new Set<string>();
  const ofPrivate = new Set<string>();
  await slicer.each(memories, ({ memory: { scope, supersededBy } }) => {
    if (supersededBy !== null) (scope === 'PRIVATE' ? ofPrivate : successors).add(supersededBy);
  });
  // A PRIVATE memory protects only memories that its agent alone sees.
  const isNeeded = ({ id, scope }: Memory) =>
    inClusters.has(id) || touched.has(id) || successors.has(id) || (scope === 'PRIVATE' && ofPrivate.has(id));
  return await prunable(memories, { limits: prune, now, isNeeded, slicer });
}

/** Whether a cluster is unchanged. An edited gist stays while its sources are the same. */
function holds({ semantic, sources }: PlannedCluster, { touched, now }: { touched: ReadonlySet<string>; now: number }) {
  if (!semantic || sources.some((source) => touched.has(idOf(source)))) return false;
  const { memory } = semantic;
  if (memory.sources.length !== sources.length) return false;
  const made = semanticMemory(
    sources.map((source) => source.memory),
    { id: memory.id, nowMs: now },
  );
  return memory.content === made.content && memory.sources.every((id, i) => id === made.sources[i]);
}

function idOf({ memory }: StoredMemory): string {
  return memory.id;
}

function byIdOf(a: StoredMemory, b: StoredMemory): number {
  return a.memory.id < b.memory.id ? -1 : 1;
}

export function storedByTime({ memory: a }: StoredMemory, { memory: b }: StoredMemory): number {
  return byTime(a, b);
}
