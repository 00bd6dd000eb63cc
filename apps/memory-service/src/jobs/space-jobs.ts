import { type Clock, DAY_MS, type Logger } from '@agent-faculties/service-kit';
import cron, { type ScheduledTask } from 'node-cron';
import type { SpaceAtRest } from '../domain/space/engine.ts';
import { lastDue } from './last-due.ts';
import type { Schedule } from './nightly-schedule.ts';

/** How often to look for spaces that nobody uses any more. */
const LOOK_EVERY_MS = 60_000;
/** After a start, requests come first. */
const FIRST_ROUND_MS = 60_000;
/** A space without changes has a night this often, because its old memories are pruned too. */
const UNCHANGED_MS = 7 * DAY_MS;

export interface SpaceJobDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Closes the spaces that nobody has used for long. */
  readonly closeIdle: () => Promise<void>;
  /**
   * Opens the spaces that are not open and are wanted, one after the other, and lets each have the night that it has missed.
   * @param isWanted asked of one before it is opened
   */
  readonly nightOfClosed: (isWanted: (atRest: SpaceAtRest) => boolean) => Promise<void>;
}

/** Work that is about all spaces: it closes the idle ones, and gives their nights to those that are closed. */
export class SpaceJobs {
  readonly #deps: SpaceJobDeps;
  readonly #schedule: Schedule;
  readonly #timers = new Set<NodeJS.Timeout>();
  #task: ScheduledTask | null = null;
  #round: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: SpaceJobDeps, schedule: Schedule) {
    this.#deps = deps;
    this.#schedule = schedule;
  }

  start(): void {
    this.#timers.add(setInterval(() => this.closeIdle(), LOOK_EVERY_MS).unref());
    const { expression, timezone } = this.#schedule;
    if (expression === null) return;
    const round = () => this.nights();
    this.#task = cron.schedule(expression, round, { ...(timezone !== null && { timezone }), logger: this.#deps.log });
    // As in Nightly: node-cron leaves out a time that it notices late.
    this.#task.on('execution:missed', round);
    // Nights that passed while no process ran.
    this.#timers.add(setTimeout(round, FIRST_ROUND_MS).unref());
  }

  /** Begins nothing more; resolves when the night of the current space has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#task?.destroy();
    await this.#round;
  }

  /** Closes the spaces that nobody has used for long. */
  async closeIdle(): Promise<void> {
    await this.#do('close idle spaces', this.#deps.closeIdle);
  }

  /** Gives their nights to spaces that are closed and have missed one. A round begins when the one before has ended. */
  async nights(): Promise<void> {
    const isWanted = (atRest: SpaceAtRest) => !this.#isStopped && this.#isDue(atRest);
    this.#round = this.#round.then(() => this.#do('nights of closed spaces', () => this.#deps.nightOfClosed(isWanted)));
    await this.#round;
  }

  async #do(job: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#deps.log.error({ job, err }, 'job failed');
    }
  }

  #isDue({ lastNight, isWritten, hasChanged, isTaken }: SpaceAtRest): boolean {
    const task = this.#task;
    if (!isWritten || isTaken || task === null) return false;
    if (lastNight && !lastNight.isWhole) return true;
    const nowMs = this.#deps.clock.now();
    const isLongAgo = lastNight !== null && nowMs - lastNight.startedAt >= UNCHANGED_MS;
    if (!hasChanged && !isLongAgo) return false;
    const afterMs = lastNight?.startedAt ?? 0;
    return lastDue({ task, timezone: this.#schedule.timezone, nowMs, afterMs }) !== null;
  }
}
