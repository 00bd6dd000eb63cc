import type { SpaceTransaction } from './space-database.ts';

/**
 * After a deletion: removes the agents and task types that no row uses any more, and the counts of durations from before it. The number of
 * the space has been taken: whoever writes a name meanwhile waits, and writes it again.
 */
export async function forgetUnused(space: SpaceTransaction): Promise<void> {
  await space.rows(`DELETE FROM timing.duration_counts
    WHERE space = $1 AND number < (SELECT dropped FROM timing.space WHERE name = $1)`);
  await space.rows(`DELETE FROM timing.task_type named WHERE space = $1
    AND NOT EXISTS (SELECT 1 FROM timing.task WHERE task.space = $1 AND task.task_type = named.task_type AND task.agent_id = named.agent_id)
    AND NOT EXISTS (SELECT 1 FROM timing.event WHERE event.space = $1 AND event.task_type = named.task_type AND event.agent_id = named.agent_id)`);
  await space.rows(`DELETE FROM timing.agent named WHERE space = $1
    AND NOT EXISTS (SELECT 1 FROM timing.task WHERE task.space = $1 AND task.agent_id = named.agent_id)
    AND NOT EXISTS (SELECT 1 FROM timing.event WHERE event.space = $1 AND event.agent_id = named.agent_id)
    AND NOT EXISTS (SELECT 1 FROM timing.stopwatch WHERE stopwatch.space = $1 AND stopwatch.agent_id = named.agent_id)`);
}
