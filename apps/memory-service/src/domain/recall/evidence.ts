import type { Role } from '../memory/memory.ts';

/**
 * What speaks for one memory as the answer to one question: raw figures, which `fusion` weighs. The store fills it in,
 * over only what the caller may see. "Share" is the fraction of the best score that the asked words could reach: 0 when
 * none of them occurs, about 1 when all do and often; it compares across questions, which a rank does not.
 */
export interface Evidence {
  readonly ordinal: number;
  /** Row of the first piece's vector; -1 without one. */
  readonly row: number;
  /** Share of the asked words in the memory itself. */
  readonly turn: number;
  /** The same over the memory and its two neighbours on either side. */
  readonly window: number;
  /** The same over its whole thread. */
  readonly thread: number;
  /** 0..1: how far the thread keeps to one topic; below 1, its window and thread count for less. */
  readonly coherence: number;
  /** Cosine of the question with the memory's best piece, -1..1; 0 while it has no vector. */
  readonly cosine: number;
  /** Cosine of the question with the memory's vector mixed with those of its neighbours; equals `cosine` without any. */
  readonly mixedCosine: number;
  /** The turn share of the memory just before, where that one is a question; else 0. */
  readonly askedBeforeTurn: number;
  /** The cosine of the memory just before, where that one is a question; else 0. */
  readonly askedBeforeCosine: number;
  /** Words of the memory just before, where that one is a question; else 0. */
  readonly askedBeforeWords: number;
  /** 0..1: how much of what the question names is linked to the memory, from the entity index. */
  readonly entity: number;
  /** 1 when the question names one known speaker and this one said it, -1 when another did, 0 otherwise. */
  readonly speaker: -1 | 0 | 1;
  /** Who spoke, where that is known. */
  readonly role: Role | null;
  readonly isQuestion: boolean;
  /** Whether it says when: "yesterday", "in May", "2019". */
  readonly tellsTime: boolean;
  /** Words in the text. */
  readonly words: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** What the store found for a question: the candidates, scored exactly, in no order. */
export interface Retrieved {
  readonly candidates: readonly Evidence[];
  /** The highest turn share among all that the caller sees: how far the question's words can be trusted, 0..~1. */
  readonly bestTurn: number;
  /** Share of what the caller sees that the one speaker said whom the question names, 0..1; 1 where it names none. */
  readonly speakerShare: number;
  /** Whether cosines mean anything here: false without an embedding model. */
  readonly hasVectors: boolean;
  /** Cosine of two candidates with each other; 0 where one has no vector. */
  likeness(a: Evidence, b: Evidence): number;
}

export interface RetrieveRequest {
  readonly callerAgentId: string;
  /** The vector of `question.denseText`; null when there is no model or it is not ready. */
  readonly vector: Float32Array | null;
  /** Rows that the vector index found nearest, in any order; may hold rows of others' private memories or dead ones. */
  readonly vectorRows: ArrayLike<number>;
  /** From the entity index: ordinal to 0..1. */
  readonly entityHits: ReadonlyMap<number, number>;
  /** The filters of the request. Visibility needs no filter: it is applied in any case. */
  readonly accepts?: (ordinal: number) => boolean;
  /** At least so many candidates come back whenever that many visible memories are accepted. */
  readonly limit: number;
}
