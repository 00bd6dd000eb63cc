#!/usr/bin/env node
// Measures what each part of recall contributes: the same questions with one part changed at a time. It runs the modules of the
// service in this process, so that the vectors are computed once.
//   node bench/memory/recall-ablation.mjs --data LOCOMO_FILE --team TEAM_FILE [--models accurate,fast,none] [--cache FOLDER]
// For the last table, the questions of each conversation are asked of all other conversations.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUSION_WEIGHTS, fuse } from '../../apps/memory-service/dist/domain/recall/evidence/fusion.js';
import { readQuestion } from '../../apps/memory-service/dist/domain/recall/question/question.js';
import { relevanceJudge } from '../../apps/memory-service/dist/domain/recall/relevance/relevance.js';
import { EvidenceIndex } from '../../apps/memory-service/dist/search/evidence-index.js';
import { VectorMatrix } from '../../apps/memory-service/dist/search/vectors/vector-matrix.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table, title } from '../lib/markdown.mjs';
import { readRecallData } from './recall-data.mjs';
import { openModel } from './store.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    data: { type: 'string' },
    team: { type: 'string' },
    models: { type: 'string', default: 'accurate,fast,none' },
    cache: { type: 'string' },
  },
});
if (!values.data || !values.team) {
  console.error('Say what to measure on: --data LOCOMO_FILE --team TEAM_FILE');
  process.exit(2);
}

const KS = [5, 10, 25, 50];
const TEAM_KS = [1, 5, 10, 25];
const VECTOR_CANDIDATES = 200;
const DAY_MS = 86_400_000;
const KIND = { accurate: 'contextual', fast: 'static', none: 'none' };

const without = (part) => ({ name: `without ${part}`, weights: { [part]: 0 } });
const only = (weights) => ({
  ...Object.fromEntries(Object.keys(FUSION_WEIGHTS.none).map((part) => [part, 0])),
  ...weights,
});
/** Each changes one part: a weight, the evidence, the embedded text, or the session of a message. */
const VARIANTS = [
  { name: 'everything' },
  { name: 'words of the turn alone', weights: only({ turn: 1 }) },
  { name: 'meaning alone', weights: only({ meaning: 1 }), vectorsOnly: true },
  { name: 'meaning alone, unmixed', weights: only({ meaning: 1 }), change: unmixed, vectorsOnly: true },
  {
    name: 'meaning alone, unmixed, names left',
    weights: only({ meaning: 1 }),
    change: unmixed,
    names: true,
    vectorsOnly: true,
  },
  // This run has no entity index.
  ...Object.keys(FUSION_WEIGHTS.none)
    .filter((part) => part !== 'entity')
    .map(without),
  { name: 'names left in the question', names: true, vectorsOnly: true },
  { name: 'vectors unmixed', change: unmixed, vectorsOnly: true },
  { name: 'words always fully trusted', trust: 1 },
  { name: 'every thread taken for coherent', change: () => ({ coherence: 1 }), vectorsOnly: true },
  { name: 'no thread taken for coherent', change: () => ({ coherence: 0 }) },
  { name: 'sessions unknown', sessions: false },
  { name: 'every memory a candidate', candidates: Number.POSITIVE_INFINITY },
];

function unmixed({ cosine }) {
  return { mixedCosine: cosine };
}

for (const model of values.models.split(',')) {
  const vectorsOf = await embedding(model);
  const conversations = readRecallData(values.data);
  const [team] = readRecallData(values.team);
  title(`Embedding model ${model}`);
  const rows = [];
  for (const variant of VARIANTS) {
    if (model === 'none' && variant.vectorsOnly) continue;
    const measure = async (store, ks) => {
      const index = await indexOf(store, { vectorsOf, sessions: variant.sessions ?? true });
      return answers(index, store.questions, { vectorsOf, model, variant, ks });
    };
    const folds = [];
    for (const store of conversations) folds.push(await measure(store, KS));
    const ofTeam = await measure(team, TEAM_KS);
    const kind = (name) => ofTeam.filter((answer) => answer.kind === name);
    rows.push([
      variant.name,
      slashed(KS, folds.flat()),
      folds.map((fold) => percent(mean(fold.map(({ recall }) => recall[0])))).join(' '),
      slashed(TEAM_KS, kind('paraphrase')),
      percent(mean(kind('keyword').map(({ recall }) => recall[0]))),
    ]);
  }
  table(['', 'R@5/10/25/50', 'R@5 by conversation', 'team, paraphrases: R@1/5/10/25', 'keywords: R@1'], rows);
  await silence(conversations, { vectorsOf, model });
  await vectorsOf.close();
}

/** For each store, the evidence kept in the context for its own questions, and the empty contexts for questions of other stores. */
async function silence(conversations, { vectorsOf, model }) {
  const rows = [];
  for (const store of conversations) {
    const index = await indexOf(store, { vectorsOf, sessions: true });
    const about = { vectorsOf, model, variant: {}, ks: [10] };
    const own = await answers(index, store.questions, about);
    const others = conversations.filter((other) => other !== store).flatMap(({ questions }) => questions);
    const foreign = await answers(index, others, about);
    const sum = (field) => own.reduce((total, answer) => total + answer[field], 0);
    rows.push([
      store.name,
      percent(sum('kept') / sum('found')),
      mean(own.map(({ shown }) => shown)).toFixed(1),
      percent(foreign.filter(({ shown }) => shown === 0).length / foreign.length),
      percent(foreign.filter(({ high }) => high === 0).length / foreign.length),
    ]);
  }
  console.log();
  table(
    [
      'asked of',
      'evidence in the first 10 that stays',
      'answers that stay',
      "others' questions: none stays",
      'none is high',
    ],
    rows,
  );
}

async function indexOf(store, { vectorsOf, sessions }) {
  const matrix = new VectorMatrix({ dimension: vectorsOf.dimension, maximumRows: store.messages.length });
  const index = new EvidenceIndex({ vectors: vectorsOf.dimension > 1 ? matrix : null });
  const vectors = await vectorsOf(store.messages.map(({ body }) => body.content));
  store.messages.forEach(({ agent, body }, ordinal) => {
    /** @type {import('../../apps/memory-service/dist/search/lexical/text-reading.js').IndexedMemory} */
    const memory = {
      agentId: agent,
      sessionId: sessions ? body.session_id : 'one',
      scope: 'TEAM',
      role: body.role ?? null,
      project: null,
      createdAt: Date.parse(body.timestamp),
      text: body.content,
      speaker: body.name ?? null,
      tags: [],
    };
    index.add(ordinal, memory, vectors ? { first: matrix.append(vectors[ordinal]), count: 1 } : null);
  });
  return { index, matrix, store };
}

async function answers({ index, matrix, store }, questions, { vectorsOf, model, variant, ks }) {
  const agent = store.messages[0].agent;
  const speakers = index.knownSpeakers({ agentId: agent, project: null });
  const now = Math.max(...store.messages.map(({ body }) => Date.parse(body.timestamp))) + DAY_MS;
  const read = questions.map(({ query }) => readQuestion(query, { speakers, now }));
  const vectors = await vectorsOf(read.map(({ text, denseText }) => (variant.names ? text : denseText)));
  const weights = { ...FUSION_WEIGHTS[KIND[model]], ...variant.weights };
  return questions.map(({ kind, evidence }, i) => {
    const vector = vectors?.[i] ?? null;
    const all = variant.candidates ?? 0;
    const request = {
      viewer: { agentId: agent, project: null },
      vector,
      entityHits: new Map(),
      limit: Math.min(Math.max(50, all), matrix.maximumRows),
    };
    const vectorRows = vector ? nearest(matrix, vector, Math.max(VECTOR_CANDIDATES, all)) : [];
    const { evidence: found, likeness, likenesses, ...of } = index.search.find(read[i], { ...request, vectorRows });
    const likenessOf = {
      likeness: (a, b) => likeness(a.evidence, b.evidence),
      likenesses: (candidates) => likenesses(candidates.map(({ evidence }) => evidence)),
    };
    const storedAt = (ordinal) => {
      const { content } = store.messages[ordinal].body;
      return { memory: { content, gist: content, gistEdited: false } };
    };
    const retrieved = {
      ...of,
      ...likenessOf,
      candidates: found.map((one) => ({ evidence: one, stored: storedAt(one.ordinal) })),
    };
    const candidates = found.map((one) => ({ evidence: { ...one, ...variant.change?.(one) } }));
    const changed = { ...retrieved, candidates, bestTurn: variant.trust ?? retrieved.bestTurn };
    const { scores } = fuse(read[i], changed, weights);
    const order = scores.map((_, place) => place).sort((a, b) => scores[b] - scores[a]);
    const ranked = order.map((place) => {
      const { ordinal } = candidates[place].evidence;
      return { place, key: store.messages[ordinal].key };
    });
    return {
      kind,
      recall: ks.map((k) => share(ranked.slice(0, k), evidence)),
      ...judged(ranked, {
        relevanceOf: relevanceJudge(
          { question: read[i], retrieved, answerable: null, isAboutStrangers: false },
          scores,
          KIND[model],
        ),
        evidence,
      }),
    };
  });
}

function judged(ranked, { relevanceOf, evidence }) {
  const first = ranked
    .slice(0, 10)
    .map(({ key, place }) => ({ isEvidence: evidence.includes(key), relevance: relevanceOf(place) }));
  const shown = first.filter(({ relevance }) => relevance !== 'low');
  return {
    found: first.filter(({ isEvidence }) => isEvidence).length,
    kept: shown.filter(({ isEvidence }) => isEvidence).length,
    shown: shown.length,
    high: shown.filter(({ relevance }) => relevance === 'high').length,
  };
}

function share(first, evidence) {
  const keys = new Set(first.map(({ key }) => key));
  return evidence.filter((key) => keys.has(key)).length / evidence.length;
}

function nearest(matrix, vector, count) {
  const rows = Array.from({ length: matrix.length }, (_, row) => ({ row, cosine: matrix.dot(vector, row) }));
  return rows
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, count)
    .map(({ row }) => row);
}

/** Vectors of texts, each computed once; null without a model. */
async function embedding(model) {
  if (model === 'none') return Object.assign(async () => null, { dimension: 1, close: async () => {} });
  const embedder = await openModel(model);
  const known = new Map();
  const folder = values.cache && join(values.cache, embedder.modelId.replace(/\W+/g, '-'));
  if (folder) mkdirSync(folder, { recursive: true });
  const vectorOf = async (text) => {
    const file = folder && join(folder, createHash('sha256').update(text).digest('hex'));
    if (file && existsSync(file)) return new Float32Array(Uint8Array.from(readFileSync(file)).buffer);
    const [vector] = await embedder.embed([text]);
    if (file) writeFileSync(file, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    return vector;
  };
  const vectorsOf = async (texts) => {
    for (const text of texts) if (!known.has(text)) known.set(text, await vectorOf(text));
    return texts.map((text) => known.get(text));
  };
  return Object.assign(vectorsOf, { dimension: embedder.dimension, close: () => embedder.close() });
}

function slashed(ks, some) {
  return ks.map((_, i) => percent(mean(some.map(({ recall }) => recall[i])))).join('/');
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function percent(fraction) {
  return (100 * fraction).toFixed(1);
}
