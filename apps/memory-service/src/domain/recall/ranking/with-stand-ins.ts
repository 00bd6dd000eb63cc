import type { StoredMemory } from '../../memory/memory-store.ts';
import { tellsAllOf } from '../../text/gist/semantic-gist.ts';
import type { Relevance } from '../relevance/relevance.ts';

interface Answer {
  readonly stored: StoredMemory;
  readonly entityKeys: readonly string[];
  readonly relevance: Relevance;
}

/**
 * Lets a semantic memory stand in for members that it tells whole, at the place of the best of them, if that makes room among the
 * first `places` for another relevant memory. The answer then tells everything that it told before, and more. A semantic memory
 * comes into an answer in no other way, replaces only its members, and tells none that the answer has already.
 * @param ranked best first; those beyond `places` may move up
 */
export function withStandIns<T extends Answer>(
  ranked: readonly T[],
  places: number,
  derivedFrom: (id: string) => readonly StoredMemory[],
): T[] {
  let answers = [...ranked];
  for (let index = 0; index < Math.min(places, answers.length); index++) {
    const first = answers[index] as T;
    for (const derived of derivedFrom(first.stored.memory.id)) {
      const { gist, sources } = derived.memory;
      if (answers.slice(0, index).some(({ stored: { memory } }) => sources.includes(memory.id))) continue;
      const told = answers
        .slice(index, places)
        .filter(({ stored: { memory } }) => sources.includes(memory.id) && tellsAllOf(gist, memory));
      const room = told.length - 1;
      const movingUp = answers.slice(places, places + room);
      if (told[0] !== first || room < 1 || movingUp.length < room) continue;
      if (movingUp.some(({ relevance }) => relevance === 'low')) continue;
      answers = answers.flatMap((answer) => {
        if (answer === first) return { ...answer, stored: derived, entityKeys: [] };
        return told.includes(answer) ? [] : answer;
      });
      break;
    }
  }
  return answers;
}
