import type { Decision, Strengthening } from './decision.ts';
import type { Keyed, Kind, Memory, Scope, Source, Strength } from './memory.ts';
import type { Viewer } from './visibility.ts';

/** A memory with its strength. */
export interface StoredMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
}

/** A filter of memories; they must meet every condition that is given. */
export interface MemoryFilter {
  /** Only memories that this agent may see. */
  readonly viewer: Viewer;
  /** Only memories of these agents. */
  readonly authorAgentIds?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly Kind[] | undefined;
  readonly scope?: Scope | undefined;
  /** Only memories that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Only memories of a source that is trusted at least as much as this one. */
  readonly leastSource?: Source | undefined;
  /** Said at or after, epoch milliseconds. */
  readonly sinceMs?: number | undefined;
  /** Said before, epoch milliseconds. */
  readonly untilMs?: number | undefined;
  /** Held true then, epoch milliseconds. */
  readonly heldAtMs?: number | undefined;
}

/** A position in the order of time: that of the memory that was listed last. */
export interface ListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface AskedPage {
  readonly limit: number;
  readonly after: ListPosition | null;
  /** Only memories whose text holds it; upper and lower case are equal, and so are the two ways to write an accent. */
  readonly text?: string | undefined;
  /** Only memories that were recalled, or only those that never were. */
  readonly isRecalled?: boolean | undefined;
}

export interface MemoryPage {
  readonly items: readonly StoredMemory[];
  /** The number of memories on all pages. */
  readonly total: number;
  readonly next: ListPosition | null;
}

export interface Counts {
  readonly episodic: number;
  readonly semantic: number;
  readonly private: number;
}

export interface AgentCounts extends Counts {
  /** When the agent's last memory was said, epoch milliseconds. */
  readonly lastActiveAt: number;
}

/** Holds the memories. When the promise of a change resolves, the change is on disk, if there is one. The engine may be remote. */
export interface MemoryStore {
  /** Finds a memory by its own id or by that of one that it absorbed. */
  find(id: string): Promise<StoredMemory | null>;
  /** The memory that was told under this key; null for none, and where there is no key. */
  findByIdempotencyKey(keyed: Keyed): Promise<StoredMemory | null>;
  /** Finds a memory with the same words and validity of the same agent, session and scope, less than a day apart. */
  findSameWords(memory: Memory): Promise<StoredMemory | null>;
  /**
   * What the author of an episodic memory said right before it in its session, among what all see who see the memory and what does not
   * expire. The memory need not be stored yet.
   */
  saidBefore(memory: Memory): Promise<Memory | null>;
  /** Whether a memory of this id was deleted, as far as the store remembers. */
  wasDeleted(id: string): Promise<boolean>;
  /** The vectors of the chunks of its text, in order; empty while they are not made yet, and for an unknown id. */
  vectorsOf(id: string): Promise<readonly Float32Array[]>;
  /** The vectors of each memory as it was read; empty if it has another text by now, or is gone. */
  vectorsAsRead(memories: readonly Memory[]): Promise<readonly (readonly Float32Array[])[]>;
  /**
   * Makes all of the changes, or none where the decision is stale, because something that it rests on has changed. Also atomic in a
   * crash. Where a memory is added or deleted, or gets other words, viewers or another place, or begins to expire, the terse memories right
   * behind it lose their vectors; so does a terse one with vectors behind another message than the one before it. Resolves to whether the changes were made; if not, the caller reads and decides again. @throws UnavailableError
   */
  changeTogether(decision: Decision): Promise<boolean>;
  /**
   * Raises each of these memories to the given strength, unless it is stronger already; a missing memory is skipped. Therefore no such
   * change is stale, in any order. The store may write it after it answers, so a crash may lose it.
   */
  strengthen(recalled: readonly Strengthening[]): Promise<void>;
  /** A page of memories, newest first. */
  list(filter: MemoryFilter, asked: AskedPage): Promise<MemoryPage>;
  /** All memories that fit the filter, oldest first, in batches. */
  scan(filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]>;
  /** The episodic memories that fit the filter and whose texts name a time, in no order, in batches. @param term of `day-terms.ts` */
  naming(term: string, filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]>;
  /** Counts of the memories that the caller may see, by author. */
  counts(viewer: Viewer): Promise<ReadonlyMap<string, AgentCounts>>;
  /** How many memories of each project the caller may see; those without a project are left out. */
  projectCounts(viewer: Viewer): Promise<ReadonlyMap<string, number>>;
  /** How many memories there are, including those that are being added. */
  size(): Promise<number>;
  /** The keys among these that a memory names which every viewer in this project sees. @param project null: in any project */
  knownEntities(keys: readonly string[], project: string | null): Promise<ReadonlySet<string>>;
}
