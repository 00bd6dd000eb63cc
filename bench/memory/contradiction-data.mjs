// Reads labelled pairs of memories, and what the service's own code and models make of them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readingsOf } from '../../apps/memory-service/dist/domain/contradictions/find-contradictions.js';
import { judge } from '../../apps/memory-service/dist/domain/contradictions/judge.js';
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

/** The pairs that the model learns from are texts alone, of two agents that tell of one user. */
function memoryOf(side, agent) {
  return typeof side === 'string' ? { content: side, role: 'user', agent_id: agent } : side;
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
 * Each pair with the surest way to read it: `pairing` (null where the gates hold it back), `probability` (null without a model) and
 * `score`.
 * @param scores by id, in place of the scorer
 */
export async function examine(pairs, { embedder, scorer, scores }) {
  const examined = [];
  for (const pair of pairs) {
    const [a, b] = await embedder.embed([pair.a.content, pair.b.content]);
    const cosine = a.reduce((sum, value, i) => sum + value * b[i], 0);
    const read = readingsOf(statements(pair.a), statements(pair.b), cosine);
    const probabilities = await probabilitiesOf(pair, read);
    const judged = read.map(({ pairing }, i) => {
      const probability = probabilities?.[i] ?? null;
      return { pairing, probability, score: judge(pairing, probability).score };
    });
    const surest = judged.sort((x, y) => y.score - x.score)[0] ?? { pairing: null, probability: null, score: 0 };
    examined.push({ ...pair, cosine, ...surest });
  }
  return examined;

  function statements({ content, role, name, agent_id: agentId }) {
    return statementsOf(content, { role, name, agentId });
  }

  async function probabilitiesOf({ id }, read) {
    if (scores) return read.map(() => scores.get(id) ?? null);
    if (!scorer || read.length === 0) return null;
    return await scorer.score(read.map(({ pairing: { a, b } }) => [a.text, b.text]));
  }
}
