import type { EmbeddingSettings, TextRole } from './embedding-settings.ts';

/** The workerData of a worker. */
interface ModelFiles {
  /** Absolute path of a folder with tokenizer.json and tokenizer_config.json. */
  readonly folder: string;
  /** The ONNX file, relative to the folder. */
  readonly modelFile: string;
  /** Threads that one run of the model uses. */
  readonly threads: number;
}

export interface WorkerModel extends ModelFiles {
  readonly settings: EmbeddingSettings;
}

export interface PairWorkerModel extends ModelFiles {
  /** Tokens of both texts of a pair together, special ones included. */
  readonly maxTokens: number;
  /** Null for a model with one output, the logit. */
  readonly labels: NliLabels | null;
}

/** The outputs of a model for natural language inference. */
export interface NliLabels {
  /** The place of the label "contradiction". */
  readonly contradiction: number;
  readonly count: number;
}

/** The worker's first message. */
export type StartReply =
  | { readonly dimension: number; readonly fingerprint: string; readonly failure?: undefined }
  | { readonly failure: string };

/** What the worker is asked; the role is that of all texts, and two texts to score as a pair have none. */
export interface Turn {
  readonly texts: readonly string[];
  readonly role: TextRole;
}

/** The vectors of a turn, one after the other. */
export type TurnReply = { readonly vectors: Float32Array; readonly failure?: undefined } | { readonly failure: string };
