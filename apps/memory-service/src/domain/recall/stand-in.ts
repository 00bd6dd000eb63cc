import { tellsAllOf } from '../consolidation/semantic-gist.ts';
import type { Kept } from '../memory-store.ts';

export interface Ranked {
  readonly ordinal: number;
  readonly kept: Kept;
}

/** A semantic memory saves room only for so many. */
const LEAST_TOLD = 2;

/**
 * Lets a semantic memory stand in for members that it tells whole, at the place of the best of them, where there are
 * several among the first `places`. The others' places go to what comes next, so the answer tells all that it did, and more.
 * A semantic memory comes up in no other way, so it never takes the place of anything else.
 * @param ranked best first; those beyond `places` may move up
 */
export function withStandIns<T extends Ranked>(
  ranked: readonly T[],
  places: number,
  gatheredFrom: (id: string) => readonly Ranked[],
): T[] {
  let answers = [...ranked];
  const tried = new Set<number>();
  for (let index = 0; index < Math.min(places, answers.length); index++) {
    const first = answers[index] as T;
    for (const gathered of gatheredFrom(first.kept.memory.id)) {
      if (tried.has(gathered.ordinal)) continue;
      const { gist, sources } = gathered.kept.memory;
      const told = answers
        .slice(0, places)
        .filter(({ kept: { memory } }) => sources.includes(memory.id) && tellsAllOf(gist, memory));
      if (told.length < LEAST_TOLD) continue;
      tried.add(gathered.ordinal);
      answers = answers.flatMap((answer) => {
        if (answer === told[0]) return { ...answer, ...gathered };
        return told.includes(answer) ? [] : answer;
      });
    }
  }
  return answers;
}
