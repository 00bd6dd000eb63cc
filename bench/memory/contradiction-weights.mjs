#!/usr/bin/env node
// Fits the weights of domain/contradictions/pairs/pair-evidence.ts on pairs that the pair model has not learned from.
//   node bench/memory/contradiction-weights.mjs
// Prints the weights and whether pair-evidence.ts has the same ones; then, for each set, precision and recall with these weights and with
// weights fitted on the other sets. It takes no options, so that the weights depend on the files below alone.
import { fileURLToPath } from 'node:url';
import { judge } from '../../apps/memory-service/dist/domain/contradictions/pairs/judge.js';
import { evidenceOf, PAIR_WEIGHTS } from '../../apps/memory-service/dist/domain/contradictions/pairs/pair-evidence.js';
import { promisingPairs } from '../../apps/memory-service/dist/domain/contradictions/pairs/promising-pairs.js';
import {
  DEFAULT_THRESHOLD,
  HIGH_CONFIDENCE,
} from '../../apps/memory-service/dist/domain/contradictions/pairs/thresholds.js';
import { table, title } from '../lib/markdown.mjs';
import {
  dot,
  openScorer,
  readLines,
  readPairs,
  readTogether,
  statementsIn,
  withProbabilities,
} from './contradiction-data.mjs';
import { openModel } from './store.mjs';

const OWN = 'apps/memory-service/test/data/contradictions.jsonl';
const FILLER = 'apps/memory-service/test/data/contradictions-filler.jsonl';
const WRITTEN = 'packages/embeddings/tools/contradiction/pairs';
/**
 * `from`: index of the first pair that is used; the pair model learned from those before it. `counts`: weight of each pair. The
 * many pairs of one form (same-subject) count less, so that they do not outweigh all others. Pairs from a scan count more, because
 * in a store far fewer pairs contradict each other than among labelled pairs.
 */
const SETS = [
  { name: 'own', file: OWN },
  { name: 'mixed', file: `${WRITTEN}/mixed.jsonl` },
  { name: 'notes-and-chats', file: `${WRITTEN}/notes-and-chats.jsonl` },
  { name: 'long-messages, the last 212', file: `${WRITTEN}/long-messages.jsonl`, from: 388 },
  { name: 'same-subject', file: `${WRITTEN}/same-subject.jsonl`, counts: 0.3 },
];
const CROSSED = { name: 'crossed', counts: 2 };
/** The pairs of a memory are chosen as in the service: the most promising ones among its nearest memories. */
const NEAREST = 20;
const PROMISING = 3;

/** The ridge; it keeps weights of rare evidence small. */
const RIDGE = 1.5;
/** Weights that are set by hand and stay fixed during the fit, because the labelled pairs hold no such evidence. */
const BY_HAND = new Set([
  'exclaimed',
  'other_speaker',
  'series',
  'other_subject',
  'own_words',
  'answer',
  'calculation',
  'repeated',
  'told_change',
  'crowded',
  'untyped',
]);
/** Evidence that can only raise a score. All other fitted evidence, such as vetoes, can only lower it. */
const RAISING = new Set(['model', 'value', 'name', 'denial', 'near']);
const KINDS = Object.keys(PAIR_WEIGHTS);
const FITTED = KINDS.filter((kind) => !BY_HAND.has(kind));
/** Rounds of fitting. The best pair of statements of two memories depends on the weights, so each round chooses it again. */
const ROUNDS = 5;
const STEPS = 3_000;
const RATE = 0.7;
const SETTLED = 1e-6;

/** The precision at the usual threshold that has to be reached on the first set, which is the hardest. */
const PRECISION = 0.8;
const CUTS = [DEFAULT_THRESHOLD, HIGH_CONFIDENCE];

const embedder = await openModel('accurate');
const scorer = await openScorer('bundled');
const sets = [];
for (const { name, file, from = 0, counts = 1 } of SETS) {
  const pairs = await readTogether(readPairs(inProject(file)).slice(from), { embedder, scorer });
  sets.push({ name, pairs: pairs.map((pair) => ({ ...withEvidence(pair), counts })) });
}
sets.push({ ...CROSSED, pairs: (await crossed()).map((pair) => ({ ...withEvidence(pair), counts: CROSSED.counts })) });
await scorer.close();
await embedder.close();

const before = fittedOn(sets);
const weights = withBiasLowered(before, sets);
title('Weights');
table(
  ['evidence', 'weight', 'in pair-evidence.ts'],
  KINDS.map((kind) => [kind, weights[kind], PAIR_WEIGHTS[kind]]),
);
console.log(`\nThe fitted bias was ${before.bias}.`);
const isSame = KINDS.every((kind) => weights[kind] === PAIR_WEIGHTS[kind]);
console.log(isSame ? 'pair-evidence.ts has these weights.' : 'pair-evidence.ts has other weights.');
title('What they reach, and what weights fitted on the other sets reach: reported, precision / recall');
table(
  ['set', 'pairs', ...CUTS.map((cut) => `at ${cut}`), ...CUTS.map((cut) => `of the others, at ${cut}`)],
  sets.map((set) => {
    const others = sets.filter(({ name }) => name !== set.name);
    const ofOthers = withBiasLowered(fittedOn(others), others);
    const figures = [weights, ofOthers].flatMap((given) =>
      CUTS.map((cut) => inWords(reportedOf(set.pairs, given, cut))),
    );
    return [set.name, set.pairs.length, ...figures];
  }),
);

function inProject(path) {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

function withEvidence({ contradicts, scoredPairs }) {
  const known = scoredPairs.map(({ statementPair, probability }) => {
    return { statementPair, probability, evidence: evidenceOf(statementPair, probability) };
  });
  return { contradicts, scoredPairs: known };
}

/** Pairs that a scan compares, of memories of different labelled pairs and of the filler: none of them contradicts. */
async function crossed() {
  const memories = [
    ...readPairs(inProject(OWN)).flatMap(({ id, a, b }) => [a, b].map((memory) => ({ ...memory, of: id }))),
    ...readLines(inProject(FILLER)).map((memory, i) => ({ ...memory, of: `filler ${i}` })),
  ];
  const vectors = [];
  for (const { content } of memories) vectors.push(...(await embedder.embed([content])));
  const statements = memories.map(statementsIn);
  const chosen = new Map();
  for (const [at, { agent_id }] of memories.entries()) {
    const nearest = memories
      .map((other, i) => ({ other, pair: [Math.min(at, i), Math.max(at, i)], cosine: dot(vectors[at], vectors[i]) }))
      .filter(({ pair: [first, second] }) => first !== second)
      .sort((x, y) => y.cosine - x.cosine)
      .slice(0, NEAREST);
    const promising = nearest
      .filter(({ other }) => other.agent_id !== agent_id)
      .map(({ pair, cosine }) => ({ pair, read: promisingPairs(statements[pair[0]], statements[pair[1]], cosine) }))
      .filter(({ read }) => read.length > 0)
      .sort((x, y) => y.read[0].promise - x.read[0].promise)
      .slice(0, PROMISING);
    for (const { pair, read } of promising) {
      if (memories[pair[0]].of !== memories[pair[1]].of) chosen.set(pair.join(), read);
    }
  }
  const pairs = [];
  for (const read of chosen.values()) {
    const statementPairs = read.map(({ pair }) => pair);
    pairs.push({ contradicts: false, scoredPairs: await withProbabilities(statementPairs, scorer) });
  }
  return pairs;
}

/** The weights, rounded to hundredths. */
function fittedOn(given) {
  const exact = fitted(given.flatMap(({ pairs }) => pairs).filter(({ scoredPairs }) => scoredPairs.length > 0));
  return Object.fromEntries(KINDS.map((kind) => [kind, inHundredths(exact[kind])]));
}

/** Lowers the bias until the precision is reached on the first set. */
function withBiasLowered(rounded, sets) {
  const [{ pairs }] = sets;
  for (let lowered = 0; ; lowered++) {
    const tried = { ...rounded, bias: inHundredths(rounded.bias - lowered / 100) };
    const { reported, right } = reportedOf(pairs, tried, DEFAULT_THRESHOLD);
    if (right >= PRECISION * reported) return tried;
  }
}

function inHundredths(value) {
  return Math.round(value * 100) / 100;
}

/** Gradient descent on the mean log loss of the best pair of statements of two memories, with a ridge; each weight keeps its sign. */
function fitted(pairs) {
  let current = { ...PAIR_WEIGHTS };
  for (const kind of FITTED) current[kind] = kind === 'model' ? 1 : 0;
  for (let round = 0; round < ROUNDS; round++) {
    const rows = pairs.map(({ scoredPairs, contradicts, counts }) => {
      const sums = scoredPairs.map(({ evidence }) => ({ evidence, sum: logOdds(current, evidence, KINDS) }));
      const { evidence } = sums.sort((x, y) => y.sum - x.sum)[0];
      const fixed = logOdds(current, evidence, [...BY_HAND]);
      return { x: FITTED.map((kind) => evidence[kind]), y: contradicts ? 1 : 0, fixed, counts };
    });
    const values = descended(
      FITTED.map((kind) => current[kind]),
      rows,
    );
    current = { ...current, ...Object.fromEntries(FITTED.map((kind, i) => [kind, values[i]])) };
  }
  return current;
}

function descended(start, rows) {
  const total = rows.reduce((sum, { counts }) => sum + counts, 0);
  let values = start;
  for (let step = 0; step < STEPS; step++) {
    const gradient = values.map((value, i) => (FITTED[i] === 'bias' ? 0 : (RIDGE * value) / total));
    for (const { x, y, fixed, counts } of rows) {
      const error = (counts * (sigmoid(fixed + dot(values, x)) - y)) / total;
      for (let i = 0; i < x.length; i++) gradient[i] += error * x[i];
    }
    const next = values.map((value, i) => held(FITTED[i], value - RATE * gradient[i]));
    const moved = Math.max(...next.map((value, i) => Math.abs(value - values[i])));
    values = next;
    if (moved < SETTLED) break;
  }
  return values;
}

function held(kind, value) {
  if (kind === 'bias') return value;
  return RAISING.has(kind) ? Math.max(0, value) : Math.min(0, value);
}

function logOdds(given, evidence, kinds) {
  return kinds.reduce((sum, kind) => sum + given[kind] * evidence[kind], 0);
}

/** The pairs that the service reports with these weights. */
function reportedOf(pairs, given, cut) {
  const reported = pairs.filter(({ scoredPairs }) =>
    scoredPairs.some(({ statementPair, probability }) => judge(statementPair, probability, given).score >= cut),
  );
  const right = reported.filter(({ contradicts }) => contradicts).length;
  return { reported: reported.length, right, all: pairs.filter(({ contradicts }) => contradicts).length };
}

function inWords({ reported, right, all }) {
  if (all === 0) return String(reported);
  return `${reported}, ${percent(right / (reported || 1))} / ${percent(right / all)}`;
}

function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}

function percent(share) {
  return (100 * share).toFixed(0);
}
