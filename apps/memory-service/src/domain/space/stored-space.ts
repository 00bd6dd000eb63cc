import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import type { PrunedArchive } from '../consolidation/pruning/pruned-archive.ts';
import type { RunLog } from '../consolidation/run-log.ts';
import type { ContradictionState } from '../contradictions/contradiction.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import type { VectorBacklog } from '../embedding/catch-up.ts';
import type { MemoryHistory } from '../memory/history.ts';
import type { Kind, Scope } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { Persistence } from '../memory/persistence.ts';
import type { RecallStore } from '../recall/recall-store.ts';
import type { StoreChange } from './store-change.ts';

/** All that the use cases ask of an engine. */
export type SpaceStore = MemoryStore & RecallStore & ContradictionStore & ConsolidationStore & VectorBacklog;

/** Figures of the whole store, PRIVATE memories included; none needs a scan. */
export interface StoreFigures {
  memories(kind: Kind, scope: Scope): number;
  contradictions(state: ContradictionState): number;
  /** How many vectors a recall can find. */
  vectors(): number;
  /** How many of these are in the database alone. */
  vectorsInDatabase(): number;
  /** Bytes of the vectors in the memory of this process, deleted ones included; many are read from a file. */
  vectorBytes(): number;
  /** Memory that the space takes, the second copy of its vectors included, bytes, about. */
  bytes(): number;
  /** Id of the process that searches vectors; undefined while there is none. */
  vectorProcessId(): number | undefined;
  /** How many memories wait for their vectors. */
  waitingForVectors(): number;
  /** How many memories wait to be compared with others. */
  waitingForComparison(): number;
}

/** How far each reader of the changes of a space has come, kept for the process that goes on reading. Changes have numbers. */
export interface ReaderProgress {
  /** The last change that this process was told of. */
  lastChange(): number;
  /** The last change that a reader has taken; null: it is not known. */
  read(reader: string): Promise<number | null>;
  /** Notes the last change that a reader has taken. A lower number than the one that is noted changes nothing. */
  write(reader: string, change: number): Promise<void>;
}

/** A space as an engine opens it: its memories see each other, and nothing of other spaces. */
export interface StoredSpace {
  readonly store: SpaceStore;
  readonly persistence: Persistence;
  /** null where no versions are kept. */
  readonly history: MemoryHistory | null;
  /** null where nothing is kept on disk. */
  readonly archive: PrunedArchive | null;
  readonly runLog: RunLog;
  readonly figures: StoreFigures;
  /** Has a listener, one alone, told of every change from now on, once it is on disk. It must not throw and must not wait. */
  onChange(listener: (change: StoreChange) => void): void;
  /** Whether the jobs of the space are this process's to do: of all processes that have it open one does them. */
  isOwner(): Promise<boolean>;
  /** Does the work of one request: all that it reads is at least as new as its beginning, and that is made sure once. */
  answering<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** null where no other process goes on reading. */
  readonly readerProgress: ReaderProgress | null;
  /** A moment before this start at which it held something already, epoch milliseconds; null: it is new. */
  wasThereAt(): number | null;
  /** Grows with every change that this process has seen. */
  revision(): number;
  /** Rebuilds the vector index without what deleted and changed memories left in it. */
  compact(): Promise<void>;
  /** Saves what is not saved, and lets another process have it. */
  close(): Promise<void>;
}
