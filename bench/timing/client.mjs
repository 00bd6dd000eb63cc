// A separate process that sends the requests that its parent orders and reports the measurements.
import autocannon from 'autocannon';

const JSON_HEADERS = { 'content-type': 'application/json' };

process.on('message', async (/** @type {any} */ { kind, ...job }) => {
  process.send(await (kind === 'pairs' ? pairs(job) : requests(job)));
});
process.on('disconnect', () => process.exit(0));

/** Each connection starts a task, ends it with the correlation id of the answer, and begins again: for `seconds`, or `amount` requests. */
function pairs({ url, connections, seconds, amount }) {
  const start = {
    method: 'POST',
    path: '/events/task-start',
    headers: JSON_HEADERS,
    body: JSON.stringify({ task_type: 'bench' }),
    onResponse: (status, body, context) => {
      if (status === 200) context.id = JSON.parse(body).correlation_id;
    },
  };
  const end = {
    method: 'POST',
    path: '/events/task-end',
    headers: JSON_HEADERS,
    setupRequest: (request, context) => ({
      ...request,
      body: JSON.stringify({ task_type: 'bench', correlation_id: context.id }),
    }),
  };
  return measured({ url, connections, ...(amount ? { amount } : { duration: seconds }), requests: [start, end] });
}

function requests({ url, method = 'GET', path, body, amount }) {
  const request = { method, path, ...(body && { body: JSON.stringify(body), headers: JSON_HEADERS }) };
  return measured({ url, connections: 1, amount, requests: [request] });
}

async function measured(options) {
  const latencies = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  let last = began;
  const run = autocannon({ ...options, timeout: 60 });
  run.on('response', (_client, _status, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    last = performance.now();
  });
  const result = await run;
  const seconds = (last - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const rank = (p) => latencies[Math.min(Math.floor(latencies.length * p), latencies.length - 1)];
  return {
    count: latencies.length,
    perSecond: latencies.length / seconds,
    p50: rank(0.5),
    p99: rank(0.99),
    clientCpu: (user + system) / 1e6 / ((performance.now() - began) / 1_000),
    faults: result.non2xx + result.errors + result.timeouts,
  };
}
