import { ServiceError } from '@agent-faculties/service-kit';
import type { Memory } from '../memory/memory.ts';
import { isVisibleTo } from '../memory/visibility.ts';

/** Who may see an entry of a report. */
export type Owned = Pick<Memory, 'scope' | 'agentId'>;

/** Of a memory, without its words. */
export function ownerOf({ scope, agentId }: Owned): Owned {
  return { scope, agentId };
}

interface Entry {
  readonly owner: Owned;
}

export interface DuplicateEntry extends Entry {
  /** Of the memory that stays. */
  readonly id: string;
  readonly absorbed: readonly string[];
}

export interface ClusterEntry extends Entry {
  /** Of the semantic memory; null in a dry run that would make it. */
  readonly id: string | null;
  readonly sources: readonly string[];
}

export interface IdEntry extends Entry {
  readonly id: string;
}

/** What a run did, or in a dry run would do. Whoever asks is shown what it may see: `reportFor`. */
export interface Report {
  readonly dryRun: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** Told to stop before it was done; the next run goes on. */
  readonly stopped: boolean;
  /** Why it ended early, for the operator; null when nothing went wrong. What was done until then holds. */
  readonly problem: string | null;
  readonly examined: readonly { readonly owner: Owned; readonly count: number }[];
  readonly clusters: readonly { readonly owner: Owned; readonly count: number }[];
  readonly deduplicated: readonly DuplicateEntry[];
  readonly created: readonly ClusterEntry[];
  readonly rebuilt: readonly ClusterEntry[];
  readonly removed: readonly IdEntry[];
  readonly pruned: readonly IdEntry[];
  /** Why nothing was pruned; null when pruning was done or not asked for. */
  readonly pruneSkipped: string | null;
  /** null: not looked for. */
  readonly contradictions: readonly IdEntry[] | null;
  /** Changed by others between plan and act, and so left for the next run. */
  readonly skipped: readonly IdEntry[];
}

/** The entries that an agent may see, and no others. */
export function reportFor(agentId: string, report: Report): Report {
  const visible = <T extends Entry>(entries: readonly T[]) =>
    entries.filter(({ owner }) => isVisibleTo(agentId, owner));
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

/** Whether a run changed the store. */
export function hasChanged(report: Report): boolean {
  const { deduplicated, created, rebuilt, removed, pruned } = report;
  return [deduplicated, created, rebuilt, removed, pruned].some((entries) => entries.length > 0);
}

/** What was thrown on purpose is meant to be read; of everything else the log has the stack. */
export function problemOf(error: unknown): string {
  return error instanceof ServiceError ? error.message : 'An unexpected fault: the log has it.';
}
