export type { DownloadProgress } from './download-model.ts';
export type { Embedder } from './embedder.ts';
export {
  EmbedderBusyError,
  EmbedderStoppedError,
  EmbeddingFailedError,
  ModelUnavailableError,
} from './embedder-errors.ts';
export type { TextRole } from './embedding-settings.ts';
export { defaultModelDir, MULTILINGUAL } from './model-folder.ts';
export { type EmbedderOptions, openEmbedder } from './open-embedder.ts';
export { openNliScorer } from './open-nli-scorer.ts';
export { openPairScorer } from './open-pair-scorer.ts';
export type { PairScorer } from './pair-scorer.ts';
export { threadsAtRest } from './worker-thread.ts';
