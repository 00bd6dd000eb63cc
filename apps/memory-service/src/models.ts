import {
  type Embedder,
  ModelUnavailableError,
  openEmbedder,
  openNliScorer,
  openPairScorer,
  type PairScorer,
} from '@agent-faculties/embeddings';
import type { Logger } from '@agent-faculties/service-kit';
import type { Config } from './config.ts';

const NO_MODEL = 'none';
const BUNDLED_MODEL = 'bundled';

/** Runs a part of the start. If it fails with an error that explains itself, prints the message and ends the process. */
export type Explaining = <T>(work: () => T | Promise<T>) => Promise<T>;

/** The models of a process, each in a thread of its own. Null: there is none of that kind. */
export interface Models {
  /** The one that the store is opened for. */
  readonly embedder: Promise<Embedder | null>;
  /** Says whether two memories contradict each other. */
  readonly pairScorer: Promise<PairScorer | null>;
  /** Confirms what the pair scorer finds. */
  readonly nliScorer: Promise<PairScorer | null>;
}

type ModelConfig = Pick<Config, 'embeddingModel' | 'contradictionModel' | 'nliModel' | 'modelDir' | 'offline'>;

/** Starts to load the models: the embedder first, because the store waits for it, then the others while the store opens. */
export function openModels(
  { embeddingModel, contradictionModel, nliModel, modelDir, offline }: ModelConfig,
  { log, explaining }: { readonly log: Logger; readonly explaining: Explaining },
): Models {
  const lines = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) };
  const options = { modelDir: modelDir ?? undefined, offline, log: lines };
  const opened = async <M>(model: string | null, open: (model: string) => Promise<M>) =>
    model === null || model === NO_MODEL ? null : await explaining(() => open(model));
  const embedder = opened(embeddingModel, (model) => openEmbedder({ ...options, model }));
  return {
    embedder,
    pairScorer: embedder.then(() => opened(contradictionModel, (model) => openContradictionModel(model, lines))),
    nliScorer: embedder.then(() => opened(nliModel, (model) => openNliScorer({ ...options, model }))),
  };
}

/** Without the bundled model the service finds contradictions by rules; a model that was named must be there. */
async function openContradictionModel(
  model: string,
  log: { warn: (message: string) => void },
): Promise<PairScorer | null> {
  try {
    return await openPairScorer({ model, log });
  } catch (error) {
    if (!(error instanceof ModelUnavailableError) || model !== BUNDLED_MODEL) throw error;
    log.warn(`contradictions are found by rules alone: ${error.message}`);
    return null;
  }
}
