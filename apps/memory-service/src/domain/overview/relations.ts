import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import { isDoubtful } from '../contradictions/contradiction.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import { type Disagreement, disagreementOf, surestFirst } from '../contradictions/list-contradictions.ts';
import type { Memory } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';

const MOST_RELATED = 50;
/** Memories on each side. */
const SAID_AROUND = 5;

export interface Relations {
  readonly sources: readonly StoredMemory[];
  readonly derived: readonly StoredMemory[];
  readonly supersedes: readonly StoredMemory[];
  /** Oldest first. */
  readonly saidBefore: readonly StoredMemory[];
  /** Oldest first. */
  readonly saidAfter: readonly StoredMemory[];
  /** The open ones and the decided ones, the surest first. */
  readonly contradictions: readonly Disagreement[];
}

export interface RelationsDeps {
  readonly store: Pick<MemoryStore, 'find' | 'scan'> &
    Pick<ConsolidationStore, 'derivedFrom'> &
    Pick<ContradictionStore, 'contradictionsOf'>;
}

/** What a memory is connected with, as far as a viewer sees it. Goes through the store once, in its batches. */
export async function relationsOf({ store }: RelationsDeps, viewer: Viewer, memory: Memory): Promise<Relations> {
  const isSeen = (stored: StoredMemory | null): stored is StoredMemory =>
    stored !== null && isVisibleTo(viewer, stored.memory);
  const sources = await Promise.all(memory.sources.slice(0, MOST_RELATED).map((id) => store.find(id)));
  const derived = await store.derivedFrom([memory.id]);
  const known = (await store.contradictionsOf([memory.id])).filter((one) => !isDoubtful(one));
  const contradictions = await Promise.all(
    known.map((contradiction) => disagreementOf({ store }, viewer, contradiction)),
  );
  return {
    sources: sources.filter(isSeen),
    derived: derived.filter(isSeen).slice(0, MOST_RELATED),
    // Cut last: how many there are that the viewer does not see must not show.
    contradictions: contradictions
      .filter((one) => one !== null)
      .sort(surestFirst)
      .slice(0, MOST_RELATED),
    ...(await inPassing(store, viewer, memory)),
  };
}

/** What only a look at all memories tells. */
async function inPassing(
  store: Pick<MemoryStore, 'scan'>,
  viewer: Viewer,
  memory: Memory,
): Promise<Pick<Relations, 'supersedes' | 'saidBefore' | 'saidAfter'>> {
  const supersedes: StoredMemory[] = [];
  const saidBefore: StoredMemory[] = [];
  const saidAfter: StoredMemory[] = [];
  let isPast = true;
  for await (const batch of store.scan({ viewer })) {
    for (const stored of batch) {
      const other = stored.memory;
      if (other.supersededBy === memory.id && supersedes.length < MOST_RELATED) supersedes.push(stored);
      if (other.id === memory.id) isPast = false;
      else if (!isOfSameTalk(memory, other)) continue;
      else if (!isPast && saidAfter.length < SAID_AROUND) saidAfter.push(stored);
      else if (isPast && saidBefore.push(stored) > SAID_AROUND) saidBefore.shift();
    }
  }
  return { supersedes, saidBefore, saidAfter };
}

function isOfSameTalk(memory: Memory, other: Memory): boolean {
  if (other.agentId !== memory.agentId || other.kind !== 'episodic') return false;
  return memory.sessionId === null || other.sessionId === memory.sessionId;
}
