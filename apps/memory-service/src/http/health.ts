import { type Clock, type Handlers, type Shortcoming, UnavailableError } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import type { Consolidator } from '../domain/consolidation/consolidator.ts';
import type { MemoryStore } from '../domain/memory/memory-store.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import { NOBODY } from '../domain/memory/visibility.ts';
import { consolidationFigures } from './consolidation.ts';

export interface EmbeddingState {
  readonly model: string | null;
  readonly dimension: number;
  readonly ready: boolean;
  /** Memories that still wait for a vector, those that are not PRIVATE. */
  readonly pending: number;
}

export interface ComparisonState {
  /** null: by the words alone */
  readonly model: string | null;
  readonly ready: boolean;
  /** Memories that still wait to be compared, those that are not PRIVATE. */
  readonly pending: number;
}

export interface HealthDeps {
  readonly clock: Clock;
  readonly version: string;
  readonly store: MemoryStore;
  readonly persistence: Persistence;
  readonly embeddingState: () => EmbeddingState;
  readonly comparisonState: () => ComparisonState;
  /** Vectors of memories that are not PRIVATE. */
  readonly publicVectors: () => number;
  readonly consolidator: Consolidator;
  /** Epoch milliseconds; null when nothing is scheduled. */
  readonly nextRunAt: () => number | null;
}

const MODEL_IS_STARTING = 'The embedding model is being started again: ask again in a moment.';

/** What the service goes on without: it still recalls by words and names, and from a disk that takes nothing new. */
export function shortcomings({
  persistence,
  embeddingState,
}: Pick<HealthDeps, 'persistence' | 'embeddingState'>): Shortcoming[] {
  const { refusal } = persistence.state();
  return [
    ...(refusal === null ? [] : [{ code: 'storage_unavailable', detail: refusal }]),
    ...(embeddingState().ready ? [] : [{ code: 'not_ready', detail: MODEL_IS_STARTING }]),
  ];
}

export function healthHandlers(deps: HealthDeps): Pick<Handlers<operations>, 'getHealth'> {
  const { clock, version, store, persistence, embeddingState, comparisonState, publicVectors } = deps;
  const startedAt = clock.now();
  return {
    getHealth: async () => {
      const embedding = embeddingState();
      if (!embedding.ready) {
        throw new UnavailableError(MODEL_IS_STARTING, {
          code: 'not_ready',
          extra: { embedding },
        });
      }
      const counts = await store.counts(NOBODY);
      const memories = [...counts.values()].reduce((total, { episodic, semantic }) => total + episodic + semantic, 0);
      const body = {
        status: 'ok' as const,
        version,
        // A clock that was set back must not show a negative time.
        uptime_seconds: Math.max(0, Math.round(clock.now() - startedAt) / 1000),
        memories,
        vectors: publicVectors(),
        embedding,
        contradictions: comparisonState(),
        // Bytes, changes and saves move with what PRIVATE memories do: they stand in the metrics, for operators alone.
        persistence: { data_dir: persistence.state().dataDir, refusal: persistence.state().refusal },
        consolidation: consolidationFigures({ consolidator: deps.consolidator, nextRunAt: deps.nextRunAt }),
      };
      return { status: 200, body };
    },
  };
}
