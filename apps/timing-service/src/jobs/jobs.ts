import type { BackgroundAudit } from '@agent-faculties/service-kit';
import { type AbandonmentDeps, abandonForgottenTasks } from '../domain/abandonment.ts';
import { deleteExpired, type ExpiryStore } from '../domain/expiry.ts';
import type { Job } from './schedule.ts';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export function jobs(
  deps: AbandonmentDeps & { readonly expiry: ExpiryStore; readonly audit: BackgroundAudit },
  { abandonAfterSeconds, retentionDays }: { abandonAfterSeconds: number; retentionDays: number | null },
): Job[] {
  const abandonment: Job = {
    name: 'abandonment',
    expression: EVERY_MINUTE,
    run: async () => {
      const abandoned = await deps.audit('abandonment', (recordWrite) =>
        abandonForgottenTasks(deps, { abandonAfterSeconds, onAbandoned: (ids) => recordWrite('tasks', ids) }),
      );
      return abandoned > 0 ? { abandoned } : null;
    },
  };
  if (retentionDays === null) return [abandonment];
  const expiry: Job = {
    name: 'retention',
    expression: EVERY_HOUR,
    run: () =>
      deps.audit('retention', async (recordWrite) => {
        const deleted = await deleteExpired(deps, { retentionDays });
        recordWrite('events', deleted.events);
        recordWrite('tasks', deleted.tasks);
        return deleted;
      }),
  };
  return [abandonment, expiry];
}
