import { MOST_ENTITIES, MOST_TAGS } from '../../memory/limits.ts';
import { ALWAYS_VALID, type Entity, leastTrusted, type Memory, NOT_SUPERSEDED } from '../../memory/memory.ts';
import { entityKey } from '../../text/entities/entities.ts';
import { semanticGist } from '../../text/gist/semantic-gist.ts';

/**
 * Makes the semantic memory of several sources, which stay beside it. It belongs to the agent of the oldest source, has the time
 * of the latest, and tells in `metadata` the agents and the times of its sources.
 * @param sources of one visibility, in order of time
 */
export function semanticMemory(sources: readonly Memory[], { id, nowMs }: { id: string; nowMs: number }): Memory {
  const first = sources[0] as Memory;
  const last = sources.at(-1) as Memory;
  const gist = semanticGist(sources);
  return {
    id,
    gist,
    content: gist,
    gistEdited: false,
    tags: [...new Set(sources.flatMap(({ tags }) => tags))].slice(0, MOST_TAGS),
    importance: Math.max(...sources.map(({ importance }) => importance)),
    agentId: first.agentId,
    sessionId: sources.every(({ sessionId }) => sessionId === first.sessionId) ? first.sessionId : null,
    scope: first.scope,
    project: first.project,
    kind: 'semantic',
    role: null,
    name: null,
    // The least trusted sentence decides how far it is trusted.
    source: leastTrusted(sources.map(({ source }) => source)),
    entities: entitiesOf(sources),
    createdAt: last.createdAt,
    updatedAt: nowMs,
    sources: sources.map((source) => source.id),
    consolidatedInto: null,
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
    metadata: {
      agents: [...new Set(sources.map(({ agentId }) => agentId))].sort(),
      since: new Date(first.createdAt).toISOString(),
      until: new Date(last.createdAt).toISOString(),
    },
    idempotencyKey: null,
  };
}

/** The entities, those that most memories name first. */
function entitiesOf(sources: readonly Memory[]): Entity[] {
  const counted = new Map<string, { entity: Entity; count: number }>();
  for (const entity of sources.flatMap(({ entities }) => entities)) {
    const key = entityKey(entity.name);
    const known = counted.get(key);
    counted.set(key, { entity: known?.entity ?? entity, count: (known?.count ?? 0) + 1 });
  }
  return [...counted.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_ENTITIES)
    .map(({ entity }) => entity);
}
