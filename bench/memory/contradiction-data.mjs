// Reads labelled pairs of memories, and what the service's own code and models make of them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bestPairing } from '../../apps/memory-service/dist/domain/contradictions/find-contradictions.js';
import { statementsOf } from '../../apps/memory-service/dist/domain/contradictions/statements/statement.js';
import { openNliScorer, openPairScorer } from '../../packages/embeddings/dist/index.js';

/** @returns [{id, a, b, contradicts, kind}], a and b with agent_id, role, content, timestamp */
export function readPairs(path) {
  return readLines(path).map(({ label, ...pair }) => ({ ...pair, contradicts: label === 'contradiction' }));
}

export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Lines `{"id": ..., "score": 0..1}`, such as train.py writes for pairs that it has not learned from. */
export function readScores(path) {
  return new Map(readLines(path).map(({ id, score }) => [id, score]));
}

/** @param model bundled, a folder, or none @returns null for none */
export async function openScorer(model) {
  return model === 'none' ? null : await openPairScorer({ model });
}

/** @param model a folder; null without one */
export async function openConfirmer(model) {
  return model === undefined ? null : await openNliScorer({ model: resolve(model), offline: true });
}

/**
 * Each pair with `pairing` (null where the gates hold it back) and `probability` (null without a model).
 * @param scores by id, in place of the scorer
 */
export async function examine(pairs, { embedder, scorer, scores }) {
  const examined = [];
  for (const pair of pairs) {
    const [a, b] = await embedder.embed([pair.a.content, pair.b.content]);
    const cosine = a.reduce((sum, value, i) => sum + value * b[i], 0);
    const best = bestPairing(statementsOf(pair.a.content, pair.a), statementsOf(pair.b.content, pair.b), cosine);
    examined.push({ ...pair, cosine, pairing: best?.pairing ?? null, probability: await probabilityOf(pair, best) });
  }
  return examined;

  async function probabilityOf({ id }, best) {
    if (scores) return scores.get(id) ?? null;
    if (!scorer || !best) return null;
    const [probability] = await scorer.score([[best.pairing.a.text, best.pairing.b.text]]);
    return probability;
  }
}
