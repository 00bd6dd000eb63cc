// A separate process that sends the requests that its parent orders and reports the measurements.
import autocannon from 'autocannon';
import { textSource } from './texts.mjs';

const JSON_HEADERS = { 'content-type': 'application/json' };
const SESSIONS = 20;

process.on('message', async (/** @type {any} */ job) => process.send(await measured(job)));
process.on('disconnect', () => process.exit(0));

const BODIES = {
  '/ingest': ({ say }, number) => ({ content: say(), role: 'user', session_id: `session-${number % SESSIONS}` }),
  '/ingest_and_recall': ({ say }, number) => ({
    content: say(),
    role: 'user',
    session_id: `session-${number % SESSIONS}`,
  }),
  '/recall': ({ ask }) => ({ query: ask() }),
};

async function measured({ url, path, connections, seconds, amount, corpus, seed }) {
  const texts = textSource({ corpus, seed });
  let number = 0;
  const request = {
    method: 'POST',
    path,
    headers: JSON_HEADERS,
    setupRequest: (request) => ({ ...request, body: JSON.stringify(BODIES[path](texts, number++)) }),
  };
  const latencies = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  let last = began;
  const bounds = amount === undefined ? { duration: seconds } : { amount };
  const run = autocannon({ url, connections, ...bounds, requests: [request], timeout: 60 });
  run.on('response', (_client, _status, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    last = performance.now();
  });
  const result = await run;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const rank = (p) => latencies[Math.min(Math.floor(latencies.length * p), latencies.length - 1)];
  return {
    count: latencies.length,
    perSecond: latencies.length / ((last - began) / 1_000),
    p50: rank(0.5),
    p95: rank(0.95),
    p99: rank(0.99),
    clientCpu: (user + system) / 1e6 / ((performance.now() - began) / 1_000),
    faults: result.non2xx + result.errors + result.timeouts,
  };
}
