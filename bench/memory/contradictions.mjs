#!/usr/bin/env node
// Measures precision and recall of contradictions.
//   npm run bench:contradictions -- [--data FOLDER] [--chats FOLDER] [--files dev,train-5] [--model bundled|FOLDER|none] [--nli-model FOLDER] [--scores FILE]
// FOLDER holds labelled pairs, FILE.jsonl: {id, a, b, label, kind}, a and b with agent_id, role, content, timestamp. Where there
// is FILE-filler.jsonl too, all memories go into one store, and each report of its scan is judged.
// --chats: a folder of BEAM chats, or of stores with messages.jsonl. Each goes into a separate store, and its reports at 0.6 are listed
// for reading: once with all messages by the agents that they have, which is one in a chat, and once with those of the user and of the
// assistant by two agents.
// --nli-model: a model that has to confirm each report of the scan.
// --scores: probabilities {id, score} to use instead of those of the model. Figures of files that the model learned from mean
// nothing without them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFAULT_THRESHOLD,
  HIGH_CONFIDENCE,
} from '../../apps/memory-service/dist/domain/contradictions/pairs/thresholds.js';
import { splitIntoChunks } from '../../apps/memory-service/dist/domain/embedding/chunks.js';
import { ALWAYS_VALID, NOT_SUPERSEDED } from '../../apps/memory-service/dist/domain/memory/memory.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { describeMachine, loadAverage, table, title } from '../lib/markdown.mjs';
import { examine, openConfirmer, openScorer, readLines, readPairs, readScores } from './contradiction-data.mjs';
import { readRecallData } from './recall-data.mjs';
import { finderOf, ids, open, openModel } from './store.mjs';

const THRESHOLDS = [0.4, 0.5, DEFAULT_THRESHOLD, 0.7, HIGH_CONFIDENCE, 0.8, 0.9];
/** Characters of each message that a listed report shows. */
const SHOWN = 400;

const { values } = commandLine(import.meta.url, {
  options: {
    data: { type: 'string' },
    chats: { type: 'string' },
    files: { type: 'string', default: 'dev' },
    model: { type: 'string', default: 'bundled' },
    'nli-model': { type: 'string' },
    scores: { type: 'string' },
  },
});
if (!values.data && !values.chats) {
  console.error('Say what to measure on: npm run bench:contradictions -- --data FOLDER, or --chats FOLDER');
  process.exit(2);
}
const embedder = await openModel('accurate');
const scorer = await openScorer(values.scores ? 'none' : values.model);
const confirmer = await openConfirmer(values['nli-model']);
const scores = values.scores && readScores(values.scores);
describeMachine([['model', values.scores ? `scores of ${values.scores}` : (scorer?.modelId ?? 'rules alone')]]);
for (const file of values.data ? values.files.split(',') : []) {
  await measurePairs(file);
  const filler = join(values.data, `${file}-filler.jsonl`);
  if (!scores && existsSync(filler)) await measureScan(file, readLines(filler));
}
if (values.chats) await measureChats(readRecallData(values.chats));
console.log(`\nload average after: ${loadAverage()}`);
await scorer?.close();
await confirmer?.close();
await embedder.close();

async function measurePairs(file) {
  const judged = await examine(readPairs(join(values.data, `${file}.jsonl`)), { embedder, scorer, scores });
  title(`Pairs of ${file}: ${judged.length}, ${judged.filter(({ contradicts }) => contradicts).length} contradict`);
  const held = judged.filter(({ statementPair, contradicts }) => contradicts && !statementPair).length;
  console.log(
    `average precision ${averagePrecision(judged).toFixed(3)}; ${held} contradictions held back by the gates\n`,
  );
  table(
    ['threshold', 'reported', 'precision', 'recall', 'F1'],
    THRESHOLDS.map((threshold) => {
      const { reported, precision, recall } = figures(judged, threshold);
      const f1 = (2 * precision * recall) / (precision + recall || 1);
      return [threshold, reported, percent(precision), percent(recall), percent(f1)];
    }),
  );
  console.log('');
  const kinds = [...new Set(judged.map(({ kind }) => kind))].sort();
  table(
    ['kind', 'pairs', `reported at ${DEFAULT_THRESHOLD}`],
    kinds.map((kind) => {
      const of = judged.filter((pair) => pair.kind === kind);
      return [kind, of.length, of.filter(({ score }) => score >= DEFAULT_THRESHOLD).length];
    }),
  );
}

function figures(judged, threshold) {
  const reported = judged.filter(({ score }) => score >= threshold);
  const right = reported.filter(({ contradicts }) => contradicts).length;
  const all = judged.filter(({ contradicts }) => contradicts).length;
  return { reported: reported.length, precision: right / (reported.length || 1), recall: right / all };
}

function averagePrecision(judged) {
  let right = 0;
  let sum = 0;
  for (const [i, { contradicts }] of judged.toSorted((x, y) => y.score - x.score).entries()) {
    if (!contradicts) continue;
    right++;
    sum += right / (i + 1);
  }
  return sum / right;
}

/** Puts all memories of the pairs and the filler into one store and compares them as the service does. */
async function measureScan(file, filler) {
  const pairs = readPairs(join(values.data, `${file}.jsonl`));
  const opened = await open(null, embedder);
  const finder = finderOf(opened.store, { scorer, confirmer });
  await opened.store.compareBy(finder.by);
  const places = new Map();
  const add = async (memory, place) => {
    const stored = memoryOf(memory);
    places.set(stored.id, place);
    const change = {
      op: /** @type {const} */ ('add'),
      memory: stored,
      vectors: await embedder.embed([stored.content]),
    };
    await opened.store.changeTogether({ expected: [], changes: [change] });
  };
  for (const { id, a, b } of pairs) {
    await add(a, { pair: id });
    await add(b, { pair: id });
  }
  for (const memory of filler) await add(memory, { pair: null });
  const began = performance.now();
  const { compared } = await finder.findContradictions(() => false);
  const perMemory = (performance.now() - began) / compared;
  const right = new Set(pairs.filter(({ contradicts }) => contradicts).map(({ id }) => id));
  const found = (await foundIn(opened.store)).map(({ a, b, score }) => {
    const [first, second] = [places.get(a).pair, places.get(b).pair];
    return { score, pair: first === second ? first : null, touchesFiller: first === null || second === null };
  });
  title(`Scan of ${file} and its filler: ${compared} memories, ${perMemory.toFixed(1)} ms each`);
  table(
    ['threshold', 'reported', 'right', 'precision', 'recall', 'touch filler'],
    THRESHOLDS.map((threshold) => {
      const reported = found.filter(({ score }) => score >= threshold);
      const hits = reported.filter(({ pair }) => right.has(pair)).length;
      const touching = reported.filter(({ touchesFiller }) => touchesFiller).length;
      const precision = percent(hits / (reported.length || 1));
      return [threshold, reported.length, hits, precision, percent(hits / right.size), touching];
    }),
  );
  await opened.close();
}

/** The annotated pairs: questions whose two statements are in different messages. */
async function measureChats(chats) {
  for (const agents of [1, 2]) {
    const measured = [];
    for (const chat of chats) measured.push({ name: chat.name, ...(await scanOfChat(chat, agents)) });
    title(agents === 1 ? 'Chats, with their agents' : 'Chats, the user and the assistant as two agents');
    table(
      ['chat', 'memories', 'reported at 0.6', 'high', 'annotated pairs reported', 'of'],
      measured.map(({ name, compared, found, reported, annotated }) => {
        const high = found.filter(({ score }) => score >= HIGH_CONFIDENCE).length;
        return [name, compared, found.length, high, reported, annotated];
      }),
    );
    for (const { name, found } of measured) {
      for (const { score, a, b } of found) console.log(`\n${name}, ${score}\n- ${a}\n- ${b}`);
    }
  }
}

async function scanOfChat({ messages, questions }, agents) {
  const opened = await open(null, embedder);
  const finder = finderOf(opened.store, { scorer, confirmer });
  await opened.store.compareBy(finder.by);
  const said = new Map();
  for (const { key, agent, body } of messages) {
    const agent_id = agents === 2 ? body.role : agent;
    const stored = { ...memoryOf({ ...body, agent_id }), sessionId: body.session_id };
    said.set(stored.id, { key, text: body.content.replace(/\s+/g, ' ').slice(0, SHOWN) });
    const change = {
      op: /** @type {const} */ ('add'),
      memory: stored,
      vectors: await embedder.embed(splitIntoChunks(stored.content)),
    };
    await opened.store.changeTogether({ expected: [], changes: [change] });
  }
  const { compared } = await finder.findContradictions(() => false);
  const found = (await foundIn(opened.store))
    .filter(({ score }) => score >= DEFAULT_THRESHOLD)
    .map(({ a, b, score }) => ({
      score,
      keys: [said.get(a).key, said.get(b).key],
      a: said.get(a).text,
      b: said.get(b).text,
    }));
  await opened.close();
  const annotated = [
    ...questions.flatMap(({ both }) => (both && both[0].join() !== both[1].join() ? [both] : [])),
    ...annotatedByKey(messages.map(({ key }) => key)),
  ];
  const isReported = ([first, second]) =>
    found.some(
      ({ keys: [a, b] }) => (first.includes(a) && second.includes(b)) || (first.includes(b) && second.includes(a)),
    );
  return { compared, found, annotated: annotated.length, reported: annotated.filter(isReported).length };
}

/** Two messages with the keys contradiction-01-a and contradiction-01-b. */
function annotatedByKey(keys) {
  const firsts = keys.filter((key) => /^contradiction-\d+-a$/.test(key));
  return firsts.map((first) => [[first], [first.replace(/a$/, 'b')]]);
}

async function foundIn(store) {
  const found = [];
  for await (const page of store.contradictions()) found.push(...page);
  return found;
}

/** @returns {import('../../apps/memory-service/dist/domain/memory/memory.js').Memory} */
function memoryOf({ agent_id, role, content, timestamp }) {
  const createdAt = Date.parse(timestamp);
  return {
    id: ids.next(),
    gist: content,
    content,
    gistEdited: false,
    tags: [],
    importance: 0.5,
    agentId: agent_id,
    sessionId: null,
    scope: 'TEAM',
    project: null,
    kind: 'episodic',
    role,
    name: null,
    source: 'user',
    entities: [],
    createdAt,
    updatedAt: createdAt,
    sources: [],
    consolidatedInto: null,
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
    metadata: {},
    idempotencyKey: null,
  };
}

function percent(share) {
  return (100 * share).toFixed(0);
}
