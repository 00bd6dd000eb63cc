#!/usr/bin/env node
// Measures what recall would find if it compared each word of a question with each word of a memory: the vectors of `accurate` for
// single tokens, before their mean is taken. For each token of the question the nearest one of the memory counts, weighted by how
// rare the token is (ColBERT's late interaction: Khattab and Zaharia, 2020). The service keeps no such vectors; this says what they
// would be worth. It runs the modules of the service in this process, without entities.
//   node bench/memory/late-interaction.mjs --data PATH [--weights 0,0.5,1,2]
// PATH as for bench:recall. A weight is that of the nearest tokens, beside all other evidence.
import { fileURLToPath } from 'node:url';
import { splitIntoChunks } from '../../apps/memory-service/dist/domain/embedding/chunks.js';
import { FUSION_WEIGHTS, fuse } from '../../apps/memory-service/dist/domain/recall/evidence/fusion.js';
import { readQuestion } from '../../apps/memory-service/dist/domain/recall/question/question.js';
import { EvidenceIndex } from '../../apps/memory-service/dist/search/evidence-index.js';
import { VectorMatrix } from '../../apps/memory-service/dist/search/vectors/vector-matrix.js';
import { loadTextModel, run } from '../../packages/embeddings/dist/text-model.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table } from '../lib/markdown.mjs';
import { readRecallData } from './recall-data.mjs';

const { values } = commandLine(import.meta.url, {
  options: { data: { type: 'string' }, weights: { type: 'string', default: '0,0.5,1,2' } },
});
if (!values.data) {
  console.error('Say what to measure on: --data PATH');
  process.exit(2);
}

const KS = [1, 5, 10, 25, 50];
const DIMENSION = 384;
const MAX_TOKENS = 256;
const VECTOR_CANDIDATES = 200;
/** The first by all other evidence, among which the nearest tokens are looked for. */
const COMPARED = 120;
const DAY_MS = 86_400_000;

const weights = values.weights.split(',').map(Number);
const model = await loadTextModel({
  folder: fileURLToPath(new URL('../../packages/embeddings/models/all-MiniLM-L6-v2', import.meta.url)),
  modelFile: 'onnx/model_quantized.onnx',
  threads: 1,
});
const answers = [];
for (const store of readRecallData(values.data)) answers.push(...(await asked(store)));
const kinds = ['all', ...new Set(answers.map(({ kind }) => kind))];
table(
  ['questions', 'n', ...weights.map((weight) => `weight ${weight}: recall at ${KS.join(' / ')}`)],
  kinds.map((kind) => {
    const of = answers.filter((answer) => kind === 'all' || answer.kind === kind);
    return [
      kind,
      of.length,
      ...weights.map((_, at) => KS.map((_, k) => mean(of.map((one) => one.recall[at][k]))).join(' / ')),
    ];
  }),
);

async function asked(store) {
  const matrix = new VectorMatrix({ dimension: DIMENSION });
  const index = new EvidenceIndex({ vectors: matrix });
  const texts = [];
  for (const [ordinal, { agent, body }] of store.messages.entries()) {
    const chunks = [];
    for (const chunk of splitIntoChunks(body.content)) chunks.push(await tokensOf(chunk));
    const rows = chunks.map(({ mean }) => matrix.append(mean));
    texts.push(chunks);
    const { session_id: sessionId = null, role = null, name: speaker = null, content: text, timestamp } = body;
    const said = { agentId: agent, sessionId, role, speaker, text, createdAt: Date.parse(timestamp) };
    index.add(ordinal, { ...said, scope: 'TEAM', project: null, tags: [] }, { first: rows[0], count: rows.length });
  }
  const rarity = rarityAmong(texts);
  const centre = centreOf(texts.flat());
  const viewer = { agentId: store.messages[0].agent, project: null };
  const speakers = index.knownSpeakers(viewer);
  const latest = Math.max(...store.messages.map(({ body }) => Date.parse(body.timestamp)));
  const results = [];
  for (const { query, kind, evidence, now } of store.questions.filter(({ evidence }) => evidence.length > 0)) {
    const question = readQuestion(query, { speakers, now: now ? Date.parse(now) : latest + DAY_MS });
    const tokens = await tokensOf(splitIntoChunks(question.denseText)[0]);
    const ranked = candidates(question, { index, matrix, viewer, vector: tokens.mean });
    const near = ranked.map(({ ordinal }) => nearness(tokens, texts[ordinal], { rarity, centre }));
    const recall = weights.map((weight) => {
      const order = ranked.map((one, at) => ({ ...one, score: one.score + weight * near[at] }));
      order.sort((a, b) => b.score - a.score);
      return KS.map((k) =>
        share(
          order.slice(0, k).map(({ ordinal }) => store.messages[ordinal].key),
          evidence,
        ),
      );
    });
    results.push({ kind, recall });
  }
  return results;
}

/** The first by what recall uses now, with their scores. */
function candidates(question, { index, matrix, viewer, vector }) {
  const rows = Array.from({ length: matrix.length }, (_, row) => ({ row, cosine: matrix.dot(vector, row) }));
  const vectorRows = rows
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, VECTOR_CANDIDATES)
    .map(({ row }) => row);
  const request = { viewer, vector, entityHits: new Map(), limit: Math.max(...KS), vectorRows };
  const { evidence: found, likeness, likenesses, ...of } = index.search.find(question, request);
  const retrieved = {
    ...of,
    likeness: (a, b) => likeness(a.evidence, b.evidence),
    likenesses: (some) => likenesses(some.map(({ evidence }) => evidence)),
    candidates: found.map((evidence) => ({ evidence })),
  };
  const { scores } = fuse(question, /** @type {any} */ (retrieved), FUSION_WEIGHTS.contextual);
  const scored = found.map(({ ordinal }, at) => ({ ordinal, score: scores[at] }));
  return scored.sort((a, b) => b.score - a.score).slice(0, COMPARED);
}

/** The mean over the question's tokens of the cosine of the nearest one, in the best chunk; rare tokens count more. */
function nearness(question, chunks, { rarity, centre }) {
  const asked = unitTokens(question, centre);
  const worths = question.ids.slice(1, -1).map(rarity);
  const whole = worths.reduce((sum, worth) => sum + worth, 0) || 1;
  const ofChunk = (chunk) => {
    const told = unitTokens(chunk, centre);
    const nearest = asked.map((one) => told.reduce((best, other) => Math.max(best, dot(one, other)), -1));
    return nearest.reduce((sum, cosine, at) => sum + worths[at] * cosine, 0) / whole;
  };
  return Math.max(...chunks.map(ofChunk));
}

/** Vectors of unit length of the tokens between the marks of beginning and end, less what all tokens have in common. */
function unitTokens(text, centre) {
  text.units ??= text.tokens.slice(1, -1).map((token) => unit(token.map((value, axis) => value - centre[axis])));
  return text.units;
}

async function tokensOf(text) {
  const all = model.encode(text);
  const ids = all.length > MAX_TOKENS ? [...all.slice(0, MAX_TOKENS - 1), all.at(-1)] : all;
  const { last_hidden_state: states } = await run(model.session, [{ ids }]);
  const data = /** @type {Float32Array} */ (states.data);
  const tokens = ids.map((_, at) => data.slice(at * DIMENSION, (at + 1) * DIMENSION));
  return { ids, tokens, mean: unit(sumOf(tokens)), units: null };
}

function rarityAmong(texts) {
  const counts = new Map();
  for (const chunks of texts) {
    for (const id of new Set(chunks.flatMap(({ ids }) => ids))) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (id) => {
    const count = counts.get(id) ?? 0;
    return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
  };
}

function centreOf(chunks) {
  const sum = sumOf(chunks.map(({ tokens }) => sumOf(tokens)));
  const count = chunks.reduce((total, { tokens }) => total + tokens.length, 0);
  return sum.map((value) => value / count);
}

function sumOf(vectors) {
  const sum = new Float32Array(DIMENSION);
  for (const vector of vectors) for (let axis = 0; axis < DIMENSION; axis++) sum[axis] += vector[axis];
  return sum;
}

function unit(vector) {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function dot(a, b) {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += a[axis] * b[axis];
  return sum;
}

function share(keys, evidence) {
  return evidence.filter((key) => keys.includes(key)).length / evidence.length;
}

function mean(shares) {
  return ((100 * shares.reduce((sum, one) => sum + one, 0)) / shares.length).toFixed(1);
}
