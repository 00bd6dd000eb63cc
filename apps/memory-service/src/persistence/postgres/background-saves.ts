import type { Clock, Logger } from '@agent-faculties/service-kit';

const SHORTEST_WAIT_MS = 1_000;
/** A large checkpoint that fails costs seconds of processor time. */
const LONGEST_WAIT_MS = 60_000;

export interface BackgroundSavesOptions {
  readonly save: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly space: string;
}

/** Saves that no request waits for. After one that failed the next ones wait, twice as long each time; the log has a cause once. */
export class BackgroundSaves {
  readonly #options: BackgroundSavesOptions;
  #waitMs = 0;
  #failedAtMs = 0;
  #cause: string | null = null;
  /** The one that is under way. */
  #saving: Promise<void> | null = null;

  constructor(options: BackgroundSavesOptions) {
    this.#options = options;
  }

  /** Saves, unless a save is under way or an earlier failure is too young. Resolves when that is done; never rejects. */
  async saveWhereDue(): Promise<void> {
    this.#saving ??= this.#saveWhereDue().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  /** Resolves when none is under way. */
  async ended(): Promise<void> {
    await this.#saving;
  }

  async #saveWhereDue(): Promise<void> {
    const { save, clock, log, space } = this.#options;
    // A clock that was set back does not make it wait.
    if (Math.abs(clock.now() - this.#failedAtMs) < this.#waitMs) return;
    try {
      await save();
    } catch (error) {
      this.#failedAtMs = clock.now();
      this.#waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, 2 * this.#waitMs));
      const { message } = error as Error;
      if (message !== this.#cause) log.warn({ job: 'save', space, err: error }, 'job failed');
      this.#cause = message;
      return;
    }
    this.#waitMs = 0;
    this.#cause = null;
  }
}
