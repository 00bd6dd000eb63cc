import type { EmbeddingSettings } from './embedding-settings.ts';

/** What the worker is started with (workerData). */
export interface WorkerModel {
  /** Absolute path of a folder with tokenizer.json and tokenizer_config.json. */
  readonly folder: string;
  /** The ONNX file, relative to the folder. */
  readonly modelFile: string;
  readonly settings: EmbeddingSettings;
  /** Threads that one run of the model uses. */
  readonly threads: number;
}

/** The worker's first message. */
export type StartReply =
  | { readonly dimension: number; readonly fingerprint: string; readonly failure?: undefined }
  | { readonly failure: string };

/** The vectors of a turn, one after the other. */
export type TurnReply = { readonly vectors: Float32Array; readonly failure?: undefined } | { readonly failure: string };
