import { DAY_MS } from '@agent-faculties/service-kit';
import type { Memory, Strength } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { Owned } from './report.ts';

/** A memory as it was when a change was planned. */
export interface Expected {
  readonly id: string;
  readonly updatedAt: number;
}

/** What is done to memories. The journal keeps these changes too. */
export type PlannedChange =
  | {
      readonly op: 'add';
      readonly memory: Memory;
      /** Where it is known already (a merge); else the store makes the first one. */
      readonly strength?: Readonly<Strength>;
      /** One for each chunk of the text, of the store's model; none where there is no model. */
      readonly vectors: readonly Float32Array[];
    }
  | {
      readonly op: 'update';
      /** Whole, as it is afterwards. */
      readonly memory: Memory;
      readonly strength?: Readonly<Strength>;
      /** Of the new text; absent where the text stays. */
      readonly vectors?: readonly Float32Array[];
    }
  | { readonly op: 'delete'; readonly ids: readonly string[] };

/** What consolidation needs of the store beside what everybody does. */
export interface ConsolidationStore {
  /** Every memory that is there when it is asked, whoever may see it, oldest first, in batches. */
  scanAll(): AsyncIterable<readonly StoredMemory[]>;
  /** By its own id or that of one that it absorbed. */
  find(id: string): Promise<StoredMemory | null>;
  /**
   * The direction of each memory's vectors, of unit length, in the order of the ids; null while it has none. Not to be written
   * to.
   */
  embeddingsOf(ids: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  /** Of these, the ids of memories that somebody has decided about: in a contradiction, or that they supersede another. */
  decidedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Semantic memories that have any of these among their sources, each once. */
  derivedFrom(ids: readonly string[]): Promise<readonly StoredMemory[]>;
  /**
   * Makes all of the changes, or none where a memory is no longer as expected. Whole after a crash, too.
   * Resolves to whether they were made. @throws UnavailableError
   */
  changeTogether(group: { expected: readonly Expected[]; changes: readonly PlannedChange[] }): Promise<boolean>;
}

/** How long what was pruned can be brought back. */
export const ARCHIVE_MS = 30 * DAY_MS;

/** Of a pruned memory, without its words. */
export interface PrunedEntry extends Owned {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly prunedAt: number;
}

export interface PrunedMemory extends StoredMemory {
  readonly prunedAt: number;
}

/** Keeps what was pruned for a while, so that it can be brought back. */
export interface PrunedArchive {
  /** On disk when this resolves; nothing of it is there when it rejects. @throws UnavailableError */
  keep(pruned: readonly StoredMemory[], nowMs: number): Promise<void>;
  /** Ids of those that were there. Their words leave the disk. */
  remove(ids: readonly string[]): Promise<string[]>;
  find(id: string): Promise<PrunedEntry | null>;
  /** The latest first; of one moment by id, the greatest first. */
  entries(): Promise<readonly PrunedEntry[]>;
  /** Of these, those that are there, in the order of the ids. */
  read(ids: readonly string[]): Promise<readonly PrunedMemory[]>;
  /**
   * Hands out those of these that are there, at most 50 at a time, and removes what was handed out without a fault. Nobody
   * reads or removes any meanwhile.
   */
  take(ids: readonly string[], use: (pruned: readonly PrunedMemory[]) => Promise<void>): Promise<void>;
  /** Drops what was pruned before a moment; resolves to what that was. */
  expire(beforeMs: number): Promise<readonly PrunedEntry[]>;
}
