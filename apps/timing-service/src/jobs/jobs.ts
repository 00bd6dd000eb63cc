import { type BackgroundAudit, type Clock, DAY_MS } from '@agent-faculties/service-kit';
import { abandonForgottenTasks } from '../domain/abandonment.ts';
import { deleteExpired } from '../domain/expiry.ts';
import type { Engine, SpaceParts } from '../domain/space.ts';
import type { Job } from './schedule.ts';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

type InSpaces = (work: (space: SpaceParts) => Promise<void>) => Promise<void>;

/** Less than the hour between two runs, and more than the clocks of replicas differ. */
const ONCE_AN_HOUR_MS = 30 * 60_000;

export interface JobDeps {
  readonly clock: Clock;
  /** Whether this replica does the job this time. */
  readonly claim: (job: string, everyMs: number) => Promise<boolean>;
  readonly turnPeriods: Engine['turnPeriods'];
  readonly audit: BackgroundAudit;
  readonly spaces: {
    /** Does something in each space that is open. */
    readonly inOpen: InSpaces;
    /** The same in every space; those that are not open are opened for it, one at a time. */
    readonly inAll: InSpaces;
    /** Closes those that nobody uses. */
    readonly closeIdle: () => Promise<void>;
  };
}

export function jobs(
  { clock, audit, spaces, claim, turnPeriods }: JobDeps,
  { abandonAfterSeconds, retentionDays }: { abandonAfterSeconds: number; retentionDays: number | null },
): Job[] {
  const abandonIn = async (inSpaces: InSpaces) => {
    let abandoned = 0;
    await inSpaces(async (space) => {
      abandoned += await audit('abandonment', (recordWrite) =>
        abandonForgottenTasks(
          { ...space, clock },
          { abandonAfterSeconds, onAbandoned: (ids) => recordWrite('tasks', ids) },
        ),
      );
    });
    return abandoned > 0 ? { abandoned } : null;
  };
  const expire = async (retentionDays: number) => {
    const total = { events: 0, tasks: 0 };
    const count = async (work: () => Promise<typeof total>) => {
      const deleted = await audit('retention', async (recordWrite) => {
        const deleted = await work();
        recordWrite('events', deleted.events);
        recordWrite('tasks', deleted.tasks);
        return deleted;
      });
      total.events += deleted.events;
      total.tasks += deleted.tasks;
    };
    await spaces.inAll((space) => count(() => deleteExpired({ ...space, clock }, { retentionDays })));
    await count(() => turnPeriods({ nowMs: clock.now(), retentionMs: retentionDays * DAY_MS }));
    return total;
  };
  /** In all spaces, by one of the replicas. */
  const hourly = (name: string, run: Job['run']): Job => ({
    name,
    expression: EVERY_HOUR,
    run: async () => ((await claim(name, ONCE_AN_HOUR_MS)) ? await run() : null),
  });
  return [
    { name: 'abandonment', expression: EVERY_MINUTE, run: () => abandonIn(spaces.inOpen) },
    // A space that is not open gets no requests for statistics, so an hour is soon enough.
    hourly('abandonment in all spaces', () => abandonIn(spaces.inAll)),
    ...(retentionDays === null ? [] : [hourly('retention', () => expire(retentionDays))]),
    {
      name: 'idle spaces',
      expression: EVERY_MINUTE,
      run: async () => {
        await spaces.closeIdle();
        return null;
      },
    },
  ];
}
