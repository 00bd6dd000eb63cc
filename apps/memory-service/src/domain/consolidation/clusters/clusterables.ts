import type { TimeSlicer } from '../../concurrency/time-slicer.ts';
import type { ModelKind } from '../../embedding/text-embedding.ts';
import { type Memory, recallText } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { type Audience, audienceKey, isSeenByAllWhoSee } from '../../memory/visibility.ts';
import { salientTermsInSteps } from '../../text/words/salient-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import type { ConsolidationStore } from '../consolidation-store.ts';
import { type Clusterable, isSalient } from './clusters.ts';
import { TermNumbers } from './term-numbers.ts';

/** The number of memories in one query for vectors. */
const ASKED_AT_ONCE = 256;

interface ClusterableOptions {
  readonly store: Pick<ConsolidationStore, 'embeddingsOf'>;
  readonly model: ModelKind;
  readonly slicer: TimeSlicer;
  /** Whether a memory is clustered though it says little, or has no vector yet. */
  readonly isWanted: (stored: StoredMemory) => boolean;
}

/** The memories to cluster, by audience and in order of time. A name that only others' memories have changes nothing. */
export async function clusterablesByAudience(
  memories: readonly StoredMemory[],
  { isWanted, store, model, slicer }: ClusterableOptions,
): Promise<Clusterable[][]> {
  const groups = new Groups(await speakersIn(memories, slicer));
  const said: StoredMemory[] = [];
  await slicer.each(memories, (stored) => {
    if (stored.memory.kind === 'episodic') said.push(stored);
  });
  let meanings: readonly (Float32Array | null)[] = [];
  for (const [index, stored] of said.entries()) {
    if (slicer.isDue) await slicer.rest();
    const inBatch = index % ASKED_AT_ONCE;
    if (inBatch === 0) meanings = await store.embeddingsOf(idsOf(said.slice(index, index + ASKED_AT_ONCE)));
    const meaning = meanings[inBatch] ?? null;
    if (model !== 'none' && !meaning && !isWanted(stored)) continue;
    const terms = await slicer.through(salientTermsInSteps(recallText(stored.memory)));
    if (slicer.isDue) await slicer.rest();
    if (isWanted(stored) || isSalient(stored, terms)) groups.add(stored, { meaning, terms });
  }
  return groups.all;
}

/** Who has said something to an audience. */
interface Speakers {
  readonly audience: Audience;
  readonly names: Set<string>;
}

async function speakersIn(memories: readonly StoredMemory[], slicer: TimeSlicer): Promise<Speakers[]> {
  const speakers = new Map<string, Speakers>();
  await slicer.each(memories, ({ memory }) => {
    if (memory.name === null) return;
    const key = audienceKey(memory);
    const known = speakers.get(key) ?? { audience: memory, names: new Set() };
    known.names.add(memory.name);
    speakers.set(key, known);
  });
  return [...speakers.values()];
}

/** Clusterable memories by audience. The terms of each audience are numbered apart, and those of its speakers do not count. */
class Groups {
  readonly #speakers: readonly Speakers[];
  readonly #byAudience = new Map<string, { readonly members: Clusterable[]; readonly numbers: TermNumbers }>();

  constructor(speakers: readonly Speakers[]) {
    this.#speakers = speakers;
  }

  get all(): Clusterable[][] {
    return [...this.#byAudience.values()].map(({ members }) => members);
  }

  add(stored: StoredMemory, { meaning, terms }: { meaning: Float32Array | null; terms: ReadonlySet<string> }): void {
    const key = audienceKey(stored.memory);
    let group = this.#byAudience.get(key);
    if (!group) {
      const speakerTerms = this.#speakerTermsFor(stored.memory);
      group = { members: [], numbers: new TermNumbers((term) => speakerTerms.has(term)) };
      this.#byAudience.set(key, group);
    }
    group.members.push({ stored, meaning, terms: group.numbers.of(terms) });
  }

  #speakerTermsFor(memory: Memory): ReadonlySet<string> {
    const known = this.#speakers.filter(({ audience }) => isSeenByAllWhoSee(memory, audience));
    return new Set(known.flatMap(({ names }) => [...names].flatMap(termsOf)));
  }
}

function idsOf(stored: readonly StoredMemory[]): string[] {
  return stored.map(({ memory }) => memory.id);
}
