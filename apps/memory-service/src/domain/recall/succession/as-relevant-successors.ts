import type { Memory } from '../../memory/memory.ts';
import { MOST_RELEVANT_FIRST, type Relevance } from '../relevance/relevance.ts';

interface Judged {
  readonly stored: { readonly memory: Pick<Memory, 'id' | 'supersededBy'> };
  readonly relevance: Relevance;
}

/** Makes what came in the place of a memory at least as relevant as that: a context with the old one alone misleads. */
export function asRelevantSuccessors<J extends Judged>(judged: readonly J[]): J[] {
  const levels = new Map(
    judged.map(({ stored: { memory }, relevance }) => [memory.id, MOST_RELEVANT_FIRST.indexOf(relevance)]),
  );
  const successorOf = new Map(judged.map(({ stored: { memory } }) => [memory.id, memory.supersededBy]));
  for (const first of levels.keys()) {
    const level = levels.get(first) as number;
    // Each step makes one more relevant, so that it ends in a circle too.
    for (let id = successorOf.get(first); id && level < (levels.get(id) ?? -1); id = successorOf.get(id)) {
      levels.set(id, level);
    }
  }
  return judged.map((one) => ({
    ...one,
    relevance: MOST_RELEVANT_FIRST[levels.get(one.stored.memory.id) as number] as Relevance,
  }));
}
