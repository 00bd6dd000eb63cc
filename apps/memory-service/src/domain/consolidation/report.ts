import { ServiceError } from '@agent-faculties/service-kit';
import { type Audience, isChangeableBy, isVisibleTo, type Viewer } from '../memory/visibility.ts';

/** The visibility of an entry of a report. */
export type Owned = Audience;

/** A memory without its words. */
export function ownerOf({ scope, agentId, project }: Owned): Owned {
  return { scope, agentId, project };
}

interface Entry {
  readonly owner: Owned;
}

export interface DuplicateEntry extends Entry {
  /** Id of the surviving memory. */
  readonly id: string;
  readonly absorbed: readonly string[];
}

export interface ClusterEntry extends Entry {
  /** Id of the semantic memory; null in a dry run that would make it. */
  readonly id: string | null;
  readonly sources: readonly string[];
}

export interface IdEntry extends Entry {
  readonly id: string;
}

/** What a run did, or in a dry run would do. `reportFor` reduces it to what an agent may see. */
export interface Report {
  /** Names the run, for undoing it; null in a report of an earlier version of the service. */
  readonly id: string | null;
  readonly dryRun: boolean;
  /** Start of the run, epoch milliseconds. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** Whether the run was stopped before its end; the next run continues. */
  readonly stopped: boolean;
  /** Why it ended early, for the operator; null when nothing went wrong. What it did before that is kept. */
  readonly problem: string | null;
  readonly examined: readonly { readonly owner: Owned; readonly count: number }[];
  readonly clusters: readonly { readonly owner: Owned; readonly count: number }[];
  readonly deduplicated: readonly DuplicateEntry[];
  readonly created: readonly ClusterEntry[];
  readonly rebuilt: readonly ClusterEntry[];
  readonly removed: readonly IdEntry[];
  readonly pruned: readonly IdEntry[];
  /** Why nothing was pruned; null when pruning was done, or was not asked for. */
  readonly pruneSkipped: string | null;
  /** The contradictions found; null: the run did not look for any. */
  readonly contradictions: readonly IdEntry[] | null;
  /** Memories that others changed between plan and execution; the next run takes them. */
  readonly skipped: readonly IdEntry[];
}

/** The entries that an agent may see, and no others. */
export function reportFor(viewer: Viewer, report: Report): Report {
  const visible = <T extends Entry>(entries: readonly T[]) => entries.filter(({ owner }) => isVisibleTo(viewer, owner));
  return {
    ...report,
    examined: visible(report.examined),
    clusters: visible(report.clusters),
    deduplicated: visible(report.deduplicated),
    created: visible(report.created),
    rebuilt: visible(report.rebuilt),
    removed: visible(report.removed),
    pruned: visible(report.pruned),
    contradictions: report.contradictions && visible(report.contradictions),
    skipped: visible(report.skipped),
  };
}

/** Who has taken a run back, each all that it could. */
export interface Undoers {
  /** The id of the run. */
  readonly run: string;
  readonly viewers: readonly Viewer[];
}

/** Whether they have taken back, between them, all that an agent may see of what a run did. */
export function isUndoneFor(viewer: Viewer, report: Report, undoers: Undoers | null): boolean {
  if (undoers?.run !== report.id) return false;
  const { deduplicated, created, rebuilt, removed, pruned } = reportFor(viewer, report);
  const owners = [deduplicated, created, rebuilt, removed, pruned].flatMap((entries) =>
    entries.map(({ owner }) => owner),
  );
  const isUndone = (owner: Owned) => undoers.viewers.some((by) => isVisibleTo(by, owner) && isChangeableBy(by, owner));
  return owners.length > 0 && owners.every(isUndone);
}

/** Whether a run changed the store. */
export function hasChanged(report: Report): boolean {
  const { deduplicated, created, rebuilt, removed, pruned } = report;
  return [deduplicated, created, rebuilt, removed, pruned].some((entries) => entries.length > 0);
}

/** The message of an intended error; of any other error the log has the stack. */
export function problemOf(error: unknown): string {
  return error instanceof ServiceError ? error.message : 'An unexpected error: see the log.';
}
