import { DAY_MS } from '@agent-faculties/service-kit';
import { sortedInSlices } from '../../concurrency/sorted-in-slices.ts';
import type { TimeSlicer } from '../../concurrency/time-slicer.ts';
import { dot } from '../../embedding/direction.ts';
import type { ModelKind } from '../../embedding/text-embedding.ts';
import { recallText } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { isForGood } from '../../memory/validity.ts';
import { bestOf } from '../../recall/evidence/top-scores.ts';
import { entityKey } from '../../text/entities/entities.ts';
import { isQuestion } from '../../text/sentences/text-marks.ts';

/** Size of a cluster: two memories are only a pair, and a gist of many would say little of each. */
export const LEAST_MEMBERS = 3;
export const MOST_MEMBERS = 8;
/** The number of neighbours of a memory: two memories are mutual neighbours when each is among the nearest of the other. */
const NEIGHBOURS = 6;
/** Memories near in time: at most this many before or after it, and no further away than this. */
const NEAR_IN_TIME = 40;
const NEAR_DAYS = 7;
/** A name links a memory to this many later ones that have it too. A name that is everywhere links nothing. */
const LINKED_BY_NAME = 20;
const COMMON_NAME = 200;
/** A memory of fewer salient terms joins no cluster: "That sounds lovely". */
const LEAST_TERMS = 3;

interface Likeness {
  /** The least similarity of neighbours with two salient words in common; with one, it is `close`. */
  readonly near: number;
  readonly close: number;
  /** The least similarity of any two members of a cluster, so that no chain of neighbours leads to another subject. */
  readonly floor: number;
}

/** Chosen on clusters of real conversations; docs/decisions/0011-consolidation.md. */
const LIKENESS: Readonly<Record<ModelKind, Likeness>> = {
  contextual: { near: 0.45, close: 0.55, floor: 0.4 },
  static: { near: 0.5, close: 0.6, floor: 0.4 },
  none: { near: 0.3, close: 0.3, floor: 0.15 },
};

/** A memory as clustering reads it. */
export interface Clusterable {
  readonly stored: StoredMemory;
  /** The direction of its vectors; null without a model, where words decide. */
  readonly meaning: Float32Array | null;
  /** Numbers of its salient terms, ascending. */
  readonly terms: Int32Array;
}

/**
 * Whether a memory may join a cluster. Small talk and questions may not: they would cluster with each other. What does not hold for good
 * may not, because a derived memory says of no sentence when it holds.
 */
export function isSalient({ memory }: StoredMemory, terms: ReadonlySet<string>): boolean {
  return (
    isForGood(memory) && memory.supersededBy === null && !isQuestion(recallText(memory)) && terms.size >= LEAST_TERMS
  );
}

/**
 * Clusters memories of one visibility that have one meaning and are near in time or name the same things. Agglomerative
 * clustering over pairs of mutual neighbours, most similar first, with complete linkage: two clusters are joined only if every
 * two members are similar enough. A join that fails once fails for good, because clusters only grow; so clustering again
 * changes nothing.
 * @param memories of one visibility, in order of time
 * @param existing clusters by index of their members; they stay and may only grow
 * @complexity O(n): each is compared with a bounded number of others
 */
export async function clustersOf(
  memories: readonly Clusterable[],
  { existing, model, slicer }: { existing: readonly (readonly number[])[]; model: ModelKind; slicer: TimeSlicer },
): Promise<number[][]> {
  const limits = LIKENESS[model];
  const clusterOf: number[][] = [];
  await slicer.each(memories.keys(), (index) => clusterOf.push([index]));
  for (const members of existing) {
    const cluster = [...members];
    for (const member of members) clusterOf[member] = cluster;
  }
  const pairs = await sortedInSlices(await mutualNeighbours(memories, { limits, slicer }), {
    compare: mostAlikeFirst,
    slicer,
  });
  for (const { a, b } of pairs) {
    if (slicer.isDue) await slicer.rest();
    const into = clusterOf[a] as number[];
    const from = clusterOf[b] as number[];
    if (into === from || into.length + from.length > MOST_MEMBERS) continue;
    const isOne = into.every((x) => from.every((y) => alike(memories[x], memories[y]) >= limits.floor));
    if (!isOne) continue;
    into.push(...from);
    for (const member of from) clusterOf[member] = into;
  }
  const stored = new Set(existing.flatMap((members) => members.slice(0, 1).map((first) => clusterOf[first])));
  const clusters = new Set<number[]>();
  await slicer.each(clusterOf, (cluster) => {
    if (stored.has(cluster) || cluster.length >= LEAST_MEMBERS) clusters.add(cluster);
  });
  return Array.from(clusters, (cluster) => cluster.sort((a, b) => a - b));
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly likeness: number;
}

async function mutualNeighbours(
  memories: readonly Clusterable[],
  { limits, slicer }: { limits: Likeness; slicer: TimeSlicer },
): Promise<Pair[]> {
  const linked = await linksByName(memories, slicer);
  const neighbours: Map<number, number>[] = [];
  for (const index of memories.keys()) {
    if (slicer.isDue) await slicer.rest();
    const memory = memories[index] as Clusterable;
    const others: number[] = [];
    const likenesses: number[] = [];
    for (const other of candidatesFor(index, memories, linked)) {
      const shared = sharedTerms(memory, memories[other] as Clusterable);
      const likeness = shared === 0 ? 0 : alike(memory, memories[other]);
      if (likeness < (shared === 1 ? limits.close : limits.near)) continue;
      others.push(other);
      likenesses.push(likeness);
    }
    const nearest = bestOf(likenesses, NEIGHBOURS);
    neighbours.push(new Map(nearest.map((place) => [others[place] as number, likenesses[place] as number])));
  }
  const pairs: Pair[] = [];
  for (const [a, nearest] of neighbours.entries()) {
    if (slicer.isDue) await slicer.rest();
    for (const [b, likeness] of nearest) if (a < b && neighbours[b]?.has(a)) pairs.push({ a, b, likeness });
  }
  return pairs;
}

/** Equally similar pairs are in order of time, so that every run finds the same clusters. */
function mostAlikeFirst(x: Pair, y: Pair): number {
  return y.likeness - x.likeness || x.a - y.a || x.b - y.b;
}

/** The pairs that may have one subject: near in time, or with a common name. */
function candidatesFor(
  index: number,
  memories: readonly Clusterable[],
  linked: ReadonlyMap<string, readonly number[]>,
): Set<number> {
  const candidates = new Set<number>();
  const at = createdAt(memories[index]);
  for (let other = Math.max(0, index - NEAR_IN_TIME); other <= index + NEAR_IN_TIME; other++) {
    const memory = memories[other];
    if (memory && Math.abs(createdAt(memory) - at) <= NEAR_DAYS * DAY_MS) candidates.add(other);
  }
  for (const { name } of memories[index]?.stored.memory.entities ?? []) {
    const sharing = linked.get(entityKey(name)) ?? [];
    if (sharing.length > COMMON_NAME) continue;
    const place = sharing.indexOf(index);
    for (const other of sharing.slice(Math.max(0, place - LINKED_BY_NAME), place + LINKED_BY_NAME + 1)) {
      candidates.add(other);
    }
  }
  candidates.delete(index);
  return candidates;
}

/** For each entity the indexes of the memories that name it, ascending. */
async function linksByName(memories: readonly Clusterable[], slicer: TimeSlicer): Promise<Map<string, number[]>> {
  const linked = new Map<string, number[]>();
  await slicer.each(memories.entries(), ([index, { stored }]) => {
    for (const { name } of stored.memory.entities) {
      const key = entityKey(name);
      const sharing = linked.get(key);
      if (sharing) sharing.push(index);
      else linked.set(key, [index]);
    }
  });
  return linked;
}

/** Similarity: the cosine of the vectors; without a model, of the words (Ochiai's coefficient). 0 where only one has a vector. */
function alike(a: Clusterable | undefined, b: Clusterable | undefined): number {
  if (!a || !b) return 0;
  if (a.meaning && b.meaning) return dot(a.meaning, b.meaning);
  if (a.meaning || b.meaning) return 0;
  return sharedTerms(a, b) / Math.sqrt(Math.max(1, a.terms.length) * Math.max(1, b.terms.length));
}

function sharedTerms({ terms: a }: Clusterable, { terms: b }: Clusterable): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return shared;
}

function createdAt(memory: Clusterable | undefined): number {
  return memory?.stored.memory.createdAt ?? 0;
}
