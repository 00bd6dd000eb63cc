import type { Logger } from '@agent-faculties/service-kit';
import { Cron } from 'croner';

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
 * Where the machine slept or the clock was set forward, each job runs once, within half a minute, however many times have passed.
 * Every call of `stop` waits for the same stop.
 */
export function schedule(jobs: Job[], log: Logger): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const tasks = jobs.map(
    ({ name, expression, run }) =>
      new Cron(expression, { timezone: 'UTC', protect: true }, async () => {
        const turn = run().then(
          (report) => {
            if (report) log.info({ job: name, ...report }, 'job');
          },
          (error) => log.error({ job: name, err: error }, 'job failed'),
        );
        running.add(turn);
        await turn;
        running.delete(turn);
      }),
  );
  const stop = async () => {
    for (const task of tasks) task.stop();
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
