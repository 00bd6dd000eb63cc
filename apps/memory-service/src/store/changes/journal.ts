import type { ArchiveChange, Strengthening } from '../../domain/memory/decision.ts';
import type { Change } from './change.ts';

/** Where a save cuts the journal: everything up to here is in the snapshot, everything after it is not. */
export interface JournalCut<Captured> {
  readonly captured: Captured;
  /** Number of the last change before the cut. */
  readonly sequence: number;
  /** Deletes the changes from before the cut, once a save holds them. */
  discard(): Promise<void>;
}

/** What a change rests on has been changed by another process: nothing was written. */
export class StaleDecisionError extends Error {}

/** What an append rests on and brings along, where several processes write. */
export interface AppendOptions {
  /** Whether what the change rests on is otherwise since others have written; asked before it is written. */
  readonly isStale: () => boolean;
  /** What changes with it in the archive, where that is kept with the journal. */
  readonly archive?: ArchiveChange | undefined;
}

/** Keeps each change from before its answer until the next save. */
export interface Journal {
  /** Number of the last change that was applied; they are counted from 1 over the life of the data directory. */
  readonly sequence: number;
  /** Size of all that a start would have to read. */
  readonly bytes: number;
  /** Why the disk refused the last changes; null when it took them. */
  readonly refusal: string | null;
  /**
   * Writes the change to disk, then calls `apply`, then resolves. The calls come in the order of the appends.
   * @throws UnavailableError when the disk refuses; `apply` is not called then, and the next append tries again
   * @throws StaleDecisionError
   */
  append(change: Change, apply: () => void, options?: AppendOptions): Promise<void>;
  /** Resolves when all that was written before the call is applied, by whomever. Absent: no other process writes. */
  catchUp?(): Promise<void>;
  /** Does work in which `catchUp` looks once. Absent: no other process writes. */
  answering?<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** Recalls that were applied here, to be written soon. Absent: the next save holds them. */
  strengthened?(recalled: readonly Strengthening[]): void;
  /** Calls `capture` after the apply of every change so far and before the apply of any later one. */
  cut<Captured>(capture: () => Captured): Promise<JournalCut<Captured>>;
  /** Writes what waits; appends are refused from now on. */
  close(): Promise<void>;
}

/** For a service without a data directory: nothing is written. */
export function createVolatileJournal(): Journal {
  return new VolatileJournal();
}

class VolatileJournal implements Journal {
  sequence = 0;
  readonly bytes = 0;
  readonly refusal = null;

  async append(_change: Change, apply: () => void): Promise<void> {
    this.sequence += 1;
    apply();
  }

  async cut<Captured>(capture: () => Captured): Promise<JournalCut<Captured>> {
    return { captured: capture(), sequence: this.sequence, discard: async () => {} };
  }

  async close(): Promise<void> {}
}
