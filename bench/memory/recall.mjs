#!/usr/bin/env node
// Measures how much of the evidence for a question POST /recall finds, over the HTTP API of a running service. Each conversation
// is a separate store, each turn an ingest.
//   npm run bench:recall -- --data PATH [--models accurate,fast,none] [--ks 5,10,25,50] [--misspelt] [--consolidate]
//     [--restart] [--projects 10] [--store postgres] [--vectors-in-database]
// PATH: a LoCoMo file; {messages, questions} such as apps/memory-service/test/data/team-memories.json, or a folder with the same
// as messages.jsonl and questions.jsonl; a folder of such folders, such as bench/memory/written-apart; a folder of BEAM chats.
// Recall at k is the share of the evidence of a question among the first k answers, averaged over the questions. "Meaning alone"
// sorts the first 100 by cosine; "words alone" is the service without a model. "Empty context" and "none of high relevance" look
// at the first 10. "As wanted" means: for an update, the present value is among the first 10 and before all older ones (its recall
// counts the same); for a contradiction, both statements are among the first 10; else all evidence is.
// --misspelt asks with one slip in a word of each question.
// --consolidate measures again after POST /consolidate. A semantic memory then counts as the evidence of each source that its gist
// tells whole; "by id alone" counts only the memories of the answer themselves.
// --restart stops the service once it was told all and starts it again: nothing is primed then by what was said last.
// --projects asks every question again in one service that holds so many projects, each with one of the conversations (again from
// the first one where there are more projects), and compares the answers with those of the conversation alone.
// --vectors-in-database asks every question in one space that holds all conversations, first with the vectors in memory and then with
// them in a table of a PostgreSQL with pgvector, whose folder POSTGRES_VECTOR_BIN_TEST names.
import { setTimeout as pause } from 'node:timers/promises';
import { tellsAllOf } from '../../apps/memory-service/dist/domain/text/gist/semantic-gist.js';
import { openPostgres, parseStoreUrl } from '../../packages/postgres-kit/dist/index.js';
import { createLog } from '../../packages/service-kit/dist/index.js';
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { scratchFolder, startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, loadAverage, table, title } from '../lib/markdown.mjs';
import { misspelt } from './misspelt.mjs';
import { post } from './post.mjs';
import { readRecallData } from './recall-data.mjs';

const MOST_ANSWERS = 100;
const AT_ONCE = 8;
const LOOK_MS = 200;
/** The first answers, of which the evidence in the context is counted. */
const CONTEXT_K = 10;

const { values } = commandLine(import.meta.url, {
  options: {
    data: { type: 'string' },
    models: { type: 'string', default: 'accurate,fast,none' },
    ks: { type: 'string', default: '5,10,25,50' },
    misspelt: { type: 'boolean', default: false },
    consolidate: { type: 'boolean', default: false },
    restart: { type: 'boolean', default: false },
    projects: { type: 'string', default: '0' },
    store: { type: 'string' },
    'vectors-in-database': { type: 'boolean', default: false },
  },
});
if (!values.data) {
  console.error('Say what to measure on: npm run bench:recall -- --data FILE');
  process.exit(2);
}
const ks = values.ks.split(',').map(Number);
const stores = readRecallData(values.data);
if (values.misspelt) for (const store of stores) misspell(store.questions);
const asked = stores.reduce((sum, { questions }) => sum + questions.length, 0);
describeMachine([['data', `${stores.length} stores, ${asked} questions`]]);

for (const model of values.models.split(',')) {
  const began = performance.now();
  const results = [];
  for (const [i, store] of stores.entries())
    results.push(await measureStore(store, { model, foreign: stores[i + 1] ?? stores[0] }));
  report(model, { results, seconds: (performance.now() - began) / 1_000 });
  if (Number(values.projects) > 0) await compareWithProjects(Number(values.projects), { model, results });
  if (values.store) await compareWithDatabase(values.store, { model, results });
  if (values['vectors-in-database']) await compareWithTable(model);
}
console.log(`\nload average after: ${loadAverage()}`);

function misspell(questions) {
  const queries = misspelt(questions.map(({ query }) => query));
  for (const [place, question] of questions.entries()) question.query = queries[place];
}

async function measureStore(store, { model, foreign }) {
  const folder = values.restart ? scratchFolder('recall-') : null;
  let service = await startMemory(folder, { model });
  try {
    const keys = await told(service.url, store);
    if (values.restart) {
      await service.stop();
      service = await startMemory(folder, { model });
    }
    const own = await askAll(service.url, store, keys);
    const silent =
      foreign === store ? [] : await inParallel(foreign.questions, ({ query }) => isSilent(service.url, query));
    return { own, silent, consolidated: values.consolidate ? await consolidated(service.url, store, keys) : null };
  } finally {
    await service.stop();
  }
}

/** Tells the messages of a store; resolves to their keys by the ids of the memories. */
async function told(url, store, where) {
  const keys = new Map();
  for (const { key, agent, body } of store.messages) {
    const { memory } = await post(url, '/ingest', { agent, body, ...where });
    keys.set(memory.id, key);
  }
  return keys;
}

/** Asks in each project of one service what was asked of each store alone. */
async function compareWithProjects(count, { model, results }) {
  const service = await startMemory(null, { model });
  try {
    const nameOf = (place) => `project-${place}`;
    const keysIn = [];
    for (let place = 0; place < count; place++) {
      keysIn.push(await told(service.url, stores[place % stores.length], { project: nameOf(place) }));
    }
    const asked = stores.slice(0, count);
    const among = [];
    for (const [place, store] of asked.entries()) {
      among.push(await askAll(service.url, store, keysIn[place], { project: nameOf(place) }));
    }
    const alone = results.slice(0, asked.length).map(({ own }) => own);
    const memories = keysIn.reduce((sum, { size }) => sum + size, 0);
    console.log(`\n${count} projects in one store, ${memories} memories:\n`);
    reportAgain({ what: 'asked in a project', alone: alone.flat(), again: among.flat(), name: `among ${count}` });
  } finally {
    await service.stop();
  }
}

/** Asks one replica over a database what another one was told. */
async function compareWithDatabase(named, { model, results }) {
  const server = named === 'postgres' ? await startPostgres() : null;
  const env = { MEMORY_STORE: server ? await server.newDatabase('recall') : named };
  const replicas = [];
  try {
    for (const _ of ['told', 'asked']) replicas.push(await startMemory(null, { model, env }));
    const [speaker, listener] = replicas;
    const again = [];
    for (const [place, store] of stores.entries()) {
      const space = `recall-${model}-${Date.now()}-${place}`;
      const keys = await told(speaker.url, store, { space });
      again.push(await askAll(listener.url, store, keys, { space }));
    }
    console.log('\nTwo replicas over PostgreSQL, of which one is told and the other asked:\n');
    const alone = results.flatMap(({ own }) => own);
    reportAgain({ what: 'asked of a replica', alone, again: again.flat(), name: 'over PostgreSQL' });
  } finally {
    for (const replica of replicas) await replica.stop();
    await server?.remove();
  }
}

/** Asks all stores in one space, before and after its vectors go into a table. */
async function compareWithTable(model) {
  const server = await startPostgres({ hasVectors: true });
  const url = await server.newDatabase('recall');
  const log = createLog({ name: 'bench', level: 'silent' });
  const postgres = await openPostgres({ url: parseStoreUrl(url), log, applicationName: 'bench' });
  await postgres.query({ text: 'CREATE EXTENSION vector' });
  await postgres.close();
  const env = { MEMORY_STORE: url };
  const all = joined(stores);
  const answered = [];
  let keys = new Map();
  try {
    for (const above of [10_000_000, 0]) {
      const service = await startMemory(null, { model, env: { ...env, MEMORY_VECTORS_IN_DATABASE_ABOVE: above } });
      try {
        if (keys.size === 0) keys = await told(service.url, all);
        while (above === 0 && !(await areInDatabase(service.url))) await pause(LOOK_MS);
        answered.push(await askAll(service.url, all, keys));
      } finally {
        await service.stop();
      }
    }
    const [alone, again] = answered;
    console.log(`\nAll in one space of ${keys.size} memories, with their vectors in memory and in a table:\n`);
    reportAgain({ what: 'vectors in a table', alone, again, name: 'in a table' });
  } finally {
    await server.remove();
  }
}

/** One store with what all of them have. */
function joined(those) {
  const named = (place) => (key) => `${place} ${key}`;
  return {
    messages: those.flatMap(({ messages }, place) =>
      messages.map(({ key, agent, body }) => ({
        key: named(place)(key),
        agent,
        body: { ...body, ...(body.session_id && { session_id: `${place}-${body.session_id}` }) },
      })),
    ),
    questions: those.flatMap(({ questions }, place) =>
      questions.map(({ query, kind, evidence }) => ({ query, kind, evidence: evidence.map(named(place)) })),
    ),
  };
}

async function areInDatabase(url) {
  /** @type {{ persistence: { vectors_in: string } }} */
  const { persistence } = JSON.parse(await (await fetch(`${url}/health`)).text());
  return persistence.vectors_in === 'database';
}

/** The keys that each answer counts for: its own, or those of the sources that a semantic memory tells whole. */
function askAll(url, store, keys, /** @type {any} */ { topK = MOST_ANSWERS, ...where } = {}) {
  const messages = new Map(store.messages.map(({ key, body }) => [key, body.content]));
  const tells = ({ id, kind, gist, sources }) => {
    if (kind === 'episodic') return [keys.get(id)];
    return sources.map((source) => keys.get(source)).filter((key) => tellsAllOf(gist, asMemory(messages.get(key))));
  };
  return inParallel(store.questions, async (question) => {
    const { query, agent = 'assistant', now } = question;
    const body = { query, now, top_k: topK, strengthen: false, explain: true };
    const { memories } = await post(url, '/recall', { agent, body, ...where });
    return measured(
      question,
      memories.map((memory) => ({
        key: keys.get(memory.id),
        tells: tells(memory),
        relevance: memory.relevance,
        meaning: memory.why.vector,
      })),
    );
  });
}

function asMemory(content) {
  return /** @type {any} */ ({ content: content.trim(), gist: content.trim(), gistEdited: false });
}

/** Asks for exactly k answers, because a semantic memory stands in only where that makes room among them. */
async function consolidated(url, store, keys) {
  const asked = async () => {
    const results = [];
    for (const k of ks) results.push(await askAll(url, store, keys, { topK: k }));
    return store.questions.map((_, question) => ({
      recall: ks.map((_k, i) => results[i][question].recall[i]),
      byId: ks.map((_k, i) => results[i][question].byId[i]),
    }));
  };
  const before = await asked();
  const { report } = await post(url, '/consolidate', { agent: 'assistant', body: {} });
  const again = await post(url, '/consolidate', { agent: 'assistant', body: {} });
  return { before, after: await asked(), report, changedAgain: again.report.changed };
}

async function isSilent(url, query) {
  const { context } = await post(url, '/recall', { agent: 'assistant', body: { query, strengthen: false } });
  return context === '';
}

function measured(question, answers) {
  const { kind, current } = question;
  // Several messages may state the present value; any of them is enough.
  const evidence = question.evidence;
  const share = current && kind === 'update' ? shareOfAny : shareOfAll;
  const wanted = current && kind === 'update' ? current : evidence;
  const byMeaning = answers.toSorted((a, b) => b.meaning - a.meaning);
  const first = answers.slice(0, CONTEXT_K).filter(({ tells }) => tells.some((key) => evidence.includes(key)));
  return {
    kind,
    answers: answers.map(({ key, relevance }) => `${key} ${relevance}`),
    foreign: answers.filter(({ key }) => key === undefined).length,
    recall: ks.map((k) => share(answers, wanted, k)),
    byId: ks.map(
      (k) =>
        evidence.filter((key) => answers.slice(0, k).some((answer) => answer.key === key)).length / evidence.length,
    ),
    meaning: ks.map((k) => share(byMeaning, wanted, k)),
    found: first.length,
    kept: first.filter(({ relevance }) => relevance !== 'low').length,
    isAnswerable: evidence.length > 0,
    asWanted: isAsWanted(question, answers.slice(0, CONTEXT_K)),
    isEmpty: answers.slice(0, CONTEXT_K).every(({ relevance }) => relevance === 'low'),
    noneHigh: answers.slice(0, CONTEXT_K).every(({ relevance }) => relevance !== 'high'),
    size: answers.slice(0, CONTEXT_K).filter(({ relevance }) => relevance !== 'low').length,
  };
}

function isAsWanted({ evidence, current, stale, both }, first) {
  const placeOf = (wanted) => first.findIndex(({ tells }) => tells.some((key) => wanted.includes(key)));
  if (both) return both.every((wanted) => placeOf(wanted) !== -1);
  if (!current) return shareOfAll(first, evidence, first.length) === 1;
  const [newer, older] = [placeOf(current), placeOf(stale)];
  return newer !== -1 && (older === -1 || newer < older);
}

function shareOfAny(answers, evidence, k) {
  return Number(answers.slice(0, k).some(({ tells }) => tells.some((key) => evidence.includes(key))));
}

function shareOfAll(answers, evidence, k) {
  const first = new Set(answers.slice(0, k).flatMap(({ tells }) => tells));
  return evidence.filter((key) => first.has(key)).length / evidence.length;
}

function report(model, { results, seconds }) {
  const own = results.flatMap((result) => result.own);
  const silent = results.flatMap((result) => result.silent);
  title(`Embedding model ${model}`);
  const kinds = [...new Set(own.map(({ kind }) => kind))];
  const answerable = own.filter(({ isAnswerable }) => isAnswerable);
  const row = (name, some, field = 'recall') => [
    name,
    some.length,
    ...ks.map((_, i) => (some[0].isAnswerable ? percent(mean(some.map((one) => one[field][i]))) : '')),
    ...['isEmpty', 'noneHigh'].map((what) => percent(mean(some.map((one) => Number(one[what]))))),
    some[0].isAnswerable ? percent(mean(some.map(({ asWanted }) => Number(asWanted)))) : '',
  ];
  table(
    ['questions', 'n', ...ks.map((k) => `recall at ${k}`), 'context empty', 'none high', 'as wanted'],
    [
      row('answerable', answerable),
      ...(model === 'none' ? [] : [row('answerable, meaning alone', answerable, 'meaning')]),
      ...kinds.map((kind) =>
        row(
          kind,
          own.filter((one) => one.kind === kind),
        ),
      ),
    ],
  );
  const sum = (field) => answerable.reduce((total, one) => total + one[field], 0);
  console.log(
    `\nOf the evidence among the first ${CONTEXT_K}, ${percent(sum('kept') / sum('found'))} % is of high or medium relevance; of the first ${CONTEXT_K} answers ${mean(answerable.map(({ size }) => size)).toFixed(1)} are.`,
  );
  if (silent.length > 0) {
    const empty = silent.filter(Boolean).length / silent.length;
    console.log(`${silent.length} questions asked of the wrong store: ${percent(empty)} % get an empty context.`);
  }
  if (values.consolidate) reportConsolidated(results);
  console.log(`It took ${seconds.toFixed(0)} s.`);
}

function reportAgain({ what, alone, again, name }) {
  const answerable = (some) => some.filter(({ isAnswerable }) => isAnswerable);
  const row = (name, some) => [
    name,
    ...ks.map((_, i) => percent(mean(answerable(some).map(({ recall }) => recall[i])))),
  ];
  table(
    [`questions ${what}`, ...ks.map((k) => `recall at ${k}`)],
    [row('alone in the store', alone), row(name, again)],
  );
  const other = again.filter(({ answers }, i) => answers.join() !== alone[i].answers.join()).length;
  const foreign = again.reduce((sum, one) => sum + one.foreign, 0);
  console.log(
    `\n${other} of ${again.length} questions have other answers, or in another order or relevance, among their first ${MOST_ANSWERS}; ${foreign} answers are of something else.`,
  );
}

function reportConsolidated(results) {
  const before = results.flatMap(({ consolidated }) => consolidated.before);
  const after = results.flatMap(({ consolidated }) => consolidated.after);
  const row = (name, some, field) => [name, ...ks.map((_, i) => percent(mean(some.map((one) => one[field][i]))))];
  console.log('\nAfter consolidation:\n');
  table(
    ['questions', ...ks.map((k) => `recall at ${k}`)],
    [row('before', before, 'recall'), row('after', after, 'recall'), row('after, by id alone', after, 'byId')],
  );
  const lower = ks.map((_, i) => after.filter((one, at) => one.recall[i] < before[at].recall[i]).length);
  const higher = ks.map((_, i) => after.filter((one, at) => one.recall[i] > before[at].recall[i]).length);
  console.log(
    `\nQuestions with more of their evidence than before: ${higher.join(', ')}; with less: ${lower.join(', ')}.`,
  );
  const sum = (field) => results.reduce((total, { consolidated }) => total + consolidated.report[field], 0);
  const changedAgain = results.filter(({ consolidated }) => consolidated.changedAgain).length;
  console.log(
    `${sum('semantic_created')} semantic memories of ${sum('examined')}, ${sum('deduplicated')} deduplicated; a second run changed ${changedAgain} stores. Consolidation took ${(sum('took_ms') / 1_000).toFixed(1)} s.`,
  );
}

async function inParallel(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function percent(fraction) {
  return (100 * fraction).toFixed(1);
}
