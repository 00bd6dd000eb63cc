import type { Logger } from '@agent-faculties/service-kit';
import cron, { type ScheduledTask } from 'node-cron';

/** How long a stop waits for a job that is running. */
const STOP_LIMIT_MS = 5_000;

export interface Job {
  readonly name: string;
  /** Five fields, UTC. */
  readonly expression: string;
  /** Returns what is worth a log line, or null. */
  readonly run: () => Promise<Record<string, unknown> | null>;
}

/**
 * Runs jobs on their schedules; two runs of one job never overlap. A failed run is logged, and the job runs again at its next time.
 * Times that passed while the machine slept are left out without a word: node-cron would log each of them.
 * Every call of `stop` waits for the same stop.
 */
export function schedule(jobs: Job[], log: Logger): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const tasks: ScheduledTask[] = jobs.map(({ name, expression, run }) =>
    cron.schedule(
      expression,
      async () => {
        const turn = run().then(
          (report) => {
            if (report) log.info({ job: name, ...report }, 'job');
          },
          (error) => log.error({ job: name, err: error }, 'job failed'),
        );
        running.add(turn);
        await turn;
        running.delete(turn);
      },
      { name, timezone: 'UTC', noOverlap: true, suppressMissedWarning: true, logger: log },
    ),
  );
  const stop = async () => {
    await Promise.all(tasks.map((task) => task.destroy()));
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
    await Promise.race([Promise.all(running), limit]);
  };
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
