import type { Scope } from '../domain/memory.ts';
import type { EvidenceSource, Gathered, GatherRequest, SpeakerNames } from '../domain/recall/evidence.ts';
import type { Question } from '../domain/recall/question.ts';

/** What the index needs of the vectors; VectorMatrix is one. */
export interface VectorRows {
  readonly dimension: number;
  /** Dot product of a row with a vector. */
  dot(row: number, vector: Float32Array): number;
  /** Dot product of two rows. */
  dotRows(a: number, b: number): number;
  /** The row itself; not to be changed. */
  row(row: number): Float32Array;
}

/** Consecutive rows of one memory: the pieces of its text. */
export interface RowRange {
  readonly first: number;
  readonly count: number;
}

/** What is indexed of a memory. A `Memory` has the first four under the same names. */
export interface IndexedMemory {
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly scope: Scope;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** What it is found by: content, or the gist where that was edited. Any length. */
  readonly text: string;
  /** Who said it; null when unknown. */
  readonly speaker: string | null;
  readonly tags: readonly string[];
}

/** Words, threads and vectors of all memories, joined. An edit is a `remove` and an `add` of the same ordinal. */
export declare class EvidenceIndex implements EvidenceSource {
  constructor(options: { vectors: VectorRows | null });
  /** @param rows null while it has no vector; `setRows` follows */
  add(ordinal: number, memory: IndexedMemory, rows: RowRange | null): void;
  setRows(ordinal: number, rows: RowRange | null): void;
  remove(ordinal: number): void;
  gather(question: Question, request: GatherRequest): Gathered;
  knownSpeakers(callerAgentId: string): SpeakerNames;
}
