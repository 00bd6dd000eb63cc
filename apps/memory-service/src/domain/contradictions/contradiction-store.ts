import type { Memory } from '../memory/memory.ts';
import type { Contradiction } from './contradiction.ts';

/** A memory that is near another one. */
export interface Neighbour {
  readonly memory: Memory;
  /** Of their vectors, the nearest chunks of them; 0 where there are none. */
  readonly cosine: number;
}

export interface Neighbours {
  readonly shared: readonly Neighbour[];
  readonly ownPrivate: readonly Neighbour[];
}

/** Keeps which memories were compared and what was found. What a promise of a change resolves is on disk, where there is one. */
export interface ContradictionStore {
  /** Says what compares from now on: what something else has compared waits again. */
  compareBy(by: string): Promise<void>;
  /** Memories that no comparison has seen yet, or that changed since; of those that the caller may see. */
  waitingCount(callerAgentId: string): Promise<number>;
  /** Some of those, oldest change first, that have their vectors. They wait until a comparison of them is noted. */
  waitingMemories(count: number): Promise<readonly Memory[]>;
  /** Of these, the ids of memories that wait. */
  waitingAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * What is closest in meaning or words to a memory, of what may be held against it; best first. What all may see apart from
   * its agent's PRIVATE memories, so that these change nothing for others. @param count of each
   */
  neighboursOf(memory: Memory, count: number): Promise<Neighbours>;
  /**
   * Notes that memories were compared and what was found. Nothing is noted of one that has changed meanwhile, or whose
   * contradiction's other side has: it still waits.
   */
  noteCompared(comparison: {
    /** Names what compared. */
    readonly by: string;
    readonly memories: readonly Memory[];
    /** These and what they contradict, as they were read. */
    readonly read: readonly Memory[];
    readonly found: readonly Contradiction[];
  }): Promise<void>;
  /** All that are known, in batches; one that is found or forgotten meanwhile may be left out. */
  contradictions(): AsyncIterable<readonly Contradiction[]>;
  contradiction(id: string): Promise<Contradiction | null>;
  /**
   * Keeps a decision and the memories that it changes, all or none.
   * @param about.read what was read to decide; resolves to false when one of these has changed or is gone
   */
  decide(
    contradiction: Contradiction,
    about: { readonly read: readonly Memory[]; readonly changed: readonly Memory[] },
  ): Promise<boolean>;
}
