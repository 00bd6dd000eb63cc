import type { Clock, Logger } from '@agent-faculties/service-kit';

const SHORTEST_WAIT_MS = 1_000;
/** A large checkpoint that fails costs seconds of processor time. */
const LONGEST_WAIT_MS = 60_000;

export interface BackgroundWorkOptions {
  /** For the log. */
  readonly job: string;
  readonly work: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly space: string;
}

/** Work that no request waits for. After a failure the next attempts wait, twice as long each time; the log has a cause once. */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  #waitMs = 0;
  #failedAtMs = 0;
  #cause: string | null = null;
  /** What is under way. */
  #running: Promise<void> | null = null;

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  /** Does it, unless it is under way or an earlier failure is too young. Resolves when that is done; never rejects. */
  async doWhereDue(): Promise<void> {
    this.#running ??= this.#doWhereDue().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #doWhereDue(): Promise<void> {
    const { job, work, clock, log, space } = this.#options;
    // A clock that was set back does not make it wait.
    if (Math.abs(clock.now() - this.#failedAtMs) < this.#waitMs) return;
    try {
      await work();
    } catch (error) {
      this.#failedAtMs = clock.now();
      this.#waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, 2 * this.#waitMs));
      const { message } = error as Error;
      if (message !== this.#cause) log.warn({ job, space, err: error }, 'job failed');
      this.#cause = message;
      return;
    }
    this.#waitMs = 0;
    this.#cause = null;
  }
}
