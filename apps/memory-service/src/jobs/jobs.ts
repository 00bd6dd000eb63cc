import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { Consolidator } from '../domain/consolidation/consolidator.ts';
import type { ContradictionFinder } from '../domain/contradictions/find-contradictions.ts';
import { catchUp, type WaitingMemories } from '../domain/embedding/catch-up.ts';
import type { TextEmbedding } from '../domain/embedding/text-embedding.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import type { Nightly } from './nightly.ts';

/**
 * What was deleted has to leave the disk too, and files are only written whole. Deletes come in groups, so the save waits a
 * little for more of them.
 */
const SAVE_AFTER_DELETE_MS = 5_000;
/** A model that is busy with requests has no time for what can wait. */
const CATCH_UP_AGAIN_MS = 2_000;
/** Between two looks for memories that were not compared yet; those of a burst come together. */
const COMPARE_EVERY_MS = 1_000;

/** While there are callers, comparing waits so long at a time and so often before the next memory. */
const REST_MS = 25;
const RESTS = 10;

export interface JobDeps {
  readonly persistence: Persistence;
  readonly waiting: WaitingMemories;
  readonly embedding: TextEmbedding;
  readonly finder: ContradictionFinder;
  readonly nightly: Nightly;
  readonly consolidator: Consolidator;
  readonly callers: { areActive(): boolean };
  readonly log: Logger;
}

/** What goes on beside the requests: saves, and vectors that are still missing. */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #autoSaveSeconds: number | null;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #saveIsDue = false;
  #isCatchingUp = false;
  #stopped = false;

  constructor(deps: JobDeps, { autoSaveSeconds }: { autoSaveSeconds: number | null }) {
    this.#deps = deps;
    this.#autoSaveSeconds = autoSaveSeconds;
  }

  start(): void {
    this.makeVectors();
    this.#deps.nightly.start();
    this.#compareSoon();
    if (this.#autoSaveSeconds === null || !this.#keepsFiles()) return;
    const timer = setInterval(() => this.#save(), this.#autoSaveSeconds * 1_000);
    this.#timers.add(timer);
  }

  /** Takes what was deleted off the disk too, soon. */
  saveAfterDelete(): void {
    if (this.#saveIsDue || this.#stopped || !this.#keepsFiles()) return;
    this.#saveIsDue = true;
    this.#after(SAVE_AFTER_DELETE_MS, () => {
      this.#saveIsDue = false;
      this.#save();
    });
  }

  /** Starts nothing more; resolves when what is running has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#running, this.#deps.consolidator.stop(), this.#deps.nightly.stop()]);
  }

  #keepsFiles(): boolean {
    return this.#deps.persistence.state().dataDir !== null;
  }

  #save(): void {
    const { persistence, log } = this.#deps;
    if (!persistence.isUnsaved()) return;
    this.#run(async () => {
      try {
        const { bytes, tookMs } = await persistence.save();
        log.info({ job: 'save', bytes, took_ms: Math.round(tookMs) }, 'job');
      } catch (error) {
        // Nothing is lost: the journal keeps what was answered, and the next save tries again.
        log.error({ job: 'save', err: error }, 'job failed');
      }
    });
  }

  /** Makes the vectors that are missing, beside the requests. */
  makeVectors(): void {
    // One that is under way takes what comes meanwhile.
    if (this.#isCatchingUp || this.#stopped) return;
    this.#isCatchingUp = true;
    const { waiting, embedding, log } = this.#deps;
    this.#run(async () => {
      try {
        const made = await catchUp(waiting, { embedding, log, stopped: () => this.#stopped });
        if (made > 0) log.info({ job: 'vectors', made }, 'job');
        if (made > 0 && this.#keepsFiles()) this.#save();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        this.#after(CATCH_UP_AGAIN_MS, () => this.makeVectors());
      } finally {
        this.#isCatchingUp = false;
      }
    });
  }

  /** Compares new memories with the others, again and again. */
  #compareSoon(): void {
    this.#after(COMPARE_EVERY_MS, () => this.#compare());
  }

  #compare(): void {
    const { finder, log } = this.#deps;
    this.#run(async () => {
      try {
        const { compared, found } = await finder.findContradictions(
          () => this.#stopped,
          () => this.#rest(),
        );
        if (found > 0) log.info({ job: 'contradictions', compared, found }, 'job');
      } catch (error) {
        // What waits is tried again; the model may be back by then.
        log.warn({ job: 'contradictions', err: error }, 'job failed');
      }
      this.#compareSoon();
    });
  }

  /** Leaves the processor to callers, for a quarter of a second at most. */
  async #rest(): Promise<void> {
    await sleep(0);
    for (let rests = 0; rests < RESTS && this.#deps.callers.areActive() && !this.#stopped; rests++)
      await sleep(REST_MS);
  }

  #run(work: () => Promise<void>): void {
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #after(milliseconds: number, work: () => void): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, milliseconds);
    this.#timers.add(timer);
  }
}
