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
  const { clock, consolidator, archive, history, store, persistence, compact } = deps;
  const startedAt = clock.now();
  const steps: DayStep[] = [];
  const isDry = options.dryRun ? 'a dry run changes nothing' : null;
  const step = async <T>(
    name: DayStepName,
    skipped: string | null,
    work: () => Promise<T>,
    problemIn: (result: T) => string | null = () => null,
  ): Promise<T | null> => {
    const begun = clock.now();
    const took = () => Math.max(0, clock.now() - begun);
    if (skipped !== null) {
      steps.push({ step: name, tookMs: 0, skipped, problem: null });
      return null;
    }
    try {
      const result = await work();
      steps.push({ step: name, tookMs: took(), skipped: null, problem: problemIn(result) });
      return result;
    } catch (error) {
      if (error instanceof ConflictError && error.code === 'consolidation_running') throw error;
      deps.log.error({ step: name, err: error }, 'a step of the end of the day failed');
      steps.push({ step: name, tookMs: took(), skipped: null, problem: problemOf(error) });
      return null;
    }
  };
  const run = () => consolidator.run(options);
  const consolidation = await step('consolidate', null, run, ({ problem }) => problem);
  const stopping = consolidation?.stopped ? 'the service is stopping' : isDry;
  const forgotten: ExpiredVersion[] = [];
  const expired = await step('maintain', stopping, async () => {
    const removed = await store.removeExpired();
    // Now and not in the next night, which no longer knows their ids.
    await history?.erase(removed.flatMap(idsOfWords));
    await compact();
    forgotten.push(...((await history?.expire(startedAt)) ?? []));
    return [...removed, ...((await archive?.expire(startedAt - ARCHIVE_MS)) ?? [])];
  });
  const noFiles = persistence.state().dataDir === null ? 'the server keeps nothing on disk' : null;
  const saved = await step('save', stopping ?? noFiles, () => persistence.save());
  return {
    startedAt,
    tookMs: Math.max(0, clock.now() - startedAt),
    steps,
    consolidation,
    expired: expired ?? [],
    forgotten,
    saved,
  };
}

/** Whether every step of a nightly run was done. */
export function isWhole({ steps, consolidation }: DayReport): boolean {
  return consolidation?.stopped === false && steps.every(({ problem }) => problem === null);
}
