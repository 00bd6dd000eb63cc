import type { Memory, Strength } from '../domain/memory.ts';

/** The model that vectors came from. Vectors of different models are never compared. */
export interface VectorModel {
  readonly id: string;
  readonly dimension: number;
}

/**
 * One change of the store, as the journal keeps it. A later version may know further operations; a version that reads one
 * it does not know refuses to start.
 */
export type Change =
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
  | { readonly op: 'delete'; readonly ids: readonly string[] };
