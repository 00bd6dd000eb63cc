import { type Clock, ConflictError } from '@agent-faculties/service-kit';
import type { Persistence, SaveReport } from '../memory/persistence.ts';
import { ARCHIVE_MS, type PrunedArchive, type PrunedEntry } from './consolidation-store.ts';
import type { ConsolidateOptions, Consolidator } from './consolidator.ts';
import { problemOf, type Report } from './report.ts';

export interface EndOfDayDeps {
  readonly clock: Clock;
  readonly consolidator: Consolidator;
  readonly archive: PrunedArchive | null;
  readonly persistence: Persistence;
  /** Makes the vector index anew, without what no memory has any more. */
  readonly compact: () => Promise<void>;
  readonly log: { error(fields: object, message: string): void };
}

export type DayStepName = 'consolidate' | 'maintain' | 'save';

export interface DayStep {
  readonly step: DayStepName;
  readonly tookMs: number;
  /** Why it was not done; null when it was, or failed. */
  readonly skipped: string | null;
  /** What went wrong, for the operator; null when nothing did. */
  readonly problem: string | null;
}

export interface DayReport {
  readonly startedAt: number;
  readonly tookMs: number;
  readonly steps: readonly DayStep[];
  /** null after an unexpected fault; one that ended early says so. */
  readonly consolidation: Report | null;
  /** Pruned memories that can no longer be brought back. */
  readonly expired: readonly PrunedEntry[];
  readonly saved: SaveReport | null;
}

/**
 * What a day ends with: consolidate, maintain, save, in this order. A step that fails is named, and the others are done
 * all the same; each leaves the store whole.
 * @throws ConflictError while a consolidation is running
 */
export async function endOfDay(deps: EndOfDayDeps, options: ConsolidateOptions): Promise<DayReport> {
  const { clock, consolidator, archive, persistence, compact } = deps;
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
  const expired = await step('maintain', stopping, async () => {
    await compact();
    return (await archive?.expire(startedAt - ARCHIVE_MS)) ?? [];
  });
  const noFiles = persistence.state().dataDir === null ? 'the server keeps nothing on disk' : null;
  const saved = await step('save', stopping ?? noFiles, () => persistence.save());
  return {
    startedAt,
    tookMs: Math.max(0, clock.now() - startedAt),
    steps,
    consolidation,
    expired: expired ?? [],
    saved,
  };
}

/** Whether everything was done that is to be done in a night. */
export function isWhole({ steps, consolidation }: DayReport): boolean {
  return consolidation?.stopped === false && steps.every(({ problem }) => problem === null);
}
