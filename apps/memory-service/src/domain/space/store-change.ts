import type { Operation } from '../memory/change-act.ts';
import type { Memory } from '../memory/memory.ts';

/** What has happened in a store. */
export type StoreChange = MemoryChange | ContradictionChange;

export interface MemoryChange {
  readonly kind: 'memory';
  /** null: it was not there. */
  readonly before: Memory | null;
  /** null: it is gone. */
  readonly after: Memory | null;
  /** The memory that supersedes it now; null: none that is there. */
  readonly successor: Memory | null;
  /** null: it was told, or it follows from a change of another memory. */
  readonly operation: Operation | 'expire' | null;
  /** Id of the agent that did it; null: the service, or unknown. */
  readonly by: string | null;
}

/** Something about a contradiction: found (or doubtful, which is worth asking somebody), judged, decided about, or open again. */
export interface ContradictionChange {
  readonly kind: 'contradiction';
  readonly id: string;
  readonly what: 'found' | 'doubtful' | 'judged' | 'resolved' | 'dismissed' | 'reopened';
  /** Its memories. */
  readonly sides: readonly [Memory, Memory];
  /** Id of the agent that judged or decided; null: the service found it. */
  readonly by: string | null;
}
