import { DAY_MS } from '@agent-faculties/service-kit';
import type { STALE } from '../../concurrency/until-taken.ts';
import type { ArchiveChange } from '../../memory/decision.ts';
import type { PrunedMemory } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import type { Owned } from '../report.ts';

/** How long pruned memories can be restored. */
export const ARCHIVE_MS = 30 * DAY_MS;

/** A pruned memory without its words. */
export interface PrunedEntry extends Owned {
  readonly id: string;
  /** When it was pruned, epoch milliseconds. */
  readonly prunedAt: number;
}

/** Holds pruned memories for a while, so that they can be restored. */
export interface PrunedArchive {
  /** Adds memories: all are on disk when this resolves, none when it rejects. @throws UnavailableError */
  keep(pruned: readonly StoredMemory[], nowMs: number): Promise<void>;
  /**
   * Adds memories with the change that takes them out of the store. Whenever the process ends, each is in one of both at least.
   * @param change makes that change, with what it is given as its `archive`; resolves to whether it happened
   * @returns whether it happened; if not, none was added
   */
  move(
    pruned: readonly StoredMemory[],
    nowMs: number,
    change: (archive: ArchiveChange) => Promise<boolean>,
  ): Promise<boolean>;
  /** Removes memories and takes their words off the disk; resolves to the ids that were there. */
  remove(ids: readonly string[]): Promise<string[]>;
  find(id: string): Promise<PrunedEntry | null>;
  /** The entries, latest first; of one moment the greatest id first. */
  entries(): Promise<readonly PrunedEntry[]>;
  /** Those of these memories that are there, in the order of the ids. */
  read(ids: readonly string[]): Promise<readonly PrunedMemory[]>;
  /**
   * Hands out those of these memories that are there, at most 50 at a time, and removes those that `use` takes without an error.
   * A removal by another caller happens before or after all of it, never in between.
   * @param use changes the store with what it is given as the `archive` of its decision; STALE: it is called again
   */
  take(
    ids: readonly string[],
    use: (pruned: readonly PrunedMemory[], archive: ArchiveChange) => Promise<undefined | typeof STALE>,
  ): Promise<void>;
  /** Drops memories that were pruned before a moment; resolves to them. */
  expire(beforeMs: number): Promise<readonly PrunedEntry[]>;
}
