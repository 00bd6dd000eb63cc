import type { EntityLinks } from '../cognition/entity-links.ts';
import type { MemoryFilter, StoredMemory } from '../memory/memory-store.ts';
import type { StageTimer } from '../memory/stage-timer.ts';
import type { Retrieved } from './evidence.ts';
import type { Question } from './question.ts';
import type { SpeakerNames } from './speaker-names.ts';

/** Finds what may answer a question. */
export interface RecallStore extends EntityLinks {
  /** Names of those who spoke in memories that the caller sees, to be looked up without asking the store again. */
  knownSpeakers(callerAgentId: string): Promise<SpeakerNames>;
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
  /** Whether any memory was derived from others. */
  hasDerived(): Promise<boolean>;
  /** Of each of these memories that has any: the memories derived from it, as far as they fit the filter. */
  standInsFor(ids: readonly string[], filter: MemoryFilter): Promise<ReadonlyMap<string, readonly StoredMemory[]>>;
}
