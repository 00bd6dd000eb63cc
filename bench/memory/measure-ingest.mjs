// Measures ingest, beside the limits of the model, the disk and the HTTP server.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf, startMemory, startProcess } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, median, ms, ratio, table, title, whole } from '../lib/markdown.mjs';

/** Clients. The 16 go first: the JavaScript engine needs thousands of requests to optimise, and one client sends them slowly. */
const CONNECTIONS = [16, 1];
const WARM_UP_SECONDS = { 16: 5, 1: 1 };
let seed = 100;

export async function measureIngest(model, plan, workers) {
  const { folder, roundSeconds, corpus } = plan;
  const bareScript = fileURLToPath(new URL('bare.mjs', import.meta.url));
  const kept = await startMemory(join(folder, `${model}-ingest`), { model });
  const volatile = await startMemory(null, { model });
  const bare = await startProcess([bareScript], { name: 'the bare handler' });
  /** @type {[name: string, server: typeof kept, path: string][]} */
  const ways = [
    ['/ingest', kept, '/ingest'],
    ['/ingest without a data directory', volatile, '/ingest'],
    ['/ingest_and_recall', kept, '/ingest_and_recall'],
    ['bare Express handler', bare, '/ingest'],
  ];
  const rows = [];
  const byName = new Map();
  for (const connections of CONNECTIONS) {
    for (const [, { url }, path] of ways) {
      await workers.load({ url, path, connections, seconds: WARM_UP_SECONDS[connections], corpus, seed: seed++ });
    }
    const rounds = ways.map(() => []);
    for (let round = 0; round < plan.rounds; round++) {
      for (const [index, [, server, path]] of ways.entries()) {
        const before = cpuOf(server);
        const job = { url: server.url, path, connections, seconds: roundSeconds, corpus, seed: seed++ };
        const answer = await workers.load(job);
        rounds[index].push({ ...answer, cpu: ((cpuOf(server) - before) * 1_000) / answer.count });
      }
    }
    for (const [index, [name]] of ways.entries()) {
      const middle = (key) => median(rounds[index].map((answer) => answer[key]));
      const best = Math.max(...rounds[index].map(({ perSecond }) => perSecond));
      byName.set(`${name} ${connections}`, middle('perSecond'));
      rows.push([
        name,
        connections,
        whole(middle('perSecond')),
        whole(best),
        ms(middle('p50')),
        ms(middle('p95')),
        ms(middle('p99')),
        ms(middle('cpu')),
        `${whole(100 * middle('clientCpu'))} %`,
      ]);
    }
  }
  for (const server of [kept, volatile, bare]) await server.stop();
  const alone = await workers.once('limits.mjs', { kind: 'model', model, milliseconds: roundSeconds * 1_000, corpus });
  const { perSecond: syncs } = await workers.once('limits.mjs', { kind: 'sync', folder, milliseconds: 2_000 });

  title(`Ingest, ${model}`);
  console.log(
    'CPU is what the server took per request with all its threads and FAISS. Client: share of a core that it took.\n',
  );
  table(['', 'clients', 'messages/s', 'best round', 'p50', 'p95', 'p99', 'CPU a message', 'client'], rows);
  console.log('');
  table(
    ['limit', 'a second'],
    [
      ['the model alone, 32 texts at a time', whole(alone.batched)],
      ['the model alone, one text after the other', whole(alone.single)],
      ['syncs of 2 KiB', whole(syncs)],
      ...CONNECTIONS.map((connections) => [
        `journal: with a data directory, of the rate without, ${connections} clients`,
        ratio(byName.get(`/ingest ${connections}`) / byName.get(`/ingest without a data directory ${connections}`)),
      ]),
    ],
  );
}

function cpuOf({ pid }) {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (cpuSeconds(each) || 0), 0);
}
