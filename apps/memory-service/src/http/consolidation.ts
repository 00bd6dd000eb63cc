import { UnavailableError } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import { foreseenGist } from '../domain/consolidation/clusters/foreseen-gist.ts';
import type { ConsolidateOptions, Consolidator, RunState } from '../domain/consolidation/consolidator.ts';
import { currentEntries } from '../domain/consolidation/current-entries.ts';
import { type DayReport, type EndOfDayDeps, endOfDay } from '../domain/consolidation/end-of-day.ts';
import { DEFAULT_PRUNE_LIMITS } from '../domain/consolidation/pruning/prune.ts';
import { ARCHIVE_MS } from '../domain/consolidation/pruning/pruned-archive.ts';
import { listPruned, type RestoreDeps, restorePruned } from '../domain/consolidation/pruning/restore.ts';
import { hasChanged, isUndoneFor, type Report, reportFor, type Undoers } from '../domain/consolidation/report.ts';
import { countsOf, noteDay, noteRun, totalOf } from '../domain/consolidation/run-record.ts';
import type { PrunedMemory } from '../domain/memory/memory.ts';
import { isVisibleTo, NOBODY, type Viewer, viewerOf } from '../domain/memory/visibility.ts';
import { formatInstant, milliseconds } from '../wire/instant.ts';
import { memoryView, touched } from '../wire/memory-view.ts';
import { formatCursor, parseCursor } from '../wire/page-cursor.ts';

type Schemas = components['schemas'];
type ConsolidationOperations = 'consolidate' | 'getConsolidation' | 'endOfDay' | 'listPruned' | 'restorePruned';

export type ConsolidationHandlerDeps = EndOfDayDeps &
  RestoreDeps & {
    readonly consolidator: Consolidator;
    /** Epoch milliseconds; null when nothing is scheduled. */
    readonly nextRunAt: () => number | null;
  };

export function consolidationHandlers(
  deps: ConsolidationHandlerDeps,
): Pick<Handlers<operations>, ConsolidationOperations> {
  const { consolidator, clock } = deps;
  return {
    consolidate: async ({ body, caller, recordWrite }) => {
      const run = await consolidator.run(optionsOf(body));
      noteRun(recordWrite, run);
      const report = await reportView(deps, viewerOf(caller), run);
      if (run.problem !== null) {
        throw new UnavailableError(run.problem, { code: 'consolidation_incomplete', extra: { report } });
      }
      if (run.dryRun) await tellGists(deps, report);
      return { status: 200, body: { report }, log: { consolidation: countsOf(run) } };
    },
    getConsolidation: async ({ caller }) => {
      const last = await consolidator.latest();
      const last_report = last && (await reportView(deps, viewerOf(caller), last));
      return { status: 200, body: { ...stateView(deps), last_report } };
    },
    endOfDay: async ({ body, caller, recordWrite }) => {
      const day = await endOfDay(deps, optionsOf(body));
      noteDay(recordWrite, day);
      const log = day.consolidation ? { consolidation: countsOf(day.consolidation) } : {};
      return { status: 200, body: { report: await dayView(deps, viewerOf(caller), day) }, log };
    },
    listPruned: async ({ query, caller }) => {
      const after = parseCursor(query.cursor);
      const { items, total, next } = await listPruned(deps, viewerOf(caller), { limit: query.limit ?? 50, after });
      const pruned = items.map((one) => prunedView(one, clock.now()));
      return { status: 200, body: { pruned, total, next_cursor: formatCursor(next) }, log: touched(items) };
    },
    restorePruned: async ({ body, caller, recordWrite }) => {
      const { restored, withoutKey } = await restorePruned(deps, viewerOf(caller), body?.ids ?? null);
      recordWrite('memories', restored);
      const isBack = new Set(restored);
      const notFound = [...new Set(body?.ids)].filter((id) => !isBack.has(id));
      return {
        status: 200,
        body: { restored, not_found: notFound, without_key: withoutKey },
        log: { memory_ids: restored },
      };
    },
  };
}

type Stateful = Pick<ConsolidationHandlerDeps, 'consolidator' | 'nextRunAt'>;
type Figures = Omit<Schemas['ConsolidationReport'], 'ids'>;

/** The last report without its ids: a report can name every memory of the store, and /health is polled. */
const publicFigures = new WeakMap<Report, { readonly undoers: Undoers | null; readonly figures: Figures }>();

/** The state for /health: counts of what every agent may see. */
export function consolidationFigures(of: Stateful): Schemas['ConsolidationState'] {
  const { last, undoers } = of.consolidator;
  if (!last) return { ...stateView(of), last_report: null };
  const known = publicFigures.get(last);
  const summed = known && known.undoers === undoers ? known : { undoers, figures: figuresFor(NOBODY, last, undoers) };
  publicFigures.set(last, summed);
  return { ...stateView(of), last_report: summed.figures };
}

function stateView({ consolidator: { running }, nextRunAt }: Stateful) {
  const next = nextRunAt();
  return { running: running && runningView(running), next_run_at: next === null ? null : formatInstant(next) };
}

function runningView({ startedAt, dryRun, step }: RunState): Schemas['ConsolidationRun'] {
  return { started_at: formatInstant(startedAt), dry_run: dryRun, step };
}

function optionsOf(body: Schemas['ConsolidateOptions'] | undefined): ConsolidateOptions {
  const { olderThanDays, importance, retention, keepPerAgent } = DEFAULT_PRUNE_LIMITS;
  const limits = {
    olderThanDays: body?.prune_after_days ?? olderThanDays,
    importance: body?.prune_importance ?? importance,
    retention: body?.prune_strength ?? retention,
    keepPerAgent: body?.keep_per_agent ?? keepPerAgent,
  };
  return {
    dryRun: body?.dry_run ?? false,
    deduplicate: body?.deduplicate ?? true,
    cluster: body?.cluster ?? true,
    prune: body?.prune === false ? null : limits,
  };
}

/** A report as one agent may see it, with the ids of what it may see now. */
async function reportView(
  deps: ConsolidationHandlerDeps,
  viewer: Viewer,
  report: Report,
): Promise<Schemas['ConsolidationReport']> {
  const figures = figuresFor(viewer, report, deps.consolidator.undoers);
  return { ...figures, ids: idsOf(await currentEntries(deps, viewer, reportFor(viewer, report))) };
}

/** Adds what each cluster of a dry run would say; their sources are what the caller may see, one cluster in a turn. */
async function tellGists({ store }: RestoreDeps, { ids }: Schemas['ConsolidationReport']): Promise<void> {
  for (const cluster of [...(ids?.semantic_created ?? []), ...(ids?.semantic_rebuilt ?? [])]) {
    await nextTurn();
    cluster.gist = await foreseenGist(store, cluster.sources);
  }
}

function figuresFor(viewer: Viewer, whole: Report, undoers: Undoers | null): Figures {
  const report = reportFor(viewer, whole);
  const counts = countsOf(report);
  return {
    run_id: report.id,
    dry_run: report.dryRun,
    started_at: formatInstant(report.startedAt),
    took_ms: milliseconds(report.tookMs),
    stopped: report.stopped,
    problem: report.problem,
    changed: hasChanged(report),
    undone: isUndoneFor(viewer, whole, undoers),
    examined: counts.examined,
    clusters: totalOf(report.clusters),
    semantic_created: counts.semantic_created,
    semantic_rebuilt: counts.semantic_rebuilt,
    semantic_removed: counts.semantic_removed,
    deduplicated: counts.deduplicated,
    pruned: counts.pruned,
    prune_skipped: report.pruneSkipped,
    contradictions: counts.contradictions,
    skipped: counts.skipped,
  };
}

function idsOf(report: Report): NonNullable<Schemas['ConsolidationReport']['ids']> {
  const { deduplicated, created, rebuilt, removed, pruned, contradictions, skipped } = report;
  return {
    semantic_created: created.map(({ id, sources }) => ({ id, sources: [...sources] })),
    semantic_rebuilt: rebuilt.map(({ id, sources }) => ({ id, sources: [...sources] })),
    semantic_removed: removed.map(({ id }) => id),
    deduplicated: deduplicated.map(({ id, absorbed }) => ({ id, absorbed: [...absorbed] })),
    pruned: pruned.map(({ id }) => id),
    contradictions: contradictions?.map(({ id }) => id) ?? [],
    skipped: skipped.map(({ id }) => id),
  };
}

async function dayView(
  deps: ConsolidationHandlerDeps,
  viewer: Viewer,
  day: DayReport,
): Promise<Schemas['EndOfDayReport']> {
  return {
    started_at: formatInstant(day.startedAt),
    took_ms: milliseconds(day.tookMs),
    failed: day.steps.filter(({ problem }) => problem !== null).map(({ step }) => step),
    steps: day.steps.map(({ step, tookMs, skipped, problem }) => ({
      step,
      took_ms: milliseconds(tookMs),
      skipped,
      problem,
    })),
    consolidation: day.consolidation && (await reportView(deps, viewer, day.consolidation)),
    expired: day.expired.filter((owner) => isVisibleTo(viewer, owner)).length,
    saved: day.saved && { took_ms: milliseconds(day.saved.tookMs) },
  };
}

function prunedView(pruned: PrunedMemory, nowMs: number): Schemas['PrunedMemory'] {
  return {
    memory: memoryView(pruned, nowMs),
    pruned_at: formatInstant(pruned.prunedAt),
    kept_until: formatInstant(pruned.prunedAt + ARCHIVE_MS),
  };
}
