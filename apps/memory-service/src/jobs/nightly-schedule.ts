import { type Clock, ConflictError, type Logger } from '@agent-faculties/service-kit';
import cron, { type ScheduledTask } from 'node-cron';
import { type Config, CRON_OFF } from '../config.ts';
import type { Night } from '../domain/consolidation/run-log.ts';
import { lastDue } from './last-due.ts';

/** A missed run starts once nothing has changed for this long. */
const QUIET_MS = 60_000;
/** How often to check whether the store is idle. */
const LOOK_EVERY_MS = 10_000;
/** A run counts for a scheduled time up to this long after its start: a clock may be corrected while a run starts. */
const TIMER_EARLY_MS = 1_000;
/** Retry delay after a failed run; freeing a disk takes time. */
const AFTER_FAILURE_MS = 15 * 60_000;

export interface NightlyDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** null: there was no run yet. */
  readonly lastNight: () => Night | null;
  /** Whether the night is this process's to do. */
  readonly isOwner: () => Promise<boolean>;
  readonly noteNight: (night: Night) => Promise<void>;
  /** A moment before this start at which the store held something already; null: it is new. */
  readonly wasThereAt: () => number | null;
  /** Grows with every change and every recall that leaves a trace. */
  readonly revision: () => number;
  /** Does something when no other space of this process has its night. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Resolves to whether every step was done, and to a summary for the log. @throws ConflictError while another run is under way */
  readonly run: () => Promise<{ readonly isWhole: boolean; readonly summary: Record<string, unknown> }>;
}

export interface Schedule {
  /** Five fields of cron; null: never. */
  readonly expression: string | null;
  /** IANA name; null: the time zone of the machine. */
  readonly timezone: string | null;
}

export function scheduleOf({
  consolidateCron,
  consolidateTimezone,
}: Pick<Config, 'consolidateCron' | 'consolidateTimezone'>): Schedule {
  return { expression: consolidateCron === CRON_OFF ? null : consolidateCron, timezone: consolidateTimezone };
}

/**
 * Runs the end of the day on its schedule, and makes up for a missed run: the service was down, the machine slept, it was stopped during the
 * run, a step failed, or a run that somebody asked for was under way.
 */
export class Nightly {
  readonly #deps: NightlyDeps;
  readonly #schedule: Schedule;
  #task: ScheduledTask | null = null;
  #quiet: NodeJS.Timeout | null = null;
  readonly #running = new Set<Promise<void>>();
  #stopped = false;
  #giveUp = (): void => {};
  readonly #stopping = new Promise<void>((resolve) => {
    this.#giveUp = resolve;
  });

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
    const task = cron.schedule(expression, () => this.#run('on schedule'), {
      ...(timezone !== null && { timezone }),
      noOverlap: true,
      logger: this.#deps.log,
    });
    this.#task = task;
    // node-cron leaves out a time that it notices more than a second late: the machine slept, or had too much to do.
    task.on('execution:missed', () => this.#makeUpLater(task));
    this.#makeUpLater(task);
  }

  #makeUpLater(task: ScheduledTask): void {
    if (this.#quiet || this.isUnderWay) return;
    const missed = this.#missedAt(task);
    if (missed === null) return;
    const line = { missed: new Date(missed).toISOString() };
    this.#deps.log.info(line, 'a nightly run was missed: it starts when the store is idle');
    this.#waitForQuiet();
  }

  /** Runs at once where a run was missed; for a space that was opened for it. */
  async makeUp(): Promise<void> {
    if (this.#task && this.#missedAt(this.#task) !== null) await this.#run('made up for a missed night');
  }

  /** Whether a run is under way, or waits for its turn. */
  get isUnderWay(): boolean {
    return this.#running.size > 0;
  }

  /** Schedules no more runs; resolves when the current one has ended. One that waits for its turn is given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#giveUp();
    this.#endWaiting();
    await this.#task?.destroy();
    this.#task = null;
    await Promise.all(this.#running);
  }

  /**
   * The start of the last run where it was not completed. Else the last scheduled time, where the store existed then and no run
   * has begun since. null when no run was missed.
   */
  #missedAt(task: ScheduledTask): number | null {
    const night = this.#deps.lastNight();
    if (night && !night.isWhole) return night.startedAt;
    const lastKnown = night?.startedAt ?? this.#deps.wasThereAt();
    if (lastKnown === null) return null;
    const { timezone } = this.#schedule;
    return lastDue({ task, timezone, nowMs: this.#deps.clock.now(), afterMs: lastKnown + TIMER_EARLY_MS });
  }

  /** @param delayMs least time before the run */
  #waitForQuiet(delayMs = 0): void {
    if (this.#stopped) return;
    this.#endWaiting();
    const { clock, revision } = this.#deps;
    const notBefore = clock.now() + delayMs;
    let seen = revision();
    let since = clock.now();
    this.#quiet = setInterval(() => {
      if (revision() !== seen) {
        seen = revision();
        since = clock.now();
      } else if (clock.now() - since >= QUIET_MS && clock.now() >= notBefore) {
        void this.#run('made up for a missed night');
      }
    }, LOOK_EVERY_MS);
    this.#quiet.unref();
  }

  #endWaiting(): void {
    if (this.#quiet) clearInterval(this.#quiet);
    this.#quiet = null;
  }

  async #run(why: string): Promise<void> {
    this.#endWaiting();
    const running = this.#begin(why).finally(() => this.#running.delete(running));
    this.#running.add(running);
    await running;
  }

  async #begin(why: string): Promise<void> {
    const { clock, isOwner } = this.#deps;
    if (!(await isOwner())) return;
    const startedAt = Math.floor(clock.now());
    // A start after a kill then knows that this run began.
    await this.#note({ startedAt, isWhole: false });
    await this.#inTurn(() => this.#night(why, startedAt));
  }

  /** The nights of other spaces may take long, and whoever closes this one waits for its stop. */
  async #inTurn(night: () => Promise<void>): Promise<void> {
    let hasBegun = false;
    const turn = this.#deps.inTurn(async () => {
      if (this.#stopped) return;
      hasBegun = true;
      await night();
    });
    await Promise.race([turn, this.#stopping]);
    if (hasBegun) await turn;
  }

  async #night(why: string, startedAt: number): Promise<void> {
    const { log, run } = this.#deps;
    const job = { job: 'end of day', why };
    try {
      const { isWhole, summary } = await run();
      log.info({ ...job, ...summary }, 'job');
      if (isWhole) await this.#note({ startedAt, isWhole });
      else this.#waitForQuiet(AFTER_FAILURE_MS);
    } catch (error) {
      if (error instanceof ConflictError) {
        log.info(job, 'another consolidation is running: this run starts when the store is idle');
        this.#waitForQuiet();
      } else {
        log.error({ ...job, err: error }, 'job failed');
        this.#waitForQuiet(AFTER_FAILURE_MS);
      }
    }
  }

  async #note(night: Night): Promise<void> {
    const { log, noteNight } = this.#deps;
    try {
      await noteNight(night);
    } catch (error) {
      log.warn({ err: error }, 'a nightly run was not noted');
    }
  }
}
