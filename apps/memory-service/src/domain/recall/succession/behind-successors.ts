import type { Memory } from '../../memory/memory.ts';

/** What stands for a memory. */
interface OfMemory {
  readonly stored: { readonly memory: Pick<Memory, 'id' | 'supersededBy'> };
}

/** Puts each superseded memory right behind its successor, if the successor is in the ranking. */
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
  // In a circle of successors the best one goes first.
  return [...ordered, ...[...waiting.values()].flat()];
}
