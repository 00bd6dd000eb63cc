#!/usr/bin/env node
// Measures how much of the evidence for a question POST /recall brings, over the HTTP API of a running service: each
// conversation is a store of its own, each turn an ingest.
//   npm run bench:recall -- --data FILE [--models accurate,fast,none] [--ks 5,10,25,50]
// FILE: a LoCoMo file, or {messages, questions} such as apps/memory-service/test/data/team-memories.json.
// Recall at k is the share of a question's evidence among the first k, averaged over the questions. "Meaning alone" puts the
// first 100 in the order of their likeness of meaning; "words alone" is the service without a model.
import { parseArgs } from 'node:util';
import { startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, loadAverage, table, title } from '../lib/markdown.mjs';
import { readRecallData } from './recall-data.mjs';

const MOST_ANSWERS = 100;
const AT_ONCE = 8;
/** Of these, the evidence counts that has to stay in the context. */
const CONTEXT_K = 10;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    models: { type: 'string', default: 'accurate,fast,none' },
    ks: { type: 'string', default: '5,10,25,50' },
  },
});
if (!values.data) {
  console.error('Say what to measure on: npm run bench:recall -- --data FILE');
  process.exit(2);
}
const ks = values.ks.split(',').map(Number);
const stores = readRecallData(values.data);
const asked = stores.reduce((sum, { questions }) => sum + questions.length, 0);
describeMachine([['data', `${stores.length} stores, ${asked} questions`]]);

for (const model of values.models.split(',')) {
  const began = performance.now();
  const results = [];
  for (const [i, store] of stores.entries())
    results.push(await measureStore(store, { model, foreign: stores[i + 1] ?? stores[0] }));
  report(model, { results, seconds: (performance.now() - began) / 1_000 });
}
console.log(`\nload average after: ${loadAverage()}`);

async function measureStore(store, { model, foreign }) {
  const service = await startMemory(null, { model });
  try {
    const keys = new Map();
    for (const { key, agent, body } of store.messages) {
      const { memory } = await post(service.url, '/ingest', { agent, body });
      keys.set(memory.id, key);
    }
    const own = await inParallel(store.questions, async (question) => {
      const body = { query: question.query, top_k: MOST_ANSWERS, strengthen: false, explain: true };
      const { memories } = await post(service.url, '/recall', { agent: 'assistant', body });
      return measured(
        question,
        memories.map(({ id, relevance, why }) => ({ key: keys.get(id), relevance, meaning: why.vector })),
      );
    });
    const silent =
      foreign === store ? [] : await inParallel(foreign.questions, ({ query }) => isSilent(service.url, query));
    return { own, silent };
  } finally {
    await service.stop();
  }
}

async function isSilent(url, query) {
  const { context } = await post(url, '/recall', { agent: 'assistant', body: { query, strengthen: false } });
  return context === '';
}

function measured({ kind, evidence }, answers) {
  const byMeaning = answers.toSorted((a, b) => b.meaning - a.meaning);
  const first = answers.slice(0, CONTEXT_K).filter(({ key }) => evidence.includes(key));
  return {
    kind,
    recall: ks.map((k) => share(answers, evidence, k)),
    meaning: ks.map((k) => share(byMeaning, evidence, k)),
    found: first.length,
    kept: first.filter(({ relevance }) => relevance !== 'low').length,
    size: answers.slice(0, CONTEXT_K).filter(({ relevance }) => relevance !== 'low').length,
  };
}

function share(answers, evidence, k) {
  const first = new Set(answers.slice(0, k).map(({ key }) => key));
  return evidence.filter((key) => first.has(key)).length / evidence.length;
}

function report(model, { results, seconds }) {
  const own = results.flatMap((result) => result.own);
  const silent = results.flatMap((result) => result.silent);
  title(`Embedding model ${model}`);
  const kinds = [...new Set(own.map(({ kind }) => kind))];
  const row = (name, some, field = 'recall') => [
    name,
    some.length,
    ...ks.map((_, i) => percent(mean(some.map((one) => one[field][i])))),
  ];
  table(
    ['questions', 'n', ...ks.map((k) => `recall at ${k}`)],
    [
      row('all', own),
      ...(model === 'none' ? [] : [row('all, meaning alone', own, 'meaning')]),
      ...kinds.map((kind) =>
        row(
          kind,
          own.filter((one) => one.kind === kind),
        ),
      ),
    ],
  );
  const sum = (field) => own.reduce((total, one) => total + one[field], 0);
  console.log(
    `\nOf the evidence among the first ${CONTEXT_K}, ${percent(sum('kept') / sum('found'))} % is of high or medium relevance; of the first ${CONTEXT_K} answers ${mean(own.map(({ size }) => size)).toFixed(1)} are.`,
  );
  if (silent.length > 0) {
    const empty = silent.filter(Boolean).length / silent.length;
    console.log(`${silent.length} questions asked of the wrong store: ${percent(empty)} % get an empty context.`);
  }
  console.log(`It took ${seconds.toFixed(0)} s.`);
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

async function post(url, path, { agent, body }) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-agent-id': agent },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.detail}`);
  return answer;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function percent(fraction) {
  return (100 * fraction).toFixed(1);
}
