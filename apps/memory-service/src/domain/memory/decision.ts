import type { ChangeAct } from './change-act.ts';
import type { Keyed, Memory, PrunedMemory, Strength } from './memory.ts';

/** A memory as it was read. */
export interface Expected {
  /** Its own id, not that of one that it absorbed. */
  readonly id: string;
  readonly updatedAt: number;
  /** How many tellings it had, which `updatedAt` does not tell; absent: none. */
  readonly tellings?: number;
}

/** What a decision looked for and did not find. */
export interface Absent {
  /** Ids for which `find` found nothing. */
  readonly ids?: readonly string[];
  /** Ids for which `wasDeleted` was false. */
  readonly tombstones?: readonly string[];
  /** Memories for whose agent, project and idempotency key `findByIdempotencyKey` found nothing. */
  readonly keysOf?: readonly Keyed[];
  /** Memories for which `findSameWords` found nothing. */
  readonly wordsOf?: readonly Memory[];
}

/** A version of the history that was read: the memory, and when it was changed. */
export interface VersionRead {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A change of memories. The journal holds these changes too. */
export type PlannedChange =
  | {
      readonly op: 'add';
      readonly memory: Memory;
      /** Its strength, where it is known (a merge); else the store makes the initial one. */
      readonly strength?: Readonly<Strength>;
      /** Vectors of the store's model, one for each chunk of the text; empty where there is no model. */
      readonly vectors: readonly Float32Array[];
    }
  | {
      readonly op: 'update';
      /** The whole memory as it is afterwards. */
      readonly memory: Memory;
      readonly strength?: Readonly<Strength>;
      /** The vectors of the new text; empty: they are made in the background; absent: the stored ones stay. */
      readonly vectors?: readonly Float32Array[];
    }
  | { readonly op: 'delete'; readonly ids: readonly string[] };

/** What changes in the archive of the pruned together with the store. An archive that is no part of the store changes by itself. */
export interface ArchiveChange {
  /** Memories that come into it. */
  readonly keep?: readonly PrunedMemory[];
  /** Ids of memories that leave it. The decision is stale where one of them is not there. */
  readonly take?: readonly string[];
}

/** Changes, and everything that was read to decide on them. */
export interface Decision {
  readonly expected: readonly Expected[];
  readonly absent?: Absent;
  /** Versions of the history that it takes words from: it is stale once one of them was erased. */
  readonly versions?: readonly VersionRead[];
  /** The most memories that the store may hold afterwards; absent: any number. */
  readonly mostMemories?: number;
  readonly changes: readonly PlannedChange[];
  readonly archive?: ArchiveChange | undefined;
  /** Who does it and why; then the store keeps the version before each change. Absent: it keeps none. */
  readonly act?: ChangeAct | undefined;
}

/** A memory and its new strength. */
export interface Strengthening {
  readonly id: string;
  readonly strength: Readonly<Strength>;
}

export function versionOf(memory: Memory): Expected {
  const { id, updatedAt } = memory;
  const tellings = tellingsIn(memory);
  return { id, updatedAt, ...(tellings > 0 && { tellings }) };
}

/** Whether a memory is as it was read. */
export function isAsRead(memory: Memory | undefined, { updatedAt, tellings = 0 }: Expected): boolean {
  return memory !== undefined && memory.updatedAt === updatedAt && tellingsIn(memory) === tellings;
}

function tellingsIn({ tellings = [], absorbed = [] }: Memory): number {
  return absorbed.reduce((sum, one) => sum + tellingsIn(one.memory), tellings.length);
}
