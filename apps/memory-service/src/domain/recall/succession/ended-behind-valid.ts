import type { Memory } from '../../memory/memory.ts';
import { isEnded } from '../../memory/validity.ts';
import { MOST_RELEVANT_FIRST, type Relevance } from '../relevance/relevance.ts';

interface Ranked {
  readonly stored: { readonly memory: Pick<Memory, 'validUntil'> };
  readonly relevance: Relevance;
}

/** Puts each memory that has ended right behind the last one that holds and is at least as relevant. @param ranked best first */
export function endedBehindValid<R extends Ranked>(ranked: readonly R[], now: number): R[] {
  const hasEnded = ({ stored: { memory } }: R) => isEnded(memory, now);
  const waiting = new Map<number, R[]>();
  for (const [place, one] of ranked.entries()) {
    if (!hasEnded(one)) continue;
    const isBefore = (other: R) =>
      !hasEnded(other) && MOST_RELEVANT_FIRST.indexOf(other.relevance) <= MOST_RELEVANT_FIRST.indexOf(one.relevance);
    const behind = Math.max(place, ranked.findLastIndex(isBefore));
    waiting.set(behind, [...(waiting.get(behind) ?? []), one]);
  }
  return ranked.flatMap((one, place) => [...(hasEnded(one) ? [] : [one]), ...(waiting.get(place) ?? [])]);
}
