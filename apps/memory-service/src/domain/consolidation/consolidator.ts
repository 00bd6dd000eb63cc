import { type Clock, ConflictError, type IdSource, type Logger, ServiceError } from '@agent-faculties/service-kit';
import { StoppedError, TimeSlicer } from '../concurrency/time-slicer.ts';
import type { ModelKind } from '../embedding/text-embedding.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { Viewer } from '../memory/visibility.ts';
import { applyPlan, Done } from './apply-plan.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { type Plan, planConsolidation } from './plan.ts';
import { DEFAULT_PRUNE_LIMITS, type PruneLimits } from './pruning/prune.ts';
import type { PrunedArchive } from './pruning/pruned-archive.ts';
import { type IdEntry, isUndoneFor, type Owned, ownerOf, problemOf, type Report, type Undoers } from './report.ts';
import type { RunLog } from './run-log.ts';

export interface ConsolidateOptions {
  readonly dryRun: boolean;
  readonly deduplicate: boolean;
  readonly cluster: boolean;
  /** null: nothing is pruned. */
  readonly prune: PruneLimits | null;
}

/** The options of the nightly run. */
export const DEFAULT_OPTIONS: ConsolidateOptions = {
  dryRun: false,
  deduplicate: true,
  cluster: true,
  prune: DEFAULT_PRUNE_LIMITS,
};

export interface ConsolidatorDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly store: ConsolidationStore;
  /** The archive; null: nothing is kept on disk, and nothing is pruned. */
  readonly archive: PrunedArchive | null;
  readonly model: ModelKind;
  /** Yields to requests; called every few ms. */
  readonly pause: () => Promise<void>;
  /** Compares new memories; resolves to the contradictions that it found. */
  readonly findContradictions?: (stopped: () => boolean) => Promise<readonly IdEntry[]>;
  readonly runLog: RunLog;
  /** Called after every run, whether it succeeded or failed. */
  readonly onRun?: (report: Report) => void;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export type RunStep = 'planning' | 'applying' | 'contradictions';

export interface RunState {
  /** Start of the run, epoch milliseconds. */
  readonly startedAt: number;
  readonly dryRun: boolean;
  readonly step: RunStep;
}

/** A run under way, with its results so far. */
interface Run {
  /** null: a dry run. */
  readonly id: string | null;
  readonly dryRun: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Why nothing is pruned although the options ask for it; null: it is pruned, or not asked for. */
  readonly pruneSkipped: string | null;
  /** null: planning has not ended. */
  plan: Plan | null;
  readonly done: Done;
  /** null: they were not looked for. */
  contradictions: readonly IdEntry[] | null;
}

/** Consolidates the store, one run at a time. */
export class Consolidator {
  readonly #deps: ConsolidatorDeps;
  #running: RunState | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(deps: ConsolidatorDeps) {
    this.#deps = deps;
  }

  get running(): RunState | null {
    return this.#running;
  }

  /** As this process knows it: where others run too, some seconds old. */
  get last(): Report | null {
    return this.#deps.runLog.last;
  }

  /** The report of the last run, whichever process made it. @throws UnavailableError when the database does not answer */
  async latest(): Promise<Report | null> {
    const { runLog } = this.#deps;
    await runLog.refresh();
    return runLog.last;
  }

  /** Of the last run that was taken back, as far as `latest` knows. */
  get undoers(): Undoers | null {
    return this.#deps.runLog.undoers;
  }

  /** Remembers that somebody took a run back, where it is the last one. */
  async noteUndone(run: string, viewer: Viewer): Promise<void> {
    const { runLog, log } = this.#deps;
    try {
      const last = await this.latest();
      if (last === null || last.id !== run || isUndoneFor(viewer, last, runLog.undoers)) return;
      const before = runLog.undoers?.run === run ? runLog.undoers.viewers : [];
      await runLog.noteUndoers({ run, viewers: [...before, viewer] });
    } catch (error) {
      log.warn({ err: error }, 'the undo of a consolidation was not noted');
    }
  }

  /**
   * Runs once. A second run right after it finds nothing to do. When the disk refuses, the report tells so as its `problem`, with the
   * work done so far.
   * @throws ConflictError while one is running
   */
  async run(options: ConsolidateOptions): Promise<Report> {
    if (this.#running) throw alreadyRunning(this.#running);
    this.#running = { startedAt: this.#deps.clock.now(), dryRun: options.dryRun, step: 'planning' };
    const run = this.#run(options, this.#running);
    this.#ended = run.catch(() => {});
    try {
      return await run;
    } finally {
      this.#running = null;
    }
  }

  /** Stops a run at its next rest and starts no more runs; resolves when the run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #run(options: ConsolidateOptions, { startedAt }: RunState): Promise<Report> {
    const { clock, log, onRun } = this.#deps;
    const run = this.#begun(options, startedAt);
    let failure: unknown = null;
    try {
      await this.#work(options, run);
    } catch (error) {
      failure = error;
    }
    const report = reportOf(run, { failure, tookMs: Math.max(0, clock.now() - startedAt) });
    onRun?.(report);
    if (!options.dryRun) await this.#note(report);
    if (report.problem === null) return report;
    log.error({ err: failure }, 'a consolidation ended early');
    if (failure instanceof ServiceError) return report;
    throw failure;
  }

  #begun({ dryRun, prune }: ConsolidateOptions, startedAt: number): Run {
    return {
      id: dryRun ? null : this.#deps.ids.next(),
      dryRun,
      startedAt,
      pruneSkipped: prune && !this.#deps.archive ? 'there is no data directory to keep pruned memories in' : null,
      plan: null,
      done: new Done(),
      contradictions: null,
    };
  }

  /** Plans, applies and compares, and notes in `run` how far it came. @throws StoppedError, UnavailableError when the disk refuses */
  async #work(options: ConsolidateOptions, run: Run): Promise<void> {
    const { clock, store, archive, ids, pause, model } = this.#deps;
    const { id, dryRun, startedAt, pruneSkipped, done } = run;
    const slicer = new TimeSlicer({ clock, pause, isStopped: () => this.#stopped });
    await slicer.rest();
    const prune = pruneSkipped === null ? options.prune : null;
    run.plan = await planConsolidation(await everything(store), {
      ...options,
      prune,
      model,
      store,
      now: startedAt,
      slicer,
    });
    if (id === null) return;
    this.#running = { startedAt, dryRun, step: 'applying' };
    await applyPlan({ store, ids, run: id, archive, now: () => clock.now(), slicer }, run.plan, done);
    this.#running = { startedAt, dryRun, step: 'contradictions' };
    run.contradictions = await this.#contradictions();
  }

  /** Writes the report. If that fails, the process keeps it until the next start; the run is complete anyway. */
  async #note(report: Report): Promise<void> {
    const { runLog, log } = this.#deps;
    try {
      await runLog.note(report);
    } catch (error) {
      log.warn({ err: error }, 'the report of a consolidation was not written');
    }
  }

  /** The contradictions found; null when the models are not ready: the memories wait on. */
  async #contradictions(): Promise<readonly IdEntry[] | null> {
    const { findContradictions, log } = this.#deps;
    try {
      return (await findContradictions?.(() => this.#stopped)) ?? null;
    } catch (error) {
      log.warn({ err: error }, 'contradictions were not looked for');
      return null;
    }
  }
}

/** A plan reads every memory several times, so it holds references to all of them; applying it checks them again. */
async function everything(store: ConsolidationStore): Promise<StoredMemory[]> {
  const memories: StoredMemory[] = [];
  for await (const batch of store.scanAll()) for (const stored of batch) memories.push(stored);
  return memories;
}

/** @param ended.failure what ended the run early; null: it did all its work */
function reportOf(
  { id, dryRun, startedAt, pruneSkipped, plan, done, contradictions }: Run,
  { failure, tookMs }: { failure: unknown; tookMs: number },
): Report {
  const stopped = failure instanceof StoppedError;
  return {
    id,
    dryRun,
    startedAt,
    tookMs,
    stopped,
    problem: failure === null || stopped ? null : endedEarly(failure),
    examined: countedByOwner(plan?.examined.map(({ memory }) => memory) ?? []),
    clusters: countedByOwner(plan?.clusters.flatMap(({ sources }) => sources[0]?.memory ?? []) ?? []),
    ...(dryRun && plan ? foreseen(plan) : done),
    pruneSkipped,
    contradictions,
  };
}

/** The report of a dry run: the plan in the form of a report. */
function foreseen(plan: Plan): Done {
  const done = new Done();
  for (const { survivor, others } of plan.duplicates) {
    const absorbed = others.map(({ memory }) => memory.id);
    done.deduplicated.push({ owner: ownerOf(survivor.memory), id: survivor.memory.id, absorbed });
  }
  for (const { semantic, sources } of plan.clustered) {
    const owner = ownerOf((sources[0] as (typeof sources)[number]).memory);
    const entry = { owner, id: semantic?.memory.id ?? null, sources: sources.map(({ memory }) => memory.id) };
    if (semantic) done.rebuilt.push(entry);
    else done.created.push(entry);
  }
  for (const { memory } of plan.unsupported) done.removed.push({ owner: ownerOf(memory), id: memory.id });
  for (const { memory } of plan.pruned) done.pruned.push({ owner: ownerOf(memory), id: memory.id });
  return done;
}

function endedEarly(failure: unknown): string {
  const where = 'It ended early; its work so far is kept, and the next run continues. The step at which it ended: ';
  return `${where}${problemOf(failure)}`;
}

function countedByOwner(memories: readonly Owned[]): { owner: Owned; count: number }[] {
  const counted = new Map<string, { owner: Owned; count: number }>();
  for (const memory of memories) {
    const key = `${memory.scope} ${memory.agentId}\n${memory.project ?? ''}`;
    const known = counted.get(key);
    counted.set(key, { owner: ownerOf(memory), count: (known?.count ?? 0) + 1 });
  }
  return [...counted.values()];
}

export function alreadyRunning(running: RunState): ConflictError {
  return new ConflictError(
    `A consolidation has been running since ${new Date(running.startedAt).toISOString()}: GET /consolidate says when it has ended.`,
    {
      code: 'consolidation_running',
      extra: {
        running: {
          started_at: new Date(running.startedAt).toISOString(),
          dry_run: running.dryRun,
          step: running.step,
        },
      },
    },
  );
}
