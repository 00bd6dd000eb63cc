#!/usr/bin/env node
// Fits the weights of domain/contradictions/judge.ts on labelled pairs that the pair model has not learned from.
//   node bench/memory/contradiction-weights.mjs --pairs FILE,FILE,... [--filler FILE] [--model bundled|FOLDER] [--scores FILE]
// --filler: memories that contradict nothing; what words and meaning bring together of them and of different pairs of the first
// file is learned from too, each counted twice.
// Prints the weights, and for each file what weights fitted on the others reach on it.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { evidenceOf, PAIR_WEIGHTS } from '../../apps/memory-service/dist/domain/contradictions/judge.js';
import { table, title } from '../lib/markdown.mjs';
import { examine, openScorer, readLines, readPairs, readScores } from './contradiction-data.mjs';
import { openModel } from './store.mjs';

const KINDS = Object.keys(PAIR_WEIGHTS);
/** Keeps weights of what is seldom seen small. */
const RIDGE = 1.5;
/** Set by hand, because labelled pairs hold none of these, and held while the others are fitted. */
const BY_HAND = new Set(['exclaimed', 'other_speaker', 'series', 'own_words', 'answer']);
/** Vetoes may only lower a score, a clash only raise it. */
const SIGNS = { bias: 0, model: 1, value: 1, name: 1, near: 1, unshared: -1 };
/** Others that a memory is crossed with. */
const NEAREST = 3;
const STEPS = 2_000;
const RATE = 0.5;
const FLOORS = [0.8, 0.85, 0.9, 0.95];

const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    filler: { type: 'string' },
    model: { type: 'string', default: 'bundled' },
    scores: { type: 'string' },
  },
});
if (!values.pairs) {
  console.error('Say what to fit on: --pairs FILE,FILE');
  process.exit(2);
}
const embedder = await openModel('accurate');
const scorer = await openScorer(values.scores ? 'none' : values.model);
const sets = [];
for (const file of values.pairs.split(',')) {
  const scores = values.scores && readScores(values.scores);
  const pairs = await examine(readPairs(file), { embedder, scorer, scores });
  const seen = pairs.filter(({ pairing, probability }) => pairing && probability !== null);
  const rows = seen.map(({ pairing, probability, contradicts }) => {
    const evidence = evidenceOf(pairing, probability);
    return { x: KINDS.map((kind) => evidence[kind]), y: contradicts ? 1 : 0 };
  });
  const missed = pairs.filter(({ pairing, contradicts }) => contradicts && !pairing).length;
  sets.push({ name: basename(file, '.jsonl'), rows, missed });
}
if (values.filler) {
  const crossed = await examine(await crossPairs(), { embedder, scorer });
  const rows = crossed.flatMap(({ pairing, probability }) => {
    if (!pairing) return [];
    const evidence = evidenceOf(pairing, probability);
    const row = { x: KINDS.map((kind) => evidence[kind]), y: 0 };
    return [row, row];
  });
  sets.push({ name: 'crossed', rows, missed: 0 });
}
await scorer?.close();
await embedder.close();

title('Weights fitted on all');
const all = fitted(sets.flatMap(({ rows }) => rows));
table(
  ['evidence', 'weight'],
  KINDS.map((kind, i) => [kind, all[i].toFixed(2)]),
);
title('Cuts of the score by the weights fitted on all: precision / recall');
const CUTS = [0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9];
table(
  ['file', ...CUTS.map(String)],
  [
    ...sets,
    { name: 'all', rows: sets.flatMap(({ rows }) => rows), missed: sets.reduce((sum, { missed }) => sum + missed, 0) },
  ].map(({ name, rows, missed }) => [
    name,
    ...CUTS.map((cut) => at(ranked(rows, all), cut, positivesOf(rows, missed))),
  ]),
);
title('On each file with weights fitted on the others, and with the model alone: recall at a precision');
table(
  ['file', 'scored by', 'average precision', ...FLOORS.map(String), 'P / R at 0.5', '0.6', '0.75'],
  sets.flatMap(({ name, rows, missed }) => {
    const others = sets.filter((set) => set.name !== name).flatMap((set) => set.rows);
    const model = KINDS.map((kind) => (kind === 'model' ? 1 : 0));
    const ways = [['model alone', model], ...(others.length > 0 ? [['weights', fitted(others)]] : [])];
    return ways.map(([way, weights]) => [name, way, ...figures(rows, weights, missed)]);
  }),
);

/** Each memory of the first file and of the filler with the nearest in meaning that belong to others. */
async function crossPairs() {
  const [first] = values.pairs.split(',');
  const memories = [
    ...readPairs(first).flatMap(({ id, a, b }) => [a, b].map((memory) => ({ ...memory, of: id }))),
    ...readLines(values.filler).map((memory, i) => ({ ...memory, of: `filler ${i}` })),
  ];
  const vectors = await embedder.embed(memories.map(({ content }) => content));
  return memories.flatMap((a, at) => {
    const later = memories.slice(at + 1).map((b, i) => ({ a, b, cosine: dot(vectors[at], vectors[at + 1 + i]) }));
    return later
      .filter(({ b }) => b.of !== a.of && b.agent_id !== a.agent_id)
      .sort((x, y) => y.cosine - x.cosine)
      .slice(0, NEAREST);
  });
}

function figures(rows, weights, missed) {
  const judged = ranked(rows, weights);
  const positives = positivesOf(rows, missed);
  let right = 0;
  const curve = judged.map(({ y }, i) => {
    right += y;
    return { precision: right / (i + 1), recall: right / positives, y };
  });
  const average = curve.reduce((sum, { precision, y }) => sum + y * precision, 0) / positives;
  const recalls = FLOORS.map((floor) =>
    percent(Math.max(0, ...curve.filter(({ precision }) => precision >= floor).map(({ recall }) => recall))),
  );
  return [average.toFixed(3), ...recalls, ...[0.5, 0.6, 0.75].map((cut) => at(judged, cut, positives))];
}

function ranked(rows, weights) {
  return rows.map(({ x, y }) => ({ score: sigmoid(dot(weights, x)), y })).sort((a, b) => b.score - a.score);
}

function positivesOf(rows, missed) {
  return rows.filter(({ y }) => y).length + missed;
}

function at(judged, threshold, positives) {
  const reported = judged.filter(({ score }) => score >= threshold);
  const hits = reported.filter(({ y }) => y).length;
  return `${percent(hits / (reported.length || 1))} / ${percent(hits / positives)}`;
}

/** Gradient descent on the mean log loss with a ridge, each weight held to its sign. */
function fitted(rows) {
  const weights = KINDS.map((kind) => (BY_HAND.has(kind) ? PAIR_WEIGHTS[kind] : kind === 'model' ? 1 : 0));
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, i) => (KINDS[i] === 'bias' ? 0 : (RIDGE * weight) / rows.length));
    for (const { x, y } of rows) {
      const error = sigmoid(dot(weights, x)) - y;
      for (let i = 0; i < x.length; i++) gradient[i] += (error * x[i]) / rows.length;
    }
    for (let i = 0; i < weights.length; i++) {
      if (!BY_HAND.has(KINDS[i])) weights[i] = held(KINDS[i], weights[i] - RATE * gradient[i]);
    }
  }
  return weights;
}

function held(kind, weight) {
  const sign = SIGNS[kind] ?? -1;
  return sign * weight < 0 ? 0 : weight;
}

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}

function percent(share) {
  return (100 * share).toFixed(0);
}
