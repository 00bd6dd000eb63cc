import type { PlannedChange } from '../../memory/decision.ts';
import type { AbsorbedMemory, Memory } from '../../memory/memory.ts';
import type { ConsolidationStore } from '../consolidation-store.ts';
import { absorbedOfOthers, withoutAbsorbed } from './absorb.ts';

interface SetApart {
  readonly alone: Memory;
  readonly changes: readonly PlannedChange[];
}

type Embeddings = Pick<ConsolidationStore, 'embeddingsOf'>;

/** A memory without the absorbed memories of other agents, and the changes that make those separate again. */
export async function settingApart(store: Embeddings, memory: Memory): Promise<SetApart> {
  return await settingThoseApart(store, memory, absorbedOfOthers(memory));
}

/** The same for one absorbed memory, by id; null where no memory of another agent absorbed it. */
export async function settingOneApart(store: Embeddings, memory: Memory, id: string): Promise<SetApart | null> {
  const one = absorbedOfOthers(memory).find((absorbed) => absorbed.memory.id === id);
  return one ? await settingThoseApart(store, memory, [one]) : null;
}

async function settingThoseApart(
  store: Embeddings,
  memory: Memory,
  those: readonly AbsorbedMemory[],
): Promise<SetApart> {
  if (those.length === 0) return { alone: memory, changes: [] };
  const [meaning] = await store.embeddingsOf([memory.id]);
  // The words are the same, and so are the vectors.
  const vectors = meaning ? [meaning] : [];
  return { alone: withoutAbsorbed(memory, those), changes: those.map((one) => ({ op: 'add', ...one, vectors })) };
}
