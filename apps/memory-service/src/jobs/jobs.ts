import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { Consolidator } from '../domain/consolidation/consolidator.ts';
import type { ContradictionFinder } from '../domain/contradictions/find-contradictions.ts';
import { catchUp, type VectorBacklog } from '../domain/embedding/catch-up.ts';
import type { TextEmbedding } from '../domain/embedding/text-embedding.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import type { Nightly } from './nightly-schedule.ts';

/**
 * Delay of the save after a delete. A delete has to reach the files too, and those are written as a whole; deletes come in
 * groups, so the save waits for more of them.
 */
const SAVE_AFTER_DELETE_MS = 5_000;
/** Retry delay while the model is busy with requests. */
const CATCH_UP_AGAIN_MS = 2_000;
/** Retry delay after any other fault, which mostly lasts: each attempt is a line of the log. */
const CATCH_UP_AFTER_FAULT_MS = 60_000;
/** How often to look for memories that were not compared yet; those of a burst are compared together. */
const COMPARE_EVERY_MS = 1_000;

/** While the service is in use, comparing waits this long at a time, and this many times, before the next memory. */
const REST_MS = 25;
const RESTS = 10;

export interface JobDeps {
  readonly persistence: Persistence;
  readonly store: VectorBacklog;
  readonly embedding: TextEmbedding;
  readonly finder: ContradictionFinder;
  readonly nightly: Nightly;
  readonly consolidator: Consolidator;
  readonly waitingForVectors: () => number;
  /** Whether saves, vectors and comparing are this process's to do. */
  readonly isOwner: () => Promise<boolean>;
  readonly callers: { areActive(): boolean };
  readonly log: Logger;
}

/** The background work: saves, missing vectors, comparisons, the nightly run. */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #autoSaveSeconds: number | null;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #saveIsDue = false;
  #isCatchingUp = false;
  /** How many memories still waited for vectors after the last run: the model has none for them, or a fault came between. */
  #leftWithout = 0;
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

  /** Schedules a save, which removes deleted memories from the disk. */
  saveAfterDelete(): void {
    if (this.#saveIsDue || this.#stopped || !this.#keepsFiles() || this.#deps.persistence.followsDeletes) return;
    this.#saveIsDue = true;
    this.#after(SAVE_AFTER_DELETE_MS, () => {
      this.#saveIsDue = false;
      this.#save();
    });
  }

  /** Whether work is under way, or something was put off. */
  get areBusy(): boolean {
    const { consolidator, nightly } = this.#deps;
    return this.#saveIsDue || this.#running.size > 0 || nightly.isUnderWay || consolidator.running !== null;
  }

  /** Starts no more work; resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#running, this.#deps.consolidator.stop(), this.#deps.nightly.stop()]);
  }

  #keepsFiles(): boolean {
    return this.#deps.persistence.state().dataDir !== null;
  }

  #save(): void {
    const { persistence, isOwner, log } = this.#deps;
    if (!persistence.isUnsaved()) return;
    this.#run(async () => {
      try {
        if (!(await isOwner())) return;
        const { bytes, tookMs } = await persistence.save();
        log.info({ job: 'save', bytes, took_ms: Math.round(tookMs) }, 'job');
      } catch (error) {
        // Nothing is lost: the journal holds every answered change, and the next save tries again.
        log.error({ job: 'save', err: error }, 'job failed');
      }
    });
  }

  /** Makes the missing vectors in the background. */
  makeVectors(): void {
    // A run that is under way also makes the vectors of memories that come meanwhile.
    if (this.#isCatchingUp || this.#stopped) return;
    this.#isCatchingUp = true;
    const { store, embedding, isOwner, waitingForVectors, log } = this.#deps;
    this.#run(async () => {
      try {
        if (!(await isOwner())) return;
        const made = await catchUp(store, { embedding, log, stopped: () => this.#stopped });
        this.#leftWithout = waitingForVectors();
        if (made > 0) log.info({ job: 'vectors', made }, 'job');
        if (made > 0 && this.#keepsFiles()) this.#save();
      } catch (error) {
        const isBusy = error instanceof UnavailableError;
        if (!isBusy) {
          log.error({ job: 'vectors', err: error }, 'job failed');
          this.#leftWithout = waitingForVectors();
        }
        this.#after(isBusy ? CATCH_UP_AGAIN_MS : CATCH_UP_AFTER_FAULT_MS, () => this.makeVectors());
      } finally {
        this.#isCatchingUp = false;
      }
    });
  }

  /** Compares new memories with the others, at regular intervals. */
  #compareSoon(): void {
    this.#after(COMPARE_EVERY_MS, () => this.#compare());
  }

  #compare(): void {
    const { finder, isOwner, waitingForVectors, log } = this.#deps;
    this.#run(async () => {
      try {
        if (!(await isOwner())) return;
        // More than this process left: another process added them, or had the jobs before.
        const waiting = waitingForVectors();
        if (waiting > this.#leftWithout) this.makeVectors();
        else this.#leftWithout = waiting;
        const { compared, found } = await finder.findContradictions(
          () => this.#stopped,
          () => this.#rest(),
        );
        if (found > 0) log.info({ job: 'contradictions', compared, found }, 'job');
      } catch (error) {
        // The next round tries the waiting memories again; the model may work by then.
        log.warn({ job: 'contradictions', err: error }, 'job failed');
      } finally {
        this.#compareSoon();
      }
    });
  }

  /** Waits while the service is in use, a quarter of a second at most. */
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
