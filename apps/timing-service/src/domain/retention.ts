import { type Clock, DAY_MS } from '@agent-faculties/service-kit';

/** Deletes what is older than an instant, in small steps; running tasks and their start events stay. */
export interface RetentionStore {
  deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }>;
}

export async function deleteExpired(
  deps: { clock: Clock; retention: RetentionStore },
  { retentionDays }: { retentionDays: number },
): Promise<{ events: number; tasks: number }> {
  return deps.retention.deleteBefore(deps.clock.now() - retentionDays * DAY_MS);
}
