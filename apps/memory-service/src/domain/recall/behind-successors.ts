import type { Memory } from '../memory/memory.ts';

/** What stands for a memory. */
interface OfMemory {
  readonly stored: { readonly memory: Pick<Memory, 'id' | 'supersededBy'> };
}

/** The ranking with each superseded memory right behind what supersedes it, where that is in the ranking at all. */
export function behindSuccessors<R extends OfMemory>(ranked: readonly R[]): R[] {
  const places = new Map(ranked.map(({ stored: { memory } }, place) => [memory.id, place]));
  const waiting = new Map<string, R[]>();
  const ordered: R[] = [];
  const put = (one: R) => {
    ordered.push(one);
    const behind = waiting.get(one.stored.memory.id) ?? [];
    waiting.delete(one.stored.memory.id);
    for (const superseded of behind) put(superseded);
  };
  for (const [place, one] of ranked.entries()) {
    const { supersededBy } = one.stored.memory;
    const successor = supersededBy === null ? undefined : places.get(supersededBy);
    if (supersededBy === null || successor === undefined || successor < place) put(one);
    else waiting.set(supersededBy, [...(waiting.get(supersededBy) ?? []), one]);
  }
  // Successors in a circle wait for each other; the best of them goes first.
  return [...ordered, ...[...waiting.values()].flat()];
}
