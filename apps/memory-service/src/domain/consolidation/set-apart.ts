import type { AbsorbedMemory, Memory } from '../memory/memory.ts';
import { absorbedOfOthers, withoutAbsorbed } from './absorb.ts';
import type { ConsolidationStore, PlannedChange } from './consolidation-store.ts';

interface SetApart {
  readonly alone: Memory;
  readonly changes: readonly PlannedChange[];
}

/** A memory without what other agents said the same, and the changes that let theirs stand by themselves again. */
export function settingApart(store: Pick<ConsolidationStore, 'embeddingOf'>, memory: Memory): SetApart {
  return settingThoseApart(store, memory, absorbedOfOthers(memory));
}

/** The same of the one of an id, where another agent said it; null where that is not so. */
export function settingOneApart(
  store: Pick<ConsolidationStore, 'embeddingOf'>,
  memory: Memory,
  id: string,
): SetApart | null {
  const one = absorbedOfOthers(memory).find((absorbed) => absorbed.memory.id === id);
  return one ? settingThoseApart(store, memory, [one]) : null;
}

function settingThoseApart(
  store: Pick<ConsolidationStore, 'embeddingOf'>,
  memory: Memory,
  those: readonly AbsorbedMemory[],
): SetApart {
  if (those.length === 0) return { alone: memory, changes: [] };
  const meaning = store.embeddingOf(memory.id);
  // The words are the same, so the vector is.
  const vectors = meaning ? [meaning] : [];
  return { alone: withoutAbsorbed(memory, those), changes: those.map((one) => ({ op: 'add', ...one, vectors })) };
}
