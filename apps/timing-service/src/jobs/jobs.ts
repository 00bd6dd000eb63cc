import { type AbandonmentDeps, abandonForgottenTasks } from '../domain/abandonment.ts';
import { deleteExpired, type RetentionStore } from '../domain/retention.ts';
import type { Job } from './schedule.ts';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export function jobs(
  deps: AbandonmentDeps & { retention: RetentionStore },
  { abandonAfterSeconds, retentionDays }: { abandonAfterSeconds: number; retentionDays: number | null },
): Job[] {
  const abandonment: Job = {
    name: 'abandonment',
    expression: EVERY_MINUTE,
    run: async () => {
      const abandoned = await abandonForgottenTasks(deps, { abandonAfterSeconds });
      return abandoned > 0 ? { abandoned } : null;
    },
  };
  if (retentionDays === null) return [abandonment];
  const retention: Job = {
    name: 'retention',
    expression: EVERY_HOUR,
    run: () => deleteExpired(deps, { retentionDays }),
  };
  return [abandonment, retention];
}
