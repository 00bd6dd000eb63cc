import { DAY_MS } from '@agent-faculties/service-kit';
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

export interface PrunedMemory extends StoredMemory {
  readonly prunedAt: number;
}

/** Holds pruned memories for a while, so that they can be restored. */
export interface PrunedArchive {
  /** Adds memories: all are on disk when this resolves, none when it rejects. @throws UnavailableError */
  keep(pruned: readonly StoredMemory[], nowMs: number): Promise<void>;
  /** Removes memories and takes their words off the disk; resolves to the ids that were there. */
  remove(ids: readonly string[]): Promise<string[]>;
  find(id: string): Promise<PrunedEntry | null>;
  /** The entries, latest first; of one moment the greatest id first. */
  entries(): Promise<readonly PrunedEntry[]>;
  /** Those of these memories that are there, in the order of the ids. */
  read(ids: readonly string[]): Promise<readonly PrunedMemory[]>;
  /**
   * Hands out those of these memories that are there, at most 50 at a time, and removes those that `work` takes without an error.
   * Nobody reads or removes any meanwhile.
   */
  take(ids: readonly string[], use: (pruned: readonly PrunedMemory[]) => Promise<void>): Promise<void>;
  /** Drops memories that were pruned before a moment; resolves to them. */
  expire(beforeMs: number): Promise<readonly PrunedEntry[]>;
}
