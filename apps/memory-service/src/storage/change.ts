import type { Contradiction } from '../domain/contradictions/contradiction.ts';
import type { Memory, Strength } from '../domain/memory.ts';

/** The model that vectors came from. Vectors of different models are never compared. */
export interface VectorModel {
  readonly id: string;
  readonly dimension: number;
}

/** A memory as a group of changes was planned on it. */
export interface Expected {
  readonly id: string;
  readonly updatedAt: number;
}

/** Changes that happen together or not at all, and only while everything is as expected. */
export interface ChangeGroup {
  readonly op: 'group';
  readonly expected: readonly Expected[];
  readonly changes: readonly SingleChange[];
}

/**
 * One change of the store, as the journal keeps it. A later version may know further operations; a version that reads one
 * it does not know refuses to start.
 */
export type Change = SingleChange | ChangeGroup;

export type SingleChange =
  | {
      readonly op: 'add';
      readonly memory: Memory;
      /** Where it is known already (a merge); else the store makes the first one. */
      readonly strength?: Readonly<Strength>;
      /** One for each piece of the text, of the journal's model; none where there is no model. */
      readonly vectors: readonly Float32Array[];
    }
  | {
      readonly op: 'update';
      /** Whole, as it is afterwards. */
      readonly memory: Memory;
      readonly strength?: Readonly<Strength>;
      /** Of the new text; absent where the text stays. */
      readonly vectors?: readonly Float32Array[];
    }
  | { readonly op: 'delete'; readonly ids: readonly string[] }
  | ComparedChange
  /** Somebody decided about a contradiction, or took a decision back. */
  | { readonly op: 'decided'; readonly contradiction: Contradiction };

/** Memories were compared with what is near them. */
export interface ComparedChange {
  readonly op: 'compared';
  /** Names what compared. */
  readonly by: string;
  /** Ids of those that were compared. */
  readonly memories: readonly string[];
  /** These and what they contradict, as they were read. */
  readonly read: readonly Expected[];
  readonly found: readonly Contradiction[];
}
