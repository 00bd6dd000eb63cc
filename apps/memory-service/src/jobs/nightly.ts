import type { Clock, Logger } from '@agent-faculties/service-kit';
import cron, { type ScheduledTask } from 'node-cron';

/** A missed night is made up for once nothing has changed for so long. */
const QUIET_MS = 60_000;
/** How often it is looked whether it is quiet. */
const LOOK_EVERY_MS = 10_000;

export interface NightlyDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** When a run last began, epoch milliseconds; null: never. */
  readonly lastRunAt: () => number | null;
  /** When the store was last saved before this start; null: it is new. */
  readonly lastSavedAt: () => number | null;
  /** Grows with every change and every recall that leaves a trace. */
  readonly revision: () => number;
  /** Resolves to what is worth a line in the log. */
  readonly run: () => Promise<Record<string, unknown>>;
}

export interface Schedule {
  /** Five fields of cron; null: never. */
  readonly expression: string | null;
  /** IANA; null: that of the machine. */
  readonly timezone: string | null;
}

/** Runs the end of the day on its schedule, and makes up for a night in which the service was not there. */
export class Nightly {
  readonly #deps: NightlyDeps;
  readonly #schedule: Schedule;
  #task: ScheduledTask | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: NightlyDeps, schedule: Schedule) {
    this.#deps = deps;
    this.#schedule = schedule;
  }

  /** Epoch milliseconds; null when nothing is scheduled. */
  get nextRunAt(): number | null {
    return this.#task?.getNextRun()?.getTime() ?? null;
  }

  start(): void {
    const { expression, timezone } = this.#schedule;
    if (expression === null) return;
    const { log } = this.#deps;
    this.#task = cron.schedule(expression, () => this.#run('on schedule'), {
      ...(timezone !== null && { timezone }),
      noOverlap: true,
    });
    const missed = this.#missedAt();
    if (missed === null) return;
    log.info(
      { missed: new Date(missed).toISOString() },
      'a nightly run was missed: it is made up for when it is quiet',
    );
    this.#waitForQuiet();
  }

  /** Schedules nothing more; resolves when what is running has ended. */
  async stop(): Promise<void> {
    if (this.#quiet) clearInterval(this.#quiet);
    await this.#task?.destroy();
    this.#task = null;
    await this.#running;
  }

  /**
   * The last time that the schedule named, if the store was there and nothing has run since; null when nothing was missed.
   * Taken to lie as far before the next time as that lies before the one after it.
   */
  #missedAt(): number | null {
    const [next, afterNext] = this.#task?.getNextRuns(2) ?? [];
    const lastKnown = this.#deps.lastRunAt() ?? this.#deps.lastSavedAt();
    if (!next || !afterNext || lastKnown === null) return null;
    const before = 2 * next.getTime() - afterNext.getTime();
    return lastKnown < before ? before : null;
  }

  #waitForQuiet(): void {
    const { clock, revision } = this.#deps;
    let seen = revision();
    let since = clock.now();
    this.#quiet = setInterval(() => {
      if (revision() !== seen) {
        seen = revision();
        since = clock.now();
      } else if (clock.now() - since >= QUIET_MS) {
        void this.#run('made up for a missed night');
      }
    }, LOOK_EVERY_MS);
    this.#quiet.unref();
  }

  async #run(why: string): Promise<void> {
    if (this.#quiet) clearInterval(this.#quiet);
    this.#quiet = null;
    const { log, run } = this.#deps;
    const turn = run().then(
      (report) => log.info({ job: 'end of day', why, ...report }, 'job'),
      (error) => log.error({ job: 'end of day', why, err: error }, 'job failed'),
    );
    this.#running = turn;
    await turn;
  }
}
