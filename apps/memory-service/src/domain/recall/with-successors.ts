import type { Memory } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { Relevance } from './relevance.ts';

interface Relevant {
  readonly memory: Memory;
  readonly relevance: Relevance;
}

interface Successors {
  readonly find: (id: string) => Promise<StoredMemory | null>;
  readonly isWanted: (memory: Memory) => boolean;
}

/**
 * The memories that are relevant, and before each superseded one what came in its place in the end, where that is not among them: a
 * context with the old one alone misleads.
 */
export async function withSuccessors(
  memories: readonly Relevant[],
  { find, isWanted }: Successors,
): Promise<Relevant[]> {
  const relevant = memories.filter(({ relevance }) => relevance !== 'low');
  // Each is passed once, so that a long chain is not followed again, and a circle ends.
  const passed = new Set(relevant.map(({ memory }) => memory.id));
  const lastAfter = async ({ supersededBy }: Memory): Promise<Memory | null> => {
    let last: Memory | null = null;
    for (let id = supersededBy; id !== null; id = last.supersededBy) {
      const memory: Memory | undefined = (await find(id))?.memory;
      if (!memory) return last;
      if (passed.has(memory.id)) return null;
      passed.add(memory.id);
      last = memory;
    }
    return last;
  };
  const all: Relevant[] = [];
  for (const one of relevant) {
    const last = await lastAfter(one.memory);
    if (last && isWanted(last)) all.push({ memory: last, relevance: one.relevance });
    all.push(one);
  }
  return all;
}
