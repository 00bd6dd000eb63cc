import type { Role } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';

/**
 * What speaks for one memory as the answer to one question: raw figures, which `fusion` weighs. The store fills it in,
 * over only what the caller may see. "Share" is the fraction of the best score that the asked words could reach: 0 when
 * none of them occurs, about 1 when all do and often; it compares across questions, which a rank does not.
 */
export interface Evidence {
  /** Share of the asked words in the memory itself. */
  readonly turn: number;
  /** The same over the memory and its two neighbours on either side. */
  readonly window: number;
  /** The same over its whole thread. */
  readonly thread: number;
  /** 0..1: how far the thread keeps to one topic; below 1, its window and thread count for less. */
  readonly coherence: number;
  /** Whether the memory has a vector. */
  readonly hasVector: boolean;
  /** Cosine of the question with the memory's best chunk, -1..1; 0 while it has no vector. */
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

/** A memory that may answer the question, as it was when the candidates were retrieved. */
export interface Candidate {
  readonly stored: StoredMemory;
  /** Keys of the entities that connect it with other memories; a derived memory has none of its own. */
  readonly entityKeys: readonly string[];
  readonly evidence: Evidence;
}

/** What the store found for a question. */
export interface Retrieved {
  /** Each with its exact evidence; in no order. */
  readonly candidates: readonly Candidate[];
  /** The highest turn share among all that the caller sees: how far the question's words can be trusted, 0..~1. */
  readonly bestTurn: number;
  /** Share of what the caller sees that the one speaker said whom the question names, 0..1; 1 where it names none. */
  readonly speakerShare: number;
  /** Whether cosines mean anything here: false without an embedding model. */
  readonly hasVectors: boolean;
  /** Cosine of two of these candidates with each other; 0 where one has no vector. */
  likeness(a: Candidate, b: Candidate): number;
}
