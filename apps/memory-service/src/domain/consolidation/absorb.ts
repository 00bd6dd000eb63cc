import { entityKey } from '../ingest/entities.ts';
import type { AbsorbedMemory, Memory, Strength } from '../memory.ts';
import type { Kept } from '../memory-store.ts';
import type { DuplicateGroup } from './near-duplicates.ts';

const MOST_TAGS = 64;
const MOST_ENTITIES = 32;

/** The survivor with the others in it: their tags and names, the greatest importance, and all that recalling did to any. */
export function absorbing({ survivor, others }: DuplicateGroup, nowMs: number): Kept {
  const all = [survivor, ...others];
  const { memory } = survivor;
  const entities = new Map(all.flatMap((kept) => kept.memory.entities.map((one) => [entityKey(one.name), one])));
  return {
    memory: {
      ...memory,
      tags: [...new Set(all.flatMap((kept) => kept.memory.tags))].slice(0, MOST_TAGS),
      importance: Math.max(...all.map((kept) => kept.memory.importance)),
      entities: [...entities.values()].slice(0, MOST_ENTITIES),
      updatedAt: Math.max(nowMs, memory.updatedAt + 1),
      absorbed: [...(memory.absorbed ?? []), ...others.flatMap(apart)],
    },
    strength: together(all.map(({ strength }) => strength)),
  };
}

/** A memory and those that it absorbed, each by itself. */
function apart({ memory, strength }: Kept): AbsorbedMemory[] {
  const { absorbed = [], ...alone } = memory;
  return [{ memory: alone, strength }, ...absorbed];
}

function together(strengths: readonly Readonly<Strength>[]): Strength {
  const recalls = strengths.flatMap(({ lastRecalledAt }) => lastRecalledAt ?? []);
  return {
    lastRecalledAt: recalls.length > 0 ? Math.max(...recalls) : null,
    recallCount: strengths.reduce((sum, { recallCount }) => sum + recallCount, 0),
    stabilityDays: Math.max(...strengths.map(({ stabilityDays }) => stabilityDays)),
  };
}

/** What other agents said the same as this, to stand by itself again. */
export function absorbedOfOthers(memory: Memory): readonly AbsorbedMemory[] {
  return (memory.absorbed ?? []).filter((absorbed) => absorbed.memory.agentId !== memory.agentId);
}
