import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModelUnavailableError } from './embedder-errors.ts';
import { MODEL_FILES } from './model-files.ts';
import { modelFileIn } from './model-folder.ts';
import type { EmbedderLog } from './open-embedder.ts';
import type { PairScorer } from './pair-scorer.ts';
import { startPairScorer } from './worker-pair-scorer.ts';

const BUNDLED = 'bundled';
/** What tells a pair model from a model for other things. */
const SETTINGS = 'pair.json';
const BUNDLED_FOLDER = fileURLToPath(new URL('../models/contradiction-minilm', import.meta.url));

export interface PairScorerOptions {
  /** `bundled`, or a folder with the ONNX file, tokenizer.json, tokenizer_config.json and pair.json (`{"maxTokens": 160}`). */
  readonly model: string;
  readonly log?: Pick<EmbedderLog, 'warn'> | undefined;
  /** Milliseconds on a clock that never jumps. */
  readonly now?: (() => number) | undefined;
}

/**
 * Starts the worker of a cross-encoder for pairs of texts, and waits until it answers.
 * @throws ModelUnavailableError when there is no such model or its files cannot be used
 */
export async function openPairScorer({ model, log, now }: PairScorerOptions): Promise<PairScorer> {
  const folder = model === BUNDLED ? BUNDLED_FOLDER : resolve(model);
  const modelFile = modelFileIn(folder);
  if (!modelFile || !existsSync(join(folder, SETTINGS))) {
    throw new ModelUnavailableError(
      `There is no pair model in ${folder}: it needs ${MODEL_FILES.join(' or ')}, tokenizer.json, tokenizer_config.json and ${SETTINGS}.`,
    );
  }
  return startPairScorer({
    model: { folder, modelFile, maxTokens: maxTokensOf(folder), labels: null },
    log,
    now,
    advice: `Replace its files with whole ones, or use ${BUNDLED}.`,
  });
}

function maxTokensOf(folder: string): number {
  const file = join(folder, SETTINGS);
  try {
    const { maxTokens } = JSON.parse(readFileSync(file, 'utf8')) as { maxTokens?: unknown };
    if (Number.isSafeInteger(maxTokens) && (maxTokens as number) > 8) return maxTokens as number;
  } catch (cause) {
    throw new ModelUnavailableError(`${file} cannot be read: ${String(cause)}.`, { cause });
  }
  throw new ModelUnavailableError(`${file}: "maxTokens" must be a whole number above 8.`);
}
