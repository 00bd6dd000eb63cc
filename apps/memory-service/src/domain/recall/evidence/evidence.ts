import type { Role } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';

/**
 * The evidence for one memory as the answer to one question: raw figures, which `fusion` weighs. The store measures it among
 * the memories that the caller may see. A "share" is the fraction of the best score that the asked words could reach: 0 when
 * none of them occurs, about 1 when all occur often. Shares are comparable across questions; ranks are not.
 */
export interface Evidence {
  /** Share of the asked words in the memory itself. */
  readonly turn: number;
  /** Whether all asked words stand in the memory itself, where who said it need not be named in it. */
  readonly covers: boolean;
  /**
   * The same of it and the two before it in its thread together, where it may be a reply that tells what is asked: such a reply need not
   * say what it replies to.
   */
  readonly coversWithBefore: boolean;
  /** Share of the asked words in the memory and its two neighbours on either side. */
  readonly window: number;
  /** The same over its whole thread. */
  readonly thread: number;
  /** Share of the asked words that stand in the memory in words of similar meaning only. */
  readonly near: number;
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
  /** When its author said the message before it in the session, and the one after it, epoch milliseconds; null where there is none. */
  readonly saidBefore: number | null;
  readonly saidAfter: number | null;
  /** 0..1: how much of what the question names is linked to the memory, from the entity index. */
  readonly entity: number;
  /** 1 when the question names one known speaker and this one said it, -1 when another did, 0 otherwise. */
  readonly speaker: -1 | 0 | 1;
  /** The role of the speaker; null where it is unknown. */
  readonly role: Role | null;
  readonly isQuestion: boolean;
  /** Whether it was told outside of any session, as agents note what they want to remember. */
  readonly isNote: boolean;
  /** Whether it is what an agent noted of its user: "User prefers tabs." */
  readonly isOfUser: boolean;
  /** Whether the text tells a time: "yesterday", "in May", "2019", "at 9:30", "14 days". */
  readonly tellsTime: boolean;
  /** Whether the text names a day that the question asks about. */
  readonly namesDay: boolean;
  /** The number of words in the text. */
  readonly words: number;
  /** When it was said, epoch milliseconds. */
  readonly createdAt: number;
}

/** A memory that may answer the question, as it was when the candidates were retrieved. */
export interface Candidate {
  readonly stored: StoredMemory;
  /** Keys of the entities that connect it with other memories, at the moment at which it is asked; a derived memory has none of its own. */
  readonly entityKeys: readonly string[];
  readonly evidence: Evidence;
}

/** How a question weighs evidence: of what cannot be among the best, a store need not measure all. */
export interface Weighing {
  /** The score of a memory; a higher window or near share never lowers it. */
  readonly score: (evidence: Evidence) => number;
  /** Figures of which the highest among all candidates counts, whatever its score; a higher share never lowers them either. */
  readonly figures: readonly ((evidence: Evidence) => number)[];
  /** The store keeps each candidate that may score as much as the best so many, or less by no more than the margin. */
  readonly places: number;
  readonly margin: number;
  /** It keeps what follows each of the best so many in its thread too: it may be the reply. */
  readonly replied: number;
  /** And what was said after each of the best so many of something that it names: it may tell what has changed. */
  readonly mentioned: number;
}

/** Says how candidates are weighed, from the figures that all of them share. */
export type Weigh = (about: Pick<Retrieved, 'bestTurn' | 'speakerShare' | 'hasVectors'>) => Weighing;

/** Candidates that the store left out. */
export interface LeftOut {
  /** The most that any of them may score. */
  readonly score: number;
  /** The highest of each figure among all candidates, the others too; at least 0. */
  readonly figures: readonly number[];
}

/** A candidate that was said after another one and takes up what that tells. */
export interface LaterMention {
  /** Among the candidates. */
  readonly index: number;
  /** Whether it names something that the other one names and few memories do. */
  readonly isNamed: boolean;
  /** How many words it has in common with the other one that hardly any other memory has. */
  readonly words: number;
}

/** The answer of the store to a question. */
export interface Retrieved {
  /** The candidates with their exact evidence, in no order. */
  readonly candidates: readonly Candidate[];
  /** null: none was left out. */
  readonly leftOut: LeftOut | null;
  /** The highest turn share among all that the caller sees: how far the question's words can be trusted, 0..~1. */
  readonly bestTurn: number;
  /** The share of the visible memories that the speaker in the question said, 0..1; 1 where it names none or several. */
  readonly speakerShare: number;
  /** Whether there are vectors, so that cosines mean anything. */
  readonly hasVectors: boolean;
  /** What was said after a candidate and takes up what it tells. For one that is among the best by words or by meaning, all of it. */
  laterMentions(candidate: Candidate): readonly LaterMention[];
  /** Cosine of two of these candidates with each other; 0 where one has no vector. */
  likeness(a: Candidate, b: Candidate): number;
  /**
   * Cosines of these candidates, which all have vectors, with each other: of the first one with each, then of the second one, and so
   * on; -Infinity of one with itself.
   */
  likenesses(candidates: readonly Candidate[]): Float64Array;
  /** Cosine of another vector of the question with the nearest chunk of one of these candidates, at least 0. */
  cosineWith(vector: Float32Array, candidate: Candidate): number;
}
