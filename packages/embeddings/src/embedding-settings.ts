import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelUnavailableError } from './embedder-errors.ts';

/** contextual: the model reads words in their context; static: it adds up one fixed vector per token, which is faster and coarser. */
export type ModelKind = 'contextual' | 'static';

/**
 * What a text is to be compared as: one that is stored, a question about such texts, or a question of which is to be judged whether
 * a stored text answers it. Most models make no difference.
 */
export type TextRole = 'stored' | 'question' | 'answerable';

/** How the output of a model becomes a vector. Belongs to the model, in embedding.json beside it. */
export interface EmbeddingSettings {
  /** The mean over all tokens, or the first one; a model whose graph gives one vector per text needs 'cls'. */
  readonly pooling: 'mean' | 'cls';
  /** Tokens that the model reads, its special ones included. */
  readonly maxTokens: number;
  /** Whether a text's vector depends on the texts beside it, as with activations quantised per batch. Such a model gets one text at a time. */
  readonly batchDependent: boolean;
  /** Whether the model reads words in their context, or adds up one fixed vector for each token. */
  readonly kind: ModelKind;
  /** What the model was trained to read before a text of each role, if anything. */
  readonly prefixes?: Readonly<Record<'stored' | 'question', string>>;
  /** The ONNX file, relative to the folder, whose vectors of questions are near to what answers them and to nothing else; absent: none. */
  readonly answerModel?: string;
}

export interface SettingsOrigin {
  readonly settings: EmbeddingSettings;
  /** The origin of the settings, for the log. */
  readonly origin: string;
}

/** The limit of the BERT family, for a model that names none. */
const USUAL_MAX_TOKENS = 512;

type Json = Readonly<Record<string, unknown>>;

/**
 * embedding.json if the folder has one, else the files of sentence-transformers, else the mean over tokens and the tokenizer's limit.
 * @throws ModelUnavailableError when a file cannot be read or asks for what is not supported
 */
export function readEmbeddingSettings(folder: string): SettingsOrigin {
  const own = readJson(folder, 'embedding.json');
  if (own) return { settings: fromEmbeddingJson(own, folder), origin: 'embedding.json' };
  const pooling = readJson(folder, '1_Pooling/config.json');
  return {
    settings: {
      pooling: pooling ? fromSentenceTransformers(pooling, folder) : 'mean',
      maxTokens: tokenLimit(folder),
      batchDependent: true,
      kind: 'contextual',
    },
    origin: pooling ? '1_Pooling/config.json' : 'defaults (no embedding.json and no 1_Pooling/config.json)',
  };
}

function fromEmbeddingJson(json: Json, folder: string): EmbeddingSettings {
  const { pooling, normalize, maxTokens, batchDependent, kind, prefixes, answerModel } = json;
  const refuse = (fault: string) => new ModelUnavailableError(`embedding.json in ${folder}: ${fault}.`);
  if (pooling !== 'mean' && pooling !== 'cls') throw refuse('"pooling" must be "mean" or "cls"');
  if (normalize !== true) throw refuse('"normalize" must be true, because vectors are compared by their cosine');
  if (!isTokenCount(maxTokens)) throw refuse('"maxTokens" must be a whole number above 2');
  if (typeof batchDependent !== 'boolean') throw refuse('"batchDependent" must be true or false');
  if (kind !== 'contextual' && kind !== 'static') throw refuse('"kind" must be "contextual" or "static"');
  if (prefixes !== undefined && !arePrefixes(prefixes))
    throw refuse('"prefixes" must hold the texts "stored" and "question"');
  if (answerModel !== undefined && typeof answerModel !== 'string')
    throw refuse('"answerModel" must be the name of a file');
  // Texts of both roles may stand in one batch.
  if (answerModel !== undefined && !batchDependent) throw refuse('"answerModel" needs "batchDependent": true');
  return {
    pooling,
    maxTokens,
    batchDependent,
    kind,
    ...(prefixes && { prefixes }),
    ...(answerModel !== undefined && { answerModel }),
  };
}

function arePrefixes(value: unknown): value is Readonly<Record<'stored' | 'question', string>> {
  const { stored, question } = (value ?? {}) as Json;
  return typeof stored === 'string' && typeof question === 'string';
}

/** Field names of sentence_transformers.models.Pooling. */
function fromSentenceTransformers(json: Json, folder: string): EmbeddingSettings['pooling'] {
  const chosen = Object.keys(json).filter((key) => key.startsWith('pooling_mode_') && json[key] === true);
  if (chosen.length === 1 && chosen[0] === 'pooling_mode_mean_tokens') return 'mean';
  if (chosen.length === 1 && chosen[0] === 'pooling_mode_cls_token') return 'cls';
  throw new ModelUnavailableError(
    `The model in ${folder} pools by ${chosen.join(' and ') || 'an unknown rule'}; only the mean over tokens and the first token are supported. Choose another model.`,
  );
}

/** The smallest limit in the files. A tokenizer without a limit names 1e30. */
export function tokenLimit(folder: string): number {
  const named = [
    readJson(folder, 'sentence_bert_config.json')?.max_seq_length,
    readJson(folder, 'tokenizer_config.json')?.model_max_length,
    readJson(folder, 'config.json')?.max_position_embeddings,
  ];
  const limits = named.filter(isTokenCount);
  return limits.length > 0 ? Math.min(...limits) : USUAL_MAX_TOKENS;
}

/** Two tokens are special ones, so a limit is at least 3. A number above a million means "no limit". */
function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 2 && (value as number) <= 1_000_000;
}

export function readJson(folder: string, file: string): Json | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Json;
  } catch (cause) {
    throw new ModelUnavailableError(`${path} cannot be read (${String(cause)}). Fetch the model's files again.`, {
      cause,
    });
  }
}
