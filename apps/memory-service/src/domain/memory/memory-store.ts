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
  find(id: string): Promise<StoredMemory | null>;
  findByIdempotencyKey(agentId: string, key: string): Promise<StoredMemory | null>;
  /** What the same agent said with the same words in the same session and scope, less than a day apart. */
  findSameWords(memory: Memory): Promise<StoredMemory | null>;
  /** @param vectors of the chunks of its text, in order; none where there is no model */
  add(memory: Memory, vectors: readonly Float32Array[]): Promise<void>;
  /** Adds a memory that was made elsewhere, with what recalling did to it there. */
  adopt(memory: Memory, made: { strength: Strength; vectors: readonly Float32Array[] }): Promise<void>;
  /** Whether a memory of this id was deleted, as far as that is remembered. */
  wasDeleted(id: string): Promise<boolean>;
  /** Of the chunks of its text, in order; none while they are still to be made, or for an unknown id. */
  vectorsOf(id: string): Promise<readonly Float32Array[]>;
  /** @param vectors of the new text; none: to be made in the background; undefined where the text stays. Resolves to false when the memory is gone. */
  replace(memory: Memory, vectors?: readonly Float32Array[]): Promise<boolean>;
  /** Resolves to the ids that were there. Many go in batches: a fault of the disk may leave the later ones. */
  remove(ids: readonly string[]): Promise<string[]>;
  /** Not journalled: a crash may lose it. */
  strengthen(id: string, strength: Strength): Promise<void>;
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
