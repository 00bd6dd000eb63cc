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

  constructor({ postgres, space, holder }: { postgres: Postgres; space: string; holder: string }) {
    this.#postgres = postgres;
    this.#values = [space, holder];
  }

  /** Takes or renews it, where nobody else has it. False while the database is away. */
  async isHeld(): Promise<boolean> {
    // A monotonic clock, which also runs while the process is stopped.
    const at = performance.now();
    if (this.#asked !== null && at - this.#asked.at < ASK_AFTER_MS) return this.#asked.isHeld;
    try {
      const row = await idleBatchesOf(this.#postgres).leases.ask(...this.#values);
      this.#asked = { at, isHeld: row !== null };
    } catch {
      this.#asked = { at, isHeld: false };
    }
    return this.#asked.isHeld;
  }

  async release(): Promise<void> {
    this.#asked = null;
    const text = 'DELETE FROM memory.lease WHERE space = $1 AND holder = $2';
    // Where it cannot be given back it runs out.
    await this.#postgres.query({ text, values: this.#values }).catch(() => {});
  }
}
