// Measures recall at several sizes: its latency, its stages, and the cost of a start, a save and the memory of such stores.
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, requester, residentOf, startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, ms, ratio, table, title, whole } from '../lib/markdown.mjs';
import { faissCpu, hasVectors, settled } from './settled.mjs';

/** Requests before the measurement: the JavaScript engine needs many to optimise. */
const WARM_UP_REQUESTS = 1_000;
const SCAN_ROUNDS = 20;
/** A save of 1,000,000 memories takes half a minute. */
const SAVE_LIMIT_MS = 120_000;
const STAGES = [
  ['embedding of the query', 'embedding'],
  ['vector search', 'vectors'],
  ['words: all statistics of the query, meanwhile', 'words'],
  ['choice of the candidates', 'candidates'],
  ['evidence of the candidates', 'evidence'],
  ['entities', 'entities'],
  ['combining, nudges, context, strengthening', 'rest'],
  ['all, without HTTP', 'whole'],
];

export async function measureRecall(model, plan, workers) {
  const { folder, sizes, corpus, requests } = plan;
  const folders = await workers.once('fill.mjs', { folder, model, sizes, corpus });
  const measured = [];
  for (const [index, dataDir] of folders.entries()) {
    measured.push(await atSize(model, { dataDir, size: sizes[index], corpus, requests }, workers));
  }
  const perSize = (value) => measured.map(value);
  const stageRow = ([name, key]) => [
    name,
    ...measured.flatMap(({ stages: { [key]: stage } }) => [ms(stage.p10), ms(stage.p50)]),
  ];

  title(`Recall, ${model}, one client`);
  table(
    ['', ...sizes.map((size) => `${whole(size)} memories`)],
    [
      ['p50', ...perSize(({ recall }) => ms(recall.p50))],
      ['p95', ...perSize(({ recall }) => ms(recall.p95))],
      ['p99', ...perSize(({ recall }) => ms(recall.p99))],
      ['processor time of a recall, FAISS among it', ...perSize(({ recallCpuMs }) => ms(recallCpuMs))],
      ['first recall after a start', ...perSize(({ firstMs }) => ms(firstMs))],
      ['limit: its vectors read once', ...perSize(({ scanMs }) => ms(scanMs))],
    ],
  );
  title(`Stages of a recall, ${model}`);
  console.log('Each pair: the fastest tenth, which other work on the machine hardly disturbs, and the median.\n');
  table(['', ...sizes.flatMap((size) => [`${whole(size)}: p10`, 'p50'])], STAGES.map(stageRow));
  title(`Start, memory, save, ${model}`);
  table(
    ['', ...sizes.map((size) => `${whole(size)} memories`)],
    [
      ['files', ...perSize(({ mebibytes }) => `${whole(mebibytes)} MiB`)],
      ['start until it listens', ...perSize(({ startedMs }) => `${whole(startedMs)} ms`)],
      ['processor time of that', ...perSize(({ startCpuMs }) => `${whole(startCpuMs)} ms`)],
      ['then until FAISS holds the vectors', ...perSize(({ settledMs }) => `${whole(settledMs)} ms`)],
      ['RSS then: service + FAISS', ...perSize(({ rssStart }) => shown(rssStart))],
      ['RSS after all recalls and a save', ...perSize(({ rssEnd }) => shown(rssEnd))],
      ['save', ...perSize(({ saveMs }) => `${whole(saveMs)} ms`)],
    ],
  );
  const last = measured.at(-1);
  const before = measured.at(-2);
  if (before) {
    const growth = (key) => ratio(key(last) / key(before));
    console.log(
      `\nFrom ${whole(before.size)} to ${whole(last.size)} memories (${ratio(last.size / before.size)}): p50 ${growth(({ recall }) => recall.p50)}, RSS ${growth(({ rssEnd }) => rssEnd.service + rssEnd.faiss)}, start ${growth(({ startedMs }) => startedMs)}.`,
    );
  }
}

async function atSize(model, { dataDir, size, corpus, requests }, workers) {
  const mebibytes = readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0) / 2 ** 20;
  // Recalls strengthen memories, so the stages are measured on a copy.
  const copy = `${dataDir}-stages`;
  cpSync(dataDir, copy, { recursive: true });
  // One more is told before the save.
  const service = await startMemory(dataDir, { model, flags: ['--max-memories', `${2 * size}`] });
  const startCpuMs = 1_000 * cpuSeconds(service.pid);
  const client = requester(service.url, { limitMs: SAVE_LIMIT_MS });
  const began = performance.now();
  await client.post('/recall', { query: 'What did we decide about the release?' });
  const firstMs = performance.now() - began;
  await hasVectors(service.url);
  const settledMs = await settled(service.pid);
  const rssStart = resident(service.pid);
  const job = { url: service.url, path: '/recall', connections: 1, corpus };
  await workers.load({ ...job, connections: 4, amount: WARM_UP_REQUESTS, seed: 1 });
  // Only a large space that is asked so often gets its approximate index.
  await settled(service.pid);
  const before = cpuSeconds(service.pid) + faissCpu(service.pid);
  const recall = await workers.load({ ...job, amount: requests, seed: 2 });
  const recallCpuMs = (1_000 * (cpuSeconds(service.pid) + faissCpu(service.pid) - before)) / recall.count;
  await client.post('/ingest', { content: 'This is to be saved.' });
  const { body } = await client.post('/save');
  const rssEnd = resident(service.pid);
  client.close();
  await service.stop();
  const stages = await workers.once('stages.mjs', { dataDir: copy, model, amount: requests, corpus });
  const dimension = model === 'fast' ? 240 : 384;
  const scan = { kind: 'scan', rows: size, dimension, rounds: SCAN_ROUNDS };
  const { milliseconds: scanMs } = await workers.once('limits.mjs', scan);
  const { startedMs } = service;
  return {
    size,
    mebibytes,
    startedMs,
    startCpuMs,
    firstMs,
    recallCpuMs,
    recall,
    stages,
    scanMs,
    settledMs,
    rssStart,
    rssEnd,
    saveMs: body.took_ms,
  };
}

function resident(pid) {
  return { service: residentOf(pid), faiss: childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0) };
}

function shown({ service, faiss }) {
  return `${whole(service)} + ${whole(faiss)} MiB`;
}
