import type { Decision, Strengthening } from './decision.ts';
import type { Kind, Memory, Origin, Scope, Strength } from './memory.ts';

/** A memory with what recalling did to it. */
export interface StoredMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
}

/** Which memories a list holds; every condition that is given must be met. */
export interface MemoryFilter {
  /** Only what this agent may see. */
  readonly callerAgentId: string;
  readonly authorAgentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly Kind[] | undefined;
  readonly scope?: Scope | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** Of sources trusted at least as this one. */
  readonly leastSource?: Origin | undefined;
  /** Said at or after, epoch milliseconds. */
  readonly sinceMs?: number | undefined;
  /** Said before, epoch milliseconds. */
  readonly untilMs?: number | undefined;
}

/** A place in the order of time: the memory that was listed last. */
export interface ListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface MemoryPage {
  readonly items: readonly StoredMemory[];
  /** Of all pages. */
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

/** Keeps memories. What a promise of a change resolves is on disk, where there is one. Whatever engine answers may be far away. */
export interface MemoryStore {
  /** By its own id or that of one that it absorbed. */
  find(id: string): Promise<StoredMemory | null>;
  findByIdempotencyKey(agentId: string, key: string): Promise<StoredMemory | null>;
  /** What the same agent said with the same words in the same session and scope, less than a day apart. */
  findSameWords(memory: Memory): Promise<StoredMemory | null>;
  /** Whether a memory of this id was deleted, as far as that is remembered. */
  wasDeleted(id: string): Promise<boolean>;
  /** Of the chunks of its text, in order; none while they are still to be made, or for an unknown id. */
  vectorsOf(id: string): Promise<readonly Float32Array[]>;
  /**
   * Makes all of the changes, or none where the decision is stale: something that it rests on is no longer so. Whole after a
   * crash, too. Resolves to whether they were made; whoever decided reads again and decides anew. @throws UnavailableError
   */
  changeTogether(decision: Decision): Promise<boolean>;
  /**
   * Makes each of these memories as strong as is said, where it is not stronger already; one that is gone is left out. So no
   * such change is stale, in whatever order several come. The store may keep it later than it answers: a crash may lose it.
   */
  strengthen(recalled: readonly Strengthening[]): Promise<void>;
  /** Newest first. @param text only memories whose text holds it, upper and lower case alike */
  list(
    filter: MemoryFilter,
    page: { limit: number; after: ListPosition | null; text?: string | undefined },
  ): Promise<MemoryPage>;
  /** Everything that fits, oldest first, in batches. */
  scan(filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]>;
  /** Of what the caller may see, by author. */
  counts(callerAgentId: string): Promise<ReadonlyMap<string, AgentCounts>>;
  /** How many there are, those that are being added among them. */
  size(): Promise<number>;
  /** Of these keys of entities, those that memories which all may see name. */
  knownEntities(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
