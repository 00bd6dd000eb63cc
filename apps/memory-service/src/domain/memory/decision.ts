import type { Memory, Strength } from './memory.ts';

/** A memory as it was read. */
export interface Expected {
  /** Its own, not that of one that it absorbed. */
  readonly id: string;
  readonly updatedAt: number;
}

/** What was looked for and not found. */
export interface Absent {
  /** Ids that `find` does not know. */
  readonly ids?: readonly string[];
  /** Ids of which `wasDeleted` says no. */
  readonly tombstones?: readonly string[];
  /** Memories for whose agent and idempotency key `findByIdempotencyKey` finds nothing. */
  readonly keysOf?: readonly Pick<Memory, 'agentId' | 'idempotencyKey'>[];
  /** Memories for which `findSameWords` finds nothing. */
  readonly wordsOf?: readonly Memory[];
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
      /** Of the new text, or made later; none: to be made in the background; absent where those that are there hold. */
      readonly vectors?: readonly Float32Array[];
    }
  | { readonly op: 'delete'; readonly ids: readonly string[] };

/** Changes, and all that was read to decide on them. */
export interface Decision {
  readonly expected: readonly Expected[];
  readonly absent?: Absent;
  /** The most memories that there may be afterwards; absent: any number. */
  readonly mostMemories?: number;
  readonly changes: readonly PlannedChange[];
}

/** What recalling did to a memory. */
export interface Strengthening {
  readonly id: string;
  readonly strength: Readonly<Strength>;
}

export function versionOf({ id, updatedAt }: Memory): Expected {
  return { id, updatedAt };
}
