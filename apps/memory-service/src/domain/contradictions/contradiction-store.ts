import type { ChangeAct } from '../memory/change-act.ts';
import type { Memory } from '../memory/memory.ts';
import type { Viewer } from '../memory/visibility.ts';
import type { Contradiction } from './contradiction.ts';

/** A memory that is near another one. */
export interface Neighbour {
  readonly memory: Memory;
  /** The cosine of their nearest chunks; 0 where there are no vectors. */
  readonly cosine: number;
}

export interface Neighbours {
  readonly shared: readonly Neighbour[];
  readonly ownPrivate: readonly Neighbour[];
}

/**
 * Holds which memories were compared, and the findings. When the promise of a change resolves, it is on disk, if there is one. A change
 * that ends a supersession also opens the contradictions again that the memory had lost.
 */
export interface ContradictionStore {
  /** Sets the scorer; memories that another scorer compared wait again. */
  compareBy(by: string): Promise<void>;
  /** How many memories that the caller may see were not compared yet, or have changed since. */
  waitingCount(viewer: Viewer): Promise<number>;
  /** Some waiting memories that have vectors, oldest change first. They wait until a comparison of them is noted. */
  waitingMemories(count: number): Promise<readonly Memory[]>;
  /** The ids among these whose memories wait for a comparison. */
  waitingAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The memories closest in meaning or words that may be compared with a memory, best first. Those that all may see are apart from
   * the PRIVATE ones of its agent, so that these change nothing for others. @param count the most of each
   */
  neighboursOf(memory: Memory, count: number): Promise<Neighbours>;
  /**
   * Notes compared memories and the findings. A memory that has changed meanwhile, or whose contradiction's other side has, is not
   * noted and waits on.
   */
  noteCompared(comparison: {
    /** Names the scorer. */
    readonly by: string;
    readonly memories: readonly Memory[];
    /** The compared memories and those that they contradict, as they were read. */
    readonly read: readonly Memory[];
    readonly found: readonly Contradiction[];
  }): Promise<void>;
  /** All known contradictions, in batches; one that is found or removed meanwhile may be missing. */
  contradictions(): AsyncIterable<readonly Contradiction[]>;
  contradiction(id: string): Promise<Contradiction | null>;
  /** All contradictions of these memories. */
  contradictionsOf(memoryIds: readonly string[]): Promise<readonly Contradiction[]>;
  /**
   * Writes a decision and the memories that it changes, all or none.
   * @param about.act who decides; then the versions before are kept @param about.read the memories that were read to decide; resolves to false when one of these has changed or is gone
   */
  decide(
    contradiction: Contradiction,
    about: { readonly read: readonly Memory[]; readonly changed: readonly Memory[]; readonly act?: ChangeAct },
  ): Promise<boolean>;
}
