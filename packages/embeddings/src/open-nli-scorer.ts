import { join } from 'node:path';
import { downloadProgress } from './download-progress.ts';
import { ModelUnavailableError } from './embedder-errors.ts';
import { readJson, tokenLimit } from './embedding-settings.ts';
import { defaultModelDir, findModelFolder } from './model-folder.ts';
import type { EmbedderOptions } from './open-embedder.ts';
import type { PairScorer } from './pair-scorer.ts';
import { startPairScorer } from './worker-pair-scorer.ts';
import type { NliLabels } from './worker-protocol.ts';

/** The options of an embedding model; no NLI model is bundled. */
export type NliScorerOptions = Pick<
  EmbedderOptions,
  'model' | 'modelDir' | 'offline' | 'hub' | 'onProgress' | 'log' | 'now'
>;

const LABEL = /^contradict/i;

/**
 * Starts the worker of a model for natural language inference, such as Xenova/nli-deberta-v3-small, and waits until it answers.
 * Only its label "contradiction" is used.
 * @throws ModelUnavailableError when there is no such model, it must not or cannot be downloaded, or it has no such label
 */
export async function openNliScorer(options: NliScorerOptions): Promise<PairScorer> {
  const { model, modelDir = defaultModelDir(), offline, hub, log, now } = options;
  const onProgress = options.onProgress ?? downloadProgress({ stream: process.stderr, log: (line) => log?.info(line) });
  const { folder, modelFile } = await findModelFolder({ model, modelDir, offline, hub, onProgress });
  return startPairScorer({
    model: { folder, modelFile, maxTokens: tokenLimit(folder), labels: labelsOf(folder) },
    log,
    now,
    advice: 'Replace its files with whole ones, choose another model, or leave it out.',
  });
}

/** By `id2label` of the model's config.json. */
function labelsOf(folder: string): NliLabels {
  const labels = Object.entries((readJson(folder, 'config.json')?.id2label ?? {}) as Record<string, unknown>);
  const found = labels.find(([, label]) => LABEL.test(String(label)));
  if (found) return { contradiction: Number(found[0]), count: labels.length };
  throw new ModelUnavailableError(
    `${join(folder, 'config.json')} names no label "contradiction" in id2label: choose a model for natural language inference.`,
  );
}
