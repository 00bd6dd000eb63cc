import type { ChangeAct, KeptOperation } from './change-act.ts';
import type { StoredMemory } from './memory-store.ts';

/** How long a version is kept where no setting says otherwise. */
export const DEFAULT_HISTORY_DAYS = 30;

/** A contradiction of a memory, without its words. */
export interface PastContradiction {
  readonly id: string;
  /** Who dismissed it, and when, epoch milliseconds; null: nobody had. */
  readonly dismissed: { readonly agentId: string; readonly at: number } | null;
}

/** A memory before a change, and the change. */
export interface PastVersion extends ChangeAct {
  /** The id of the memory. */
  readonly id: string;
  readonly operation: KeptOperation;
  /** The memory as it was; null: there was none. */
  readonly before: StoredMemory | null;
  /** `updatedAt` of the memory after the change; null: there was none. */
  readonly after: number | null;
  /** Ids of the memories that it superseded until the change. */
  readonly released: readonly string[];
  /** The contradictions that it took part in until the change. */
  readonly contradictions: readonly PastContradiction[];
}

/** A version without its words. */
export interface ExpiredVersion {
  readonly id: string;
}

/** Holds the versions before the changes of the last days. The engine writes them with the changes, whole or not at all. */
export interface MemoryHistory {
  /** How long a version is kept, milliseconds. */
  readonly keptMs: number;
  /** The versions of a memory, oldest first. */
  versionsOf(id: string): Promise<readonly PastVersion[]>;
  /** The versions before the changes of a consolidation, oldest first, in batches. */
  versionsOfRun(run: string): AsyncIterable<readonly PastVersion[]>;
  /** All versions, in batches. */
  scan(): AsyncIterable<readonly PastVersion[]>;
  /**
   * Drops the versions of these memories, and every version of another one that absorbed one of them or was derived from one. They
   * are off the disk with the next save.
   */
  erase(ids: readonly string[]): Promise<void>;
  /**
   * Drops the versions before changes that are older than `keptMs`, and, as `erase` does, those of deleted memories that would have
   * expired by now. Resolves to one entry for each.
   */
  expire(nowMs: number): Promise<readonly ExpiredVersion[]>;
}
