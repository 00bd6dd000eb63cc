import type { EntityLinks } from '../cognition/entity-links.ts';
import type { MemoryFilter, StoredMemory } from '../memory/memory-store.ts';
import type { StageTimer } from '../memory/stage-timer.ts';
import type { Viewer } from '../memory/visibility.ts';
import type { Retrieved, Weigh } from './evidence/evidence.ts';
import type { Question } from './question/question.ts';
import type { SpeakerNames } from './question/speaker-names.ts';
import type { Vocabulary } from './question/spelling.ts';

/** What a caller can name. */
export interface Known {
  readonly speakers: SpeakerNames;
  readonly vocabulary: Vocabulary;
}

/** Finds the memories that may answer a question. */
export interface RecallStore extends EntityLinks {
  /**
   * The speakers and words of memories that the caller sees. Looking one up does not ask the store again; words in the same turn only.
   * @param exceptId id of a memory whose words do not count: it may be the question
   */
  knownTo(viewer: Viewer, exceptId: string | null): Promise<Known>;
  /**
   * Candidates with their evidence: at least `limit`, whenever that many fit the filter.
   * @param vector of the question; null without a model
   * @param namedKeys keys of the entities that the question names and the caller knows
   * @param exceptId id of a memory that is never a candidate
   * @param weigh absent: no candidate is left out
   */
  retrieve(
    question: Question,
    options: {
      vector: Float32Array | null;
      namedKeys: readonly string[];
      filter: MemoryFilter;
      limit: number;
      exceptId: string | null;
      weigh?: Weigh | undefined;
      /** Called when the vectors were searched. */
      markStage?: StageTimer<'vector_search'> | undefined;
    },
  ): Promise<Retrieved>;
  /** Those that fit the filter among the newest `most` memories that were said before an instant, newest first, in batches. */
  newestBefore(
    instant: number,
    options: { filter: MemoryFilter; most: number },
  ): AsyncIterable<readonly StoredMemory[]>;
  /** Whether any memory was derived from others. */
  hasDerived(): Promise<boolean>;
  /** For each of these memories that has any, the memories derived from it that fit the filter. */
  standInsFor(ids: readonly string[], filter: MemoryFilter): Promise<ReadonlyMap<string, readonly StoredMemory[]>>;
}
