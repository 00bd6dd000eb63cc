import { type Clock, DAY_MS } from '@agent-faculties/service-kit';

/** Deletes what is older than an instant, in small steps; running tasks and their start events stay. */
export interface ExpiryStore {
  deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }>;
}

export async function deleteExpired(
  deps: { clock: Clock; expiry: ExpiryStore },
  { retentionDays }: { retentionDays: number },
): Promise<{ events: number; tasks: number }> {
  return deps.expiry.deleteBefore(deps.clock.now() - retentionDays * DAY_MS);
}
