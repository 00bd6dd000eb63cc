import { type Clock, UnavailableError } from '@agent-faculties/service-kit';
import type { Degradation, Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import type { Consolidator } from '../domain/consolidation/consolidator.ts';
import type { ContradictionStore } from '../domain/contradictions/contradiction-store.ts';
import type { ContradictionFinder } from '../domain/contradictions/find-contradictions.ts';
import type { VectorBacklog } from '../domain/embedding/catch-up.ts';
import type { TextEmbedding } from '../domain/embedding/text-embedding.ts';
import type { MemoryStore } from '../domain/memory/memory-store.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import { NOBODY } from '../domain/memory/visibility.ts';
import { consolidationFigures } from './consolidation.ts';

export interface HealthDeps {
  readonly clock: Clock;
  readonly version: string;
  /** When the process started, epoch milliseconds. */
  readonly startedAt: number;
  readonly store: MemoryStore & Pick<ContradictionStore, 'waitingCount'> & VectorBacklog;
  readonly persistence: Persistence;
  readonly embedding: TextEmbedding;
  readonly finder: Pick<ContradictionFinder, 'modelId' | 'isReady'>;
  readonly consolidator: Consolidator;
  /** Epoch milliseconds; null when nothing is scheduled. */
  readonly nextRunAt: () => number | null;
  readonly webhooks: {
    readonly figures: { readonly configured: number; readonly failing: number; readonly gone: number };
  };
}

const MODEL_IS_STARTING = 'The embedding model is starting again: retry in a moment.';

/** What the service works without: without vectors it recalls by words and names; with a disk that refuses writes it recalls what it has. */
export function degradations({ persistence, embedding }: Pick<HealthDeps, 'persistence' | 'embedding'>): Degradation[] {
  const { refusal } = persistence.state();
  return [
    ...(refusal === null ? [] : [{ code: 'storage_unavailable', detail: refusal }]),
    ...(embedding.isReady() ? [] : [{ code: 'not_ready', detail: MODEL_IS_STARTING }]),
  ];
}

export function healthHandlers(deps: HealthDeps): Pick<Handlers<operations>, 'getHealth'> {
  const { clock, version, startedAt, store, persistence, finder } = deps;
  return {
    getHealth: async () => {
      const embedding = await embeddingView(deps);
      if (!embedding.ready) {
        throw new UnavailableError(MODEL_IS_STARTING, {
          code: 'not_ready',
          extra: { embedding },
        });
      }
      const counts = await store.counts(NOBODY);
      const memories = [...counts.values()].reduce((total, { episodic, semantic }) => total + episodic + semantic, 0);
      const { dataDir, refusal, vectorsIn } = persistence.state();
      const body = {
        status: 'ok' as const,
        version,
        // The clock may have been set back; the time is never negative.
        uptime_seconds: Math.max(0, Math.round(clock.now() - startedAt) / 1000),
        memories,
        vectors: await store.publicVectorCount(),
        embedding,
        contradictions: { model: finder.modelId, ready: finder.isReady(), pending: await store.waitingCount(NOBODY) },
        // Bytes, changes and saves would tell about PRIVATE memories. Only the metrics have them, for operators.
        persistence: { data_dir: dataDir, refusal, vectors_in: vectorsIn },
        consolidation: consolidationFigures({ consolidator: deps.consolidator, nextRunAt: deps.nextRunAt }),
        webhooks: deps.webhooks.figures,
      };
      return { status: 200, body };
    },
  };
}

async function embeddingView({ embedding, store }: Pick<HealthDeps, 'embedding' | 'store'>) {
  const { model } = embedding;
  return {
    model: model?.id ?? null,
    dimension: model?.dimension ?? 0,
    ready: embedding.isReady(),
    pending: await store.withoutVectorsCount(NOBODY),
  };
}
