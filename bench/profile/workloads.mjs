// What can be profiled. Each workload starts a service with the flags of the probe, prepares it, and then does the work that is
// profiled, for about `seconds`; it tells how many requests (or records) that was.
import { join } from 'node:path';
import { startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { startWorker } from '../lib/worker.mjs';
import { merge, writeLines } from '../memory/merge-request.mjs';
import { settled } from '../memory/settled.mjs';
import { startWorkers } from '../memory/workers.mjs';
import { TASK_TYPE, writeHistory } from '../timing/history.mjs';

/** So that the engine has optimised what it runs often. */
const WARM_UP_SECONDS = 4;
const MERGED = 20_000;

/** @param plan connections, size, model, corpus, flags: as the command line has them */
export const WORKLOADS = {
  'timing-pairs': {
    about: 'start and end of tasks',
    defaults: { connections: 16, size: 0 },
    run: (plan) => timing(plan, (job) => ({ ...job, kind: 'pairs' })),
  },
  'timing-statistics': {
    about: 'statistics of one task type',
    defaults: { connections: 1, size: 100_000 },
    run: (plan) => timing(plan, (job) => ({ ...job, kind: 'requests', path: `/stats/durations/${TASK_TYPE}` })),
  },
  'memory-ingest': {
    about: 'messages',
    defaults: { connections: 16, size: 0 },
    run: (plan) => memory(plan, '/ingest'),
  },
  'memory-ingest-and-recall': {
    about: 'messages, each with what is known of it',
    defaults: { connections: 16, size: 1_000 },
    run: (plan) => memory(plan, '/ingest_and_recall'),
  },
  'memory-recall': {
    about: 'questions to `size` memories',
    defaults: { connections: 1, size: 20_000 },
    run: (plan) => memory(plan, '/recall'),
  },
  'memory-merge': {
    about: `${MERGED} records with vectors in one request`,
    defaults: { connections: 1, size: 0 },
    run: mergeOnce,
  },
};

async function timing({ folder, probe, seconds, connections, size, flags }, jobOf) {
  const path = join(folder, 'timing.db');
  if (size > 0) await writeHistory(path, size);
  const service = await startTiming(path, { ...probe, flags });
  const client = startWorker(new URL('../timing/client.mjs', import.meta.url));
  const load = (duration) => client.load(jobOf({ url: service.url, connections, seconds: duration }));
  await load(WARM_UP_SECONDS);
  return { service, work: () => load(seconds), end: client.end };
}

async function memory({ folder, probe, seconds, connections, size, model, corpus, flags }, path) {
  const workers = startWorkers();
  const dataDir =
    size === 0 ? join(folder, 'store') : (await workers.once('fill.mjs', { folder, model, sizes: [size], corpus }))[0];
  const service = await startMemory(dataDir, { ...probe, flags, model });
  await settled(service.pid);
  const load = (duration, seed) =>
    workers.load({ url: service.url, path, connections, seconds: duration, corpus, seed });
  await load(WARM_UP_SECONDS, 11);
  return { service, work: () => load(seconds, 12), end: workers.end };
}

async function mergeOnce({ folder, probe, model, corpus, flags }) {
  const service = await startMemory(join(folder, 'store'), { ...probe, flags, model });
  const file = join(folder, 'lines.ndjson');
  await writeLines(file, service.url, { memories: MERGED, corpus, withVectors: true });
  return {
    service,
    work: async () => ({ count: (await merge(service.url, file)).report.received }),
    end: () => {},
  };
}
