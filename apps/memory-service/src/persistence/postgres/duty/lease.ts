import type { Postgres } from '@agent-faculties/postgres-kit';
import { idleBatchesOf } from './idle-batches.ts';

/** After this time it is asked again, milliseconds: a holder keeps it so, and the others learn that it ran out. */
const ASK_AFTER_MS = 3_000;

/**
 * Who of the processes that have a space open does its jobs. It only saves work: what two holders decide after a pause is decided
 * by the log, as with any two processes.
 */
export class Lease {
  readonly #postgres: Postgres;
  readonly #values: readonly [space: string, holder: string];
  #asked: { readonly at: number; readonly isHeld: boolean } | null = null;
  /** The question that is under way. */
  #asking: Promise<boolean> | null = null;
  #isGivenBack = false;

  constructor({ postgres, space, holder }: { postgres: Postgres; space: string; holder: string }) {
    this.#postgres = postgres;
    this.#values = [space, holder];
  }

  /** Takes or renews it, where nobody else has it. False while the database is away, and once it was given back. */
  async isHeld(): Promise<boolean> {
    if (this.#isGivenBack) return false;
    // A monotonic clock, which also runs while the process is stopped.
    const at = performance.now();
    if (this.#asked !== null && at - this.#asked.at < ASK_AFTER_MS) return this.#asked.isHeld;
    this.#asking ??= this.#ask(at).finally(() => {
      this.#asking = null;
    });
    return await this.#asking;
  }

  async #ask(at: number): Promise<boolean> {
    const row = await idleBatchesOf(this.#postgres)
      .leases.ask(...this.#values)
      .catch(() => null);
    this.#asked = { at, isHeld: row !== null };
    return row !== null;
  }

  async release(): Promise<void> {
    this.#isGivenBack = true;
    // What is asked now would take it again.
    await this.#asking;
    const text = 'DELETE FROM memory.lease WHERE space = $1 AND holder = $2';
    // Where it cannot be given back it runs out.
    await this.#postgres.query({ text, values: this.#values }).catch(() => {});
  }
}
