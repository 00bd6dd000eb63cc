import type { Memory } from '../memory.ts';
import type { Kept } from '../memory-store.ts';
import { absorbedOfOthers } from './absorb.ts';
import type { ConsolidationStore, PlannedChange } from './consolidation-store.ts';

/** A memory without what other agents said the same, and the changes that let theirs stand by themselves again. */
export function settingApart(
  store: ConsolidationStore,
  memory: Memory,
): { alone: Memory; changes: readonly PlannedChange[] } {
  const others = absorbedOfOthers(memory);
  if (others.length === 0) return { alone: memory, changes: [] };
  const meaning = store.meaningOf(memory.id);
  // The words are the same, so the vector is.
  const vectors = meaning ? [meaning] : [];
  const { absorbed = [], ...alone } = memory;
  const own = absorbed.filter((one) => !others.includes(one));
  return {
    alone: own.length > 0 ? { ...alone, absorbed: own } : alone,
    changes: others.map((one) => ({ op: 'add', ...one, vectors })),
  };
}

/** A memory without what one agent said the same; null where there is nothing of that. */
export function withoutWordsOf(agentId: string, { memory }: Kept): Memory | null {
  const { absorbed = [], ...alone } = memory;
  const left = absorbed.filter((one) => one.memory.agentId !== agentId);
  if (left.length === absorbed.length) return null;
  const updatedAt = memory.updatedAt + 1;
  return left.length > 0 ? { ...alone, updatedAt, absorbed: left } : { ...alone, updatedAt };
}
