import { latestRecalls } from '../../cognition/retention.ts';
import { MOST_ENTITIES, MOST_TAGS } from '../../memory/limits.ts';
import type { AbsorbedMemory, Entity, Memory, Strength } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { entityKey } from '../../text/entities/entities.ts';
import type { DuplicateGroup } from './near-duplicates.ts';

/** The survivor with the others absorbed: it gets their tags and names, the greatest importance and the recalls of all. */
export function absorbing({ survivor, others }: DuplicateGroup, nowMs: number): StoredMemory {
  const all = [survivor, ...others];
  const { memory } = survivor;
  return {
    memory: {
      ...memory,
      tags: [...new Set(all.flatMap((stored) => stored.memory.tags))].slice(0, MOST_TAGS),
      importance: Math.max(...all.map((stored) => stored.memory.importance)),
      entities: [...byKey(all.flatMap((stored) => stored.memory.entities)).values()].slice(0, MOST_ENTITIES),
      updatedAt: Math.max(nowMs, memory.updatedAt + 1),
      absorbed: [...(memory.absorbed ?? []), ...others.flatMap(apart)],
      own: ownOf(memory),
    },
    strength: together(all.map(({ strength }) => strength)),
  };
}

/** A memory and those that it absorbed, as separate memories. */
function apart({ memory, strength }: StoredMemory): AbsorbedMemory[] {
  const { absorbed = [], own, ...alone } = memory;
  return [{ memory: { ...alone, ...own }, strength }, ...absorbed];
}

function ownOf({ own, tags, entities, importance }: Memory): NonNullable<Memory['own']> {
  return own ?? { tags, entities, importance };
}

/** The entities without repetition; of equal names the first one. */
function byKey(entities: readonly Entity[]): Map<string, Entity> {
  const named = new Map<string, Entity>();
  for (const entity of entities) {
    const key = entityKey(entity.name);
    if (!named.has(key)) named.set(key, entity);
  }
  return named;
}

function together(strengths: readonly Readonly<Strength>[]): Strength {
  const recalls = strengths.flatMap(({ lastRecalledAt }) => lastRecalledAt ?? []);
  const recalledBy = latestRecalls(...strengths.map((strength) => strength.recalledBy));
  return {
    lastRecalledAt: recalls.length > 0 ? Math.max(...recalls) : null,
    recallCount: strengths.reduce((sum, { recallCount }) => sum + recallCount, 0),
    stabilityDays: Math.max(...strengths.map(({ stabilityDays }) => stabilityDays)),
    ...(recalledBy.length > 0 && { recalledBy }),
  };
}

/** The absorbed memories of other agents, which become separate memories again. */
export function absorbedOfOthers(memory: Memory): readonly AbsorbedMemory[] {
  return (memory.absorbed ?? []).filter((absorbed) => absorbed.memory.agentId !== memory.agentId);
}

/** A memory without some of its absorbed memories, and without the tags, names and importance that only those had. */
export function withoutAbsorbed(memory: Memory, gone: readonly AbsorbedMemory[]): Memory {
  const { absorbed = [], own, ...alone } = memory;
  const left = absorbed.filter((one) => !gone.includes(one));
  const all = [ownOf(memory), ...left.map((one) => one.memory)];
  const tags = new Set(all.flatMap((one) => one.tags));
  const names = byKey(all.flatMap((one) => one.entities));
  return {
    ...alone,
    tags: memory.tags.filter((tag) => tags.has(tag)),
    entities: memory.entities.filter(({ name }) => names.has(entityKey(name))),
    importance: Math.min(memory.importance, Math.max(...all.map((one) => one.importance))),
    ...(left.length > 0 && { absorbed: left, ...(own && { own }) }),
  };
}
