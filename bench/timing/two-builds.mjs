#!/usr/bin/env node
// Measures start and end of tasks with this build, with others and with the bare handler, in turns: the processor time of a pair, which
// other work on the machine hardly changes, and latencies.
//   npm run bench:timing-builds -- [OTHER ...] [--clients 1,16,64] [--rounds 5] [--seconds 2]
// OTHER: the main.js of another build, or the URL of a server with the same API that already runs (OpenTime, say), with #PID behind it
// for its processor time. On a busy machine the first row, this build, can fare worse than the same build named as OTHER: name both.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { scratchFolder, startProcess, startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { cpuSeconds, loadAverage, median, ms, ratio, table, whole } from '../lib/markdown.mjs';
import { startWorker } from '../lib/worker.mjs';

/** With many clients: the engine optimises what has run some thousand times. */
const WARM_UP = { connections: 16, amount: 12_000 };

const { values, positionals } = commandLine(import.meta.url, {
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '1,16,64' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const seconds = Number(values.seconds);
const folder = scratchFolder('timing-builds-');
const bareScript = fileURLToPath(new URL('bare.mjs', import.meta.url));
/** @type {[name: string, server: { url: string, pid: number, stop?: () => Promise<unknown> }][]} */
const servers = [
  ['this build', await startTiming(join(folder, 'this.db'))],
  ['bare handler', await startProcess([bareScript, join(folder, 'bare.db')], { name: 'the bare handler' })],
];
for (const [index, other] of positionals.entries()) {
  const command = [other, '--db-path', join(folder, `${index}.db`), '--port', '0', '--log-level', 'warn'];
  servers.push([other, other.startsWith('http') ? running(other) : await startProcess(command, { name: other })]);
}
const client = startWorker(new URL('client.mjs', import.meta.url));
for (const [, { url }] of servers) await client.ask({ kind: 'pairs', url, ...WARM_UP });
for (const connections of values.clients.split(',').map(Number)) await compare(connections);
console.log(`\nLoad average after: ${loadAverage()}`);
client.end();
for (const [, server] of servers) await server.stop?.();

function running(address) {
  const { origin, hash } = new URL(address);
  return { url: origin, pid: Number(hash.slice(1)) };
}

async function compare(connections) {
  const rounds = servers.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    // Each begins a round in its turn, so that none has the place of another.
    for (const turn of servers.keys()) {
      const index = (round + turn) % servers.length;
      const [, { url, pid }] = servers[index];
      const before = cpuSeconds(pid);
      const answer = await client.ask({ kind: 'pairs', url, connections, seconds });
      rounds[index].push({ ...answer, cpu: ((cpuSeconds(pid) - before) * 1e6) / (answer.count / 2) });
    }
  }
  const middle = (index, key) => median(rounds[index].map((answer) => answer[key]));
  const toBare = (index) => median(rounds[index].map(({ cpu }, round) => rounds[1][round].cpu / cpu));
  console.log('');
  table(
    [`${connections} clients`, 'pairs/s', 'p50', 'p99', 'p99 / p50', 'failed', 'CPU a pair', 'bare, by CPU'],
    servers.map(([name], index) => [
      name,
      whole(middle(index, 'perSecond') / 2),
      ms(middle(index, 'p50')),
      ms(middle(index, 'p99')),
      ratio(middle(index, 'p99') / middle(index, 'p50')),
      `${((100 * middle(index, 'faults')) / middle(index, 'count')).toFixed(1)} %`,
      `${whole(middle(index, 'cpu'))} µs`,
      ratio(toBare(index)),
    ]),
  );
}
