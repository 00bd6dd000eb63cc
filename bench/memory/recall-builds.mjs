#!/usr/bin/env node
// Asks this build and another one the same questions in one process, in turns: how many answers differ in a single byte, and the
// processor time of a recall in each, with all threads of the process and without the model and FAISS.
//   npm run bench:recall-builds -- OTHER [--data PATH]... [--directory DIR | --memories 3000] [--questions 500]
//     [--rounds 4] [--tell] [--model fast]
// OTHER: the folder of another checkout, built. --data: what bench:recall reads; else generated questions to copies of a data
// directory, or to --memories generated sentences, from 20,000 on as bench:memory makes them. --tell: each generated question is a
// message that is stored first, as in /ingest_and_recall.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { scratchFolder } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, loadAverage, median, ms, ratio, table } from '../lib/markdown.mjs';
import { readRecallData } from './recall-data.mjs';
import { settled } from './settled.mjs';
import { openModel } from './store.mjs';
import { textSource } from './texts.mjs';
import { startWorkers } from './workers.mjs';

const SESSIONS = 20;
const MINUTE_MS = 60_000;
const START_MS = Date.now();
/** So many memories are written as a data directory, which is quicker than to tell them. */
const WRITTEN_FROM = 20_000;
const ANSWERS = { data: 100, generated: 10 };

const { values, positionals } = commandLine(import.meta.url, {
  allowPositionals: true,
  options: {
    data: { type: 'string', multiple: true, default: [] },
    directory: { type: 'string' },
    memories: { type: 'string', default: '3000' },
    questions: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '4' },
    tell: { type: 'boolean', default: false },
    model: { type: 'string', default: 'fast' },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error('Name the folder of the other checkout.');
const builds = [
  { name: 'the other build', folder: resolve(other) },
  { name: 'this build', folder: root },
];
const embedder = await openModel(values.model);
const known = new Map();
const silent = { info() {}, warn() {}, error() {}, debug() {}, child: () => silent };
const opened = await Promise.all(builds.map(({ folder }) => modulesOf(folder)));
const memories = Number(values.memories);
const dataDir = values.directory ?? (memories < WRITTEN_FROM ? null : await written());
const stores =
  values.data.length > 0 ? values.data.flatMap(readRecallData) : [generated(dataDir === null ? memories : 0)];

const spent = builds.map(() => []);
let asked = 0;
let differing = 0;
const differences = [];
describeMachine([
  ['stores', `${stores.length}, ${stores.reduce((sum, { messages }) => sum + messages.length, 0)} messages`],
]);
for (const store of stores) await compared(store);
await embedder.close();

table(
  ['processor time of a recall, medians of the rounds', ''],
  builds.map(({ name }, index) => [name, ms(median(spent[index]))]),
);
const ratios = spent[1].map((cpu, round) => cpu / spent[0][round]);
console.log(
  `\nof this build by that of the other: ${ratio(median(ratios))}; each round: ${ratios.map(ratio).join(', ')}`,
);
console.log(`${asked} questions, ${differing} answered otherwise. Load average after: ${loadAverage()}`);
for (const difference of differences.slice(0, 3)) console.log(difference);
process.exit(differing === 0 ? 0 : 1);

async function compared({ messages, questions, topK = ANSWERS.data }) {
  const twins = [];
  for (const modules of opened) twins.push(await twinOf(modules));
  for (const message of messages) for (const twin of twins) await twin.tell(message);
  if (dataDir !== null) await settled(process.pid, twins.length);
  for (let round = 0; round < Number(values.rounds); round++) {
    const sums = twins.map(() => 0);
    for (const [number, question] of questions.entries()) {
      const told = values.tell ? { ...question.message, key: `${round}-${number}` } : null;
      const order = number % 2 === 0 ? [0, 1] : [1, 0];
      const answers = [];
      for (const index of order) {
        const twin = twins[index];
        const ready = await twin.prepared(question.query);
        const before = process.cpuUsage();
        const exceptId = told === null ? null : await twin.tell(told, round);
        answers[index] = await twin.ask({ ...question, topK, exceptId, query: ready });
        const { user, system } = process.cpuUsage(before);
        sums[index] += (user + system) / 1_000;
      }
      asked++;
      if (JSON.stringify(answers[0]) === JSON.stringify(answers[1])) continue;
      differing++;
      differences.push(`${question.query}\n  ${shown(answers[0])}\n  ${shown(answers[1])}`);
    }
    for (const [index, sum] of sums.entries()) spent[index].push(sum / questions.length);
  }
  for (const twin of twins) await twin.close();
}

function shown({ memories }) {
  return JSON.stringify(memories.slice(0, 5).map(({ stored, score }) => [stored.memory.id.slice(-4), score]));
}

async function modulesOf(folder) {
  const load = async (path) => await import(join(folder, 'apps/memory-service/dist', path));
  const [{ openStore }, { ingest }, { recall }, { textEmbedding }, { emptyState }] = await Promise.all(
    [
      'persistence/open-store.js',
      'domain/ingest/ingest.js',
      'domain/recall/recall.js',
      'domain/embedding/text-embedding.js',
      'domain/cognition/process-state.js',
    ].map(load),
  );
  return { openStore, ingest, recall, textEmbedding, emptyState };
}

/** A store of one build. Time and ids are counted, so that those of two builds are the same. */
async function twinOf({ openStore, ingest, recall, textEmbedding, emptyState }) {
  let nowMs = START_MS;
  let nextId = 1;
  const clock = { now: () => nowMs };
  const copy = dataDir === null ? null : join(scratchFolder('recall-builds-'), 'data');
  if (copy !== null) cpSync(dataDir, copy, { recursive: true });
  // Earlier builds take the embedder itself.
  const model = { id: embedder.modelId, dimension: embedder.dimension };
  const options = { dataDir: copy, model, embedder, maxMemories: 1_000_000, repair: false, clock, log: silent };
  const store = await openStore({ ...options, process: { pid: process.pid, hostname: 'bench' } });
  const embedding = remembering(textEmbedding({ embedder, log: silent }));
  const ids = { next: () => (nextId++).toString(16).padStart(32, '0') };
  const deps = { ...emptyState(store.store), clock, ids, store: store.store, embedding, maxMemories: 1_000_000 };
  return {
    async tell({ agent, body }, round = 0) {
      const timestampMs = body.timestamp === undefined ? nowMs : Date.parse(body.timestamp);
      nowMs = Math.max(nowMs + MINUTE_MS, timestampMs);
      const { stored } = await ingest(deps, callerOf(agent, body.session_id), messageOf(body, { timestampMs, round }));
      return stored.memory.id;
    },
    /** Makes the vectors of a question, which both builds then have. */
    async prepared(query) {
      await embedding.vectorOfQuestion(query);
      await embedding.vectorsOf(query);
      return query;
    },
    async ask({ query, agent = 'assistant', now, topK, exceptId }) {
      const { tookMs: _, ...answer } = await recall(deps, callerOf(agent, null), {
        query,
        topK,
        minScore: 0,
        filter: {},
        nowMs: now === undefined ? null : Date.parse(now),
        explain: !values.tell,
        strengthen: values.tell,
        context: { maxCharacters: 4_000, maxTokens: null, style: 'lines' },
        exceptId,
      });
      return answer;
    },
    close: () => store.close(),
  };
}

/** Two builds read a question alike nearly always; what one of them embedded, the other one has too. */
function remembering(embedding) {
  const once = async (kind, text, make) => {
    const key = `${kind}\n${text}`;
    if (!known.has(key)) known.set(key, await make(text));
    return known.get(key);
  };
  return {
    ...embedding,
    vectorsOf: (text) => once('stored', text, embedding.vectorsOf),
    vectorOfQuestion: (text) => once('question', text, embedding.vectorOfQuestion),
  };
}

function callerOf(agentId, sessionId) {
  return { agentId, sessionId: sessionId ?? null, project: null };
}

function messageOf({ content, role = null, name = null, scope = 'TEAM' }, { timestampMs, round }) {
  return {
    content: round === 0 ? content : `${content} (${round})`,
    role,
    name,
    source: 'user',
    scope,
    tags: [],
    importance: null,
    timestampMs,
    validity: { validFrom: null, validUntil: null, expiresAt: null },
    supersedes: [],
    maySupersedeOthers: false,
    metadata: {},
    idempotencyKey: null,
  };
}

/** A data directory of generated sentences. */
async function written() {
  const workers = startWorkers();
  const job = { folder: scratchFolder('recall-builds-'), model: values.model, sizes: [memories], corpus: null };
  const [folder] = await workers.once('fill.mjs', job);
  workers.end();
  return folder;
}

function generated(messages) {
  const { say } = textSource({ corpus: null, seed: 1 });
  const { ask } = textSource({ corpus: null, seed: 2 });
  let number = 0;
  const message = (content) => ({
    agent: 'assistant',
    body: { content, role: 'user', session_id: `session-${number++ % SESSIONS}` },
  });
  const asking = () => {
    if (!values.tell) return { query: ask() };
    const told = message(say());
    return { query: told.body.content, message: told };
  };
  return {
    messages: Array.from({ length: messages }, () => message(say())),
    questions: Array.from({ length: Number(values.questions) }, asking),
    topK: ANSWERS.generated,
  };
}
