import { DAY_MS } from '@agent-faculties/service-kit';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import type { Owned } from './report.ts';

/** What consolidation needs of the store beside what everybody does. */
export interface ConsolidationStore extends Pick<MemoryStore, 'find' | 'changeTogether'> {
  /** Every memory that is there when it is asked, whoever may see it, oldest first, in batches. */
  scanAll(): AsyncIterable<readonly StoredMemory[]>;
  /**
   * The direction of each memory's vectors, of unit length, in the order of the ids; null while it has none. Not to be written
   * to.
   */
  embeddingsOf(ids: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  /** Of these, the ids of memories that somebody has decided about: in a contradiction, or that they supersede another. */
  decidedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Semantic memories that have any of these among their sources, each once. */
  derivedFrom(ids: readonly string[]): Promise<readonly StoredMemory[]>;
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
