import type { Strengthening } from '../../../domain/memory/decision.ts';
import type { Strength } from '../../../domain/memory/memory.ts';

/** Recalls of this time are written together. */
const WRITE_AFTER_MS = 2_000;

/** Recalls that are not written yet: to write each of them at once would take longer than the recall. */
export class WaitingRecalls {
  readonly #write: (recalled: readonly Strengthening[]) => Promise<void>;
  readonly #strengths = new Map<string, Readonly<Strength>>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param write may reject; then they wait on */
  constructor(write: (recalled: readonly Strengthening[]) => Promise<void>) {
    this.#write = write;
  }

  add(recalled: readonly Strengthening[]): void {
    for (const { id, strength } of recalled) this.#strengths.set(id, strength);
    if (this.#strengths.size > 0) this.#writeSoon();
  }

  /** Writes those that wait. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const recalled = [...this.#strengths].map(([id, strength]) => ({ id, strength }));
    this.#strengths.clear();
    if (recalled.length === 0) return;
    try {
      await this.#write(recalled);
    } catch {
      // The refusal says why. Memories of this process are stronger already, so those of the others have to become so.
      this.#waitOn(recalled);
    }
  }

  /** Writes those that wait, and tries no more. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Unless they were recalled again meanwhile, which counts more. */
  #waitOn(recalled: readonly Strengthening[]): void {
    if (this.#isClosed) return;
    for (const { id, strength } of recalled) if (!this.#strengths.has(id)) this.#strengths.set(id, strength);
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS);
  }
}
