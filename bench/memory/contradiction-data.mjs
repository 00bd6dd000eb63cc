// Reads labelled pairs of memories and scores them with the code and models of the service.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { judge } from '../../apps/memory-service/dist/domain/contradictions/pairs/judge.js';
import { promisingPairs } from '../../apps/memory-service/dist/domain/contradictions/pairs/promising-pairs.js';
import { statementsOf } from '../../apps/memory-service/dist/domain/contradictions/statements/statement.js';
import { openNliScorer, openPairScorer } from '../../packages/embeddings/dist/index.js';

/** @returns [{id, a, b, contradicts, kind}], a and b with content, role, agent_id, and where they are memories timestamp */
export function readPairs(path) {
  return readLines(path).map(({ label, a, b, ...pair }, i) => ({
    id: String(i),
    ...pair,
    a: memoryOf(a, 'one'),
    b: memoryOf(b, 'other'),
    contradicts: label === 'contradiction',
  }));
}

/** Training pairs have only texts. They become memories of two agents that talk about one user. */
function memoryOf(side, agent) {
  return typeof side === 'string' ? { content: side, role: 'user', agent_id: agent } : side;
}

export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Reads lines `{"id": ..., "score": 0..1}`, such as train.py writes for unseen pairs. */
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
 * Adds to each pair of memories its best pair of statements: `statementPair` (null where the gates reject it), `probability` (null without a model) and
 * `score`. `scores` by id stand in for the scorer.
 */
export async function examine(pairs, /** @type {any} */ { embedder, scorer, scores }) {
  const read = await readTogether(pairs, { embedder, scorer, scores });
  return read.map(({ scoredPairs, ...pair }) => {
    const judged = scoredPairs.map((scored) => ({
      ...scored,
      score: judge(scored.statementPair, scored.probability).score,
    }));
    const surest = judged.sort((x, y) => y.score - x.score)[0] ?? { statementPair: null, probability: null, score: 0 };
    return { ...pair, ...surest };
  });
}

/**
 * Adds to each pair of memories its `cosine` and all its `scoredPairs`: [{statementPair, probability}], empty where the gates reject it. `scores` by id
 * stand in for the scorer.
 */
export async function readTogether(pairs, /** @type {any} */ { embedder, scorer, scores }) {
  const read = [];
  for (const pair of pairs) {
    const [a, b] = await embedder.embed([pair.a.content, pair.b.content]);
    const cosine = dot(a, b);
    const statementPairs = promisingPairs(statementsIn(pair.a), statementsIn(pair.b), cosine).map(
      ({ pair: found }) => found,
    );
    const scoredPairs = scores
      ? statementPairs.map((statementPair) => ({ statementPair, probability: scores.get(pair.id) ?? null }))
      : await withProbabilities(statementPairs, scorer);
    read.push({ ...pair, cosine, scoredPairs });
  }
  return read;
}

/** @returns [{statementPair, probability}], the probability null without a scorer */
export async function withProbabilities(statementPairs, scorer) {
  if (!scorer || statementPairs.length === 0)
    return statementPairs.map((statementPair) => ({ statementPair, probability: null }));
  const probabilities = await scorer.score(statementPairs.map(({ a, b }) => [a.text, b.text]));
  return statementPairs.map((statementPair, i) => ({ statementPair, probability: probabilities[i] }));
}

export function statementsIn({ content, role, name, agent_id: agentId }) {
  return statementsOf(content, { role, name, agentId });
}

export function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
