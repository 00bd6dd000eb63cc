import type { Embedder } from '@agent-faculties/embeddings';
import {
  type Clock,
  createServiceApp,
  type IdSource,
  type Logger,
  loadSpec,
  type Metrics,
} from '@agent-faculties/service-kit';
import type { Express } from 'express';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import { Priming } from './domain/cognition/priming.ts';
import { WorkingMemory } from './domain/cognition/working-memory.ts';
import { KeyedLock } from './domain/keyed-lock.ts';
import { NO_EMBEDDING, textEmbedding } from './domain/text-embedding.ts';
import { conversationHandlers } from './http/conversation.ts';
import { dashboard } from './http/dashboard.ts';
import { healthHandlers } from './http/health.ts';
import { managementHandlers } from './http/management.ts';
import { memoryHandlers } from './http/memories.ts';
import { transferHandlers } from './http/transfer.ts';
import { Jobs } from './jobs/jobs.ts';
import type { OpenStore } from './storage/open-store.ts';

export interface AppDeps {
  readonly config: Pick<Config, 'agentId' | 'bodyLimitBytes' | 'maxMemories' | 'autoSaveSeconds'>;
  readonly opened: OpenStore;
  /** The one that the store was opened for; null: words and entities only. */
  readonly embedder: Embedder | null;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  /** For tests and development. */
  readonly validateResponses: boolean;
}

export interface MemoryApp {
  /** Never listens. */
  readonly app: Express;
  readonly jobs: Jobs;
}

/** Reads that may name all agents; everything else belongs to one. */
const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set(['listMemories'] as const);

/** Joins the parts. */
export function createApp({ config, opened, embedder, version, ...kit }: AppDeps): MemoryApp {
  const { clock, ids, log } = kit;
  const { store, indexes, persistence } = opened;
  const embedding = embedder ? textEmbedding({ embedder, log }) : NO_EMBEDDING;
  const workingMemory = new WorkingMemory();
  const priming = new Priming({ entities: indexes.entities });
  const locks = new KeyedLock();
  const jobs = new Jobs({ persistence, waiting: indexes, embedding, log }, config);
  const onRemoved = (removed: readonly string[]) => {
    for (const id of removed) workingMemory.forget(id);
    jobs.saveAfterDelete();
  };
  const embeddingState = () => ({
    model: embedder?.modelId ?? null,
    dimension: embedder?.dimension ?? 0,
    ready: embedder?.isReady() ?? true,
    pending: indexes.pendingCount,
  });
  const app = createServiceApp<operations>({
    ...kit,
    spec: loadSpec(new URL('../openapi.yaml', import.meta.url)),
    handlers: {
      ...conversationHandlers({
        clock,
        ids,
        store,
        embedding,
        locks,
        workingMemory,
        priming,
        modelKind: embedder?.kind ?? 'contextual',
        maxMemories: config.maxMemories,
      }),
      ...memoryHandlers({ clock, store, embedding, locks, onRemoved }, { defaultAgentId: config.agentId }),
      ...managementHandlers({ store, persistence }),
      ...transferHandlers({
        clock,
        store,
        locks,
        maxMemories: config.maxMemories,
        model: embedder && { id: embedder.modelId, dimension: embedder.dimension },
        onWithoutVectors: () => jobs.makeVectors(),
      }),
      getDashboard: dashboard.getDashboard,
      ...healthHandlers({
        clock,
        version,
        store,
        persistence,
        embeddingState,
        publicVectors: () => indexes.publicVectors,
      }),
    },
    defaultAgentId: config.agentId,
    bodyLimitBytes: config.bodyLimitBytes,
    allowAnyAgent: ANY_AGENT_OPERATIONS,
    mount: dashboard.mount,
  });
  return { app, jobs };
}
