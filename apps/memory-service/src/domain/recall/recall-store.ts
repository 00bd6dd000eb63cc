import type { MemoryFilter, StoredMemory } from '../memory/memory-store.ts';
import type { StageTimer } from '../memory/stage-timer.ts';
import type { Retrieved } from './evidence.ts';
import type { Question } from './question.ts';
import type { SpeakerNames } from './speaker-names.ts';

/** Finds what may answer a question. */
export interface RecallStore {
  /** Names of those who spoke in memories that the caller sees. */
  knownSpeakers(callerAgentId: string): SpeakerNames;
  /**
   * Candidates with what speaks for each: at least `limit`, whenever that many fit the filter.
   * @param vector of the question; null without a model
   * @param namedKeys keys of the entities that the question names and the caller knows
   * @param exceptId never among them
   */
  retrieve(
    question: Question,
    options: {
      vector: Float32Array | null;
      namedKeys: readonly string[];
      filter: MemoryFilter;
      limit: number;
      exceptId: string | null;
      /** Told when the vectors were searched. */
      markStage?: StageTimer<'vector_search'> | undefined;
    },
  ): Promise<Retrieved>;
  /** The memory that a candidate stands for; null when it was deleted meanwhile. */
  candidate(ordinal: number): StoredMemory | null;
  /** Whether anything was gathered from several memories. */
  hasDerived(): boolean;
  /** What was gathered from a memory and others, as far as it fits the filter. */
  derivedCandidates(
    id: string,
    filter: MemoryFilter,
  ): readonly { readonly ordinal: number; readonly stored: StoredMemory }[];
}
