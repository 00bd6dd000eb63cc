export type { DownloadProgress, OnDownloadProgress } from './download-model.ts';
export type { Embedder } from './embedder.ts';
export {
  EmbedderBusyError,
  EmbedderStoppedError,
  EmbeddingFailedError,
  ModelUnavailableError,
} from './embedder-errors.ts';
export type { ModelKind } from './embedding-settings.ts';
export { defaultModelDir } from './model-folder.ts';
export { type EmbedderLog, type EmbedderOptions, openEmbedder } from './open-embedder.ts';
export { type NliScorerOptions, openNliScorer } from './open-nli-scorer.ts';
export { openPairScorer, type PairScorerOptions } from './open-pair-scorer.ts';
export type { PairScorer } from './pair-scorer.ts';
