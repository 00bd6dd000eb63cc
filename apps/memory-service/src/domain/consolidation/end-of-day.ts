import { type Clock, ConflictError } from '@agent-faculties/service-kit';
import type { ExpiredVersion, MemoryHistory } from '../memory/history.ts';
import { idsOfWords } from '../memory/memory.ts';
import type { Persistence, SaveReport } from '../memory/persistence.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import type { ConsolidateOptions, Consolidator } from './consolidator.ts';
import { ARCHIVE_MS, type PrunedArchive } from './pruning/pruned-archive.ts';
import { type Owned, problemOf, type Report } from './report.ts';

export interface EndOfDayDeps {
  readonly clock: Clock;
  readonly consolidator: Consolidator;
  readonly archive: PrunedArchive | null;
  readonly store: Pick<ConsolidationStore, 'removeExpired'>;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  readonly persistence: Persistence;
  /** Rebuilds the vector index without the vectors of deleted memories. */
  readonly compact: () => Promise<void>;
  readonly log: { error(fields: object, message: string): void };
}

export type DayStepName = 'consolidate' | 'maintain' | 'save';

export interface DayStep {
  readonly step: DayStepName;
  readonly tookMs: number;
  /** Why the step was skipped; null when it was done or failed. */
  readonly skipped: string | null;
  /** What went wrong, for the operator; null when nothing did. */
  readonly problem: string | null;
}

export interface DayReport {
  readonly startedAt: number;
  readonly tookMs: number;
  readonly steps: readonly DayStep[];
  /** The report; null after an unexpected error. */
  readonly consolidation: Report | null;
  /** The memories that were deleted for good: their `expires_at` has passed, or they were in the archive for its full time. */
  readonly expired: readonly (Owned & { readonly id: string })[];
  /** Versions that can no longer be reverted to. */
  readonly forgotten: readonly ExpiredVersion[];
  readonly saved: SaveReport | null;
}

/**
 * Ends a day: consolidate, maintain, save, in this order. A failed step is named in the report and does not stop the next ones; each
 * step leaves the store consistent.
 * @throws ConflictError while a consolidation is running
 */
export async function endOfDay(deps: EndOfDayDeps, options: ConsolidateOptions): Promise<DayReport> {
  const { clock, consolidator, persistence } = deps;
  const startedAt = clock.now();
  const day = new DaySteps(deps);
  const consolidation = await day.step('consolidate', {
    skipped: null,
    work: () => consolidator.run(options),
    problemIn: ({ problem }) => problem,
  });
  const isDry = options.dryRun ? 'a dry run changes nothing' : null;
  const skipped = consolidation?.stopped ? 'the service is stopping' : isDry;
  const forgotten: ExpiredVersion[] = [];
  const expired = await day.step('maintain', { skipped, work: () => maintain(deps, { startedAt, forgotten }) });
  const noFiles = persistence.state().dataDir === null ? 'the server keeps nothing on disk' : null;
  const saved = await day.step('save', { skipped: skipped ?? noFiles, work: () => persistence.save() });
  return {
    startedAt,
    tookMs: Math.max(0, clock.now() - startedAt),
    steps: day.steps,
    consolidation,
    expired: expired ?? [],
    forgotten,
    saved,
  };
}

interface StepWork<T> {
  /** Why the step is skipped; null: it is done. */
  readonly skipped: string | null;
  readonly work: () => Promise<T>;
  /** What the result says of a failure. Absent: only an error is one. */
  readonly problemIn?: (result: T) => string | null;
}

/** Does the steps of a day and keeps a record of each. */
class DaySteps {
  readonly steps: DayStep[] = [];
  readonly #deps: Pick<EndOfDayDeps, 'clock' | 'log'>;

  constructor(deps: Pick<EndOfDayDeps, 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Resolves to null when the step is skipped or fails. @throws ConflictError while a consolidation is running */
  async step<T>(step: DayStepName, { skipped, work, problemIn = () => null }: StepWork<T>): Promise<T | null> {
    const { clock, log } = this.#deps;
    if (skipped !== null) {
      this.steps.push({ step, tookMs: 0, skipped, problem: null });
      return null;
    }
    const begun = clock.now();
    const took = () => Math.max(0, clock.now() - begun);
    try {
      const result = await work();
      this.steps.push({ step, tookMs: took(), skipped, problem: problemIn(result) });
      return result;
    } catch (error) {
      if (error instanceof ConflictError && error.code === 'consolidation_running') throw error;
      log.error({ step, err: error }, 'a step of the end of the day failed');
      this.steps.push({ step, tookMs: took(), skipped, problem: problemOf(error) });
      return null;
    }
  }
}

/** Deletes what has expired in the store, the history and the archive. @param day.forgotten gets the expired versions */
async function maintain(
  { store, history, compact, archive }: EndOfDayDeps,
  { startedAt, forgotten }: { startedAt: number; forgotten: ExpiredVersion[] },
): Promise<DayReport['expired']> {
  const removed = await store.removeExpired();
  // Now and not in the next night, which no longer knows their ids.
  await history?.erase(removed.flatMap(idsOfWords));
  await compact();
  forgotten.push(...((await history?.expire(startedAt)) ?? []));
  return [...removed, ...((await archive?.expire(startedAt - ARCHIVE_MS)) ?? [])];
}

/** Whether every step of a nightly run was done. */
export function isWhole({ steps, consolidation }: DayReport): boolean {
  return consolidation?.stopped === false && steps.every(({ problem }) => problem === null);
}
