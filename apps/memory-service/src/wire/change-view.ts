import type { FeedEvent } from '../domain/space/change-feed.ts';
import { formatInstant } from './instant.ts';

/** The data of an event, without words of memories. */
export function changeView({ at, told }: Omit<FeedEvent, 'id'>): Record<string, unknown> {
  const when = { at: formatInstant(at) };
  if (told.type === 'consolidation') return { ...when, run_id: told.runId, outcome: told.outcome };
  if (told.type === 'contradiction') {
    return { ...when, by: told.by, contradiction_id: told.id, what: told.what, memory_ids: told.memoryIds };
  }
  const { id, agentId, scope, project } = told.memory;
  return {
    ...when,
    by: told.by,
    operation: told.operation,
    memory_id: id,
    agent_id: agentId,
    project,
    scope,
    ...(told.type === 'superseded' && { superseded_by: told.supersededBy }),
  };
}
