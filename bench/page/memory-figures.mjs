// The memory service for the page of all benchmarks.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  childrenOf,
  requester,
  residentOf,
  startMemory,
  startProcess,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { median, whole } from '../lib/markdown.mjs';
import { merge, writeLines } from '../memory/merge-request.mjs';
import { hasVectors, settled } from '../memory/settled.mjs';
import { startWorkers } from '../memory/workers.mjs';

const DIMENSIONS = { fast: 240, accurate: 384 };
const WARM_UP_SECONDS = 4;
const WARM_UP_RECALLS = 500;
const RECALLS = 300;
const SCANS = 20;
/** The aims of recall, start and memory are for so many. */
const AIM_MEMORIES = 100_000;
const AIMS = {
  fast: { '/ingest': 1_300, '/ingest_and_recall': 500, recallP95: 18 },
  accurate: { '/ingest_and_recall': 90, recallP95: 28 },
};
let seed = 1;

/** @param plan what is measured, and for how long: run.mjs has one for each length @returns figures */
export async function memoryFigures(plan) {
  const workers = startWorkers();
  const figures = [];
  for (const model of plan.models) {
    figures.push(...(await ingests(model, plan, workers)));
    figures.push(...(await recalls(model, plan, workers)));
  }
  figures.push(await merges(plan));
  workers.end();
  return figures;
}

async function ingests(model, { folder, rounds, seconds, corpus }, workers) {
  const bareScript = fileURLToPath(new URL('../memory/bare.mjs', import.meta.url));
  const service = await startMemory(join(folder, `${model}-ingest`), { model });
  const bare = await startProcess([bareScript], { name: 'the bare handler' });
  /** @type {[server: typeof service, path: string][]} */
  const ways = [
    [service, '/ingest'],
    [service, '/ingest_and_recall'],
    [bare, '/ingest'],
  ];
  const load = ({ url }, path, duration) =>
    workers.load({ url, path, connections: 16, seconds: duration, corpus, seed: seed++ });
  for (const [server, path] of ways) await load(server, path, WARM_UP_SECONDS);
  const rates = ways.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [server, path]] of ways.entries()) {
      rates[index].push((await load(server, path, seconds)).perSecond);
    }
  }
  for (const server of [service, bare]) await server.stop();
  const { batched } = await workers.once('limits.mjs', { kind: 'model', model, milliseconds: 2_000, corpus });
  const handler = median(rates[2]);
  // Whichever would be reached first.
  const limit =
    batched < handler ? { name: 'the model alone', value: batched } : { name: 'bare Express handler', value: handler };
  return ['/ingest', '/ingest_and_recall'].map((path, index) => ({
    name: `memory, ${model}: ${path}, 16 clients`,
    value: median(rates[index]),
    unit: 'a second',
    aim: AIMS[model][path],
    limit,
  }));
}

async function recalls(model, { folder, memories, corpus }, workers) {
  const [dataDir] = await workers.once('fill.mjs', { folder, model, sizes: [memories], corpus });
  const service = await startMemory(dataDir, { model });
  const client = requester(service.url);
  await client.post('/recall', { query: 'What did we decide about the release?' });
  client.close();
  await hasVectors(service.url);
  await settled(service.pid);
  const resident = [service.pid, ...childrenOf(service.pid)].reduce((sum, pid) => sum + residentOf(pid), 0);
  const job = { url: service.url, path: '/recall', corpus };
  await workers.load({ ...job, connections: 4, amount: WARM_UP_RECALLS, seed: seed++ });
  const { p95 } = await workers.load({ ...job, connections: 1, amount: RECALLS, seed: seed++ });
  const { startedMs } = service;
  await service.stop();
  const dimension = DIMENSIONS[model];
  const scan = { kind: 'scan', rows: memories, dimension, rounds: SCANS };
  const { milliseconds: scanMs } = await workers.once('limits.mjs', scan);
  const at = `${whole(memories)} memories`;
  const aims = memories === AIM_MEMORIES ? { recall: AIMS[model].recallP95, start: 2_500, resident: 700 } : {};
  return [
    {
      name: `memory, ${model}: recall, ${at}, p95`,
      value: p95,
      unit: 'ms',
      aim: aims.recall,
      limit: { name: 'one pass over the vectors', value: scanMs },
    },
    { name: `memory, ${model}: start, ${at}`, value: startedMs, unit: 'ms', aim: aims.start },
    {
      name: `memory, ${model}: resident, FAISS among it, ${at}`,
      value: resident,
      unit: 'MiB',
      aim: model === 'fast' ? aims.resident : undefined,
      limit: { name: 'the vectors, once', value: (memories * dimension * 4) / 2 ** 20 },
    },
  ];
}

async function merges({ folder, merged, corpus }) {
  const service = await startMemory(join(folder, 'merge'), { model: 'fast' });
  const file = join(folder, 'lines.ndjson');
  await writeLines(file, service.url, { memories: merged, corpus, withVectors: true });
  const began = performance.now();
  await merge(service.url, file);
  const rate = (merged * 1_000) / (performance.now() - began);
  const again = performance.now();
  await merge(service.url, file);
  const knownRate = (merged * 1_000) / (performance.now() - again);
  await service.kill();
  return {
    name: `memory, fast: merge with vectors, ${whole(merged)} records`,
    value: rate,
    unit: 'a second',
    aim: 3_000,
    limit: { name: 'the same records again, which are only read', value: knownRate },
  };
}
