import type { Memory } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import type { Relevance } from '../relevance/relevance.ts';

interface Relevant {
  readonly memory: Memory;
  readonly relevance: Relevance;
}

interface Successors {
  readonly find: (id: string) => Promise<StoredMemory | null>;
  readonly isWanted: (memory: Memory) => boolean;
}

/** The most successors that are followed for a context; a real history has fewer. */
const MOST_FOLLOWED = 1_000;

/**
 * The memories that are relevant, and before each superseded one what came in its place in the end, where that is not among them: a
 * context with the old one alone misleads. Of what came one after the other it is the last that is wanted.
 */
export async function withSuccessors(
  memories: readonly Relevant[],
  { find, isWanted }: Successors,
): Promise<Relevant[]> {
  const relevant = memories.filter(({ relevance }) => relevance !== 'low');
  // Each is passed once, so that a long chain is not followed again, and a circle ends.
  const passed = new Set(relevant.map(({ memory }) => memory.id));
  let left = MOST_FOLLOWED;
  const lastAfter = async ({ supersededBy }: Memory): Promise<Memory | null> => {
    let last: Memory | null = null;
    for (let id = supersededBy; id !== null && left > 0; left--) {
      const memory: Memory | undefined = (await find(id))?.memory;
      if (!memory) return last;
      if (passed.has(memory.id)) return null;
      passed.add(memory.id);
      if (isWanted(memory)) last = memory;
      id = memory.supersededBy;
    }
    return last;
  };
  const all: Relevant[] = [];
  for (const one of relevant) {
    const last = await lastAfter(one.memory);
    if (last) all.push({ memory: last, relevance: one.relevance });
    all.push(one);
  }
  return all;
}
