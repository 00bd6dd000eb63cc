#!/usr/bin/env node
// The deployment of docs/scale.md on one machine: two servers of PostgreSQL, of which one follows, two replicas of each service and the
// gateway. While clients write through the gateway, replicas are killed, restarted one after the other, and the first server is killed and
// the second promoted. What was acknowledged is there, once. Needs nginx and a PostgreSQL with pg_basebackup:
//   npm run withstand:deployment [-- --seconds 6 --spaces 4 --earlier FOLDER]     POSTGRES_BIN_TEST: as in lib/database-pair.mjs
// --earlier: an earlier version of this repository, built. Its replicas begin, and are replaced by those of this one, one after the other.
import { execFileSync, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/testing/dist/index.js';
import { commandLine } from '../lib/command-line.mjs';
import { root } from '../lib/root.mjs';
import { KnownFailure, runMain } from '../lib/say.mjs';
import { startDatabasePair, until } from './lib/database-pair.mjs';
import { createReport } from './lib/report.mjs';
import { scratchFolder, startProcess } from './lib/service.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    seconds: { type: 'string', default: '6' },
    spaces: { type: 'string', default: '4' },
    earlier: { type: 'string' },
  },
});
const phaseMs = Number(values.seconds) * 1_000;
const spaces = Array.from({ length: Number(values.spaces) }, (_, number) => `team-${number}`);
const WAIT_MS = 60_000;
/** By then the gateway knows that a replica is back. */
const NOTICED_MS = 3_000;
const folder = scratchFolder();

/** The version that starts next. */
let version = values.earlier ?? root;

async function startReplica(service, store, port) {
  const prefix = service === 'memory-service' ? 'MEMORY' : 'TIMING';
  const models = prefix === 'MEMORY' ? ['--embedding-model', 'none', '--contradiction-model', 'none'] : [];
  const command = [
    join(version, 'apps', service, 'dist/main.js'),
    '--port',
    String(port),
    '--log-level',
    'warn',
    ...models,
  ];
  const env = { [`${prefix}_STORE_FILE`]: store, [`${prefix}_TRUST_IDENTITY_HEADER`]: 'true' };
  return await startProcess(command, { env, name: `${service} on ${port}` });
}

async function startGateway(ports) {
  const [plain, tls] = [await freePort(), await freePort()];
  const home = join(root, 'docker/gateway');
  const list = (service) => ports[service].map((port) => `127.0.0.1:${port}`).join(',');
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin`,
    GATEWAY_HOME: home,
    GATEWAY_STATE: join(folder, 'gateway'),
    GATEWAY_RUN: join(folder, 'gateway-run'),
    GATEWAY_PLAIN_PORT: `127.0.0.1:${plain}`,
    GATEWAY_TLS_PORT: `127.0.0.1:${tls}`,
    GATEWAY_MEMORY_UPSTREAM: list('memory-service'),
    GATEWAY_TIMING_UPSTREAM: list('timing-service'),
    GATEWAY_ACCESS_LOG: join(folder, 'access.log'),
    GATEWAY_KEY_RATE: '100000',
  };
  const log = openSync(join(folder, 'gateway.log'), 'w');
  const child = spawn(join(home, 'gateway'), { env, stdio: ['ignore', log, log] });
  process.once('exit', () => child.kill('SIGTERM'));
  const url = `http://127.0.0.1:${plain}`;
  await until(async () => (await fetch(`${url}/gateway/health`).catch(() => null))?.ok, 'the gateway');
  const createKey = (space) =>
    execFileSync(
      join(home, 'gateway-keys'),
      ['create', '--agent', 'writer', '--role', 'team-admin', '--space', space],
      {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).trim();
  return { url, createKey };
}

await runMain(async () => {
  const report = createReport(
    'Two replicas of each service behind the gateway, over PostgreSQL with a synchronous standby',
  );
  const database = await startDatabasePair(folder);
  report.note(database.version);
  const store = join(folder, 'store');
  writeFileSync(store, database.url(database.ports), { mode: 0o600 });
  const services = ['memory-service', 'timing-service'];
  const ports = {};
  const replicas = {};
  for (const service of services) {
    ports[service] = [await freePort(), await freePort()];
    replicas[service] = [];
    for (const port of ports[service]) replicas[service].push(await startReplica(service, store, port));
  }
  const gateway = await startGateway(ports);
  const keys = new Map(spaces.map((space) => [space, gateway.createKey(space)]));
  const authorization = (space) => ({ authorization: `Bearer ${keys.get(space)}` });

  let phase = { name: 'undisturbed', answers: new Map(), longestMs: 0, acknowledged: 0 };
  const phases = [phase];
  const enter = (name) => {
    phase = { name, answers: new Map(), longestMs: 0, acknowledged: 0 };
    phases.push(phase);
  };
  let isDone = false;
  const acknowledged = { memories: new Map(), tasks: new Map() };

  /** Sends until it is taken, with the same key each time, as a client should. */
  const persist = async (space, path, body) => {
    const began = performance.now();
    for (;;) {
      const response = await fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { ...authorization(space), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => null);
      const answer = await response?.json().catch(() => null);
      const status = response?.status ?? 'broken off';
      phase.answers.set(status, (phase.answers.get(status) ?? 0) + 1);
      if (status === 200 && answer) {
        phase.longestMs = Math.max(phase.longestMs, performance.now() - began);
        phase.acknowledged++;
        return answer;
      }
      if (performance.now() - began > WAIT_MS) throw new KnownFailure(`${path}: ${status} ${JSON.stringify(answer)}`);
      await sleep(50);
    }
  };
  const client = async (space) => {
    for (let run = 0; !isDone; run++) {
      const { memory } = await persist(space, '/ingest', {
        content: `Step ${run} of ${space} is done.`,
        idempotency_key: `${space}-${run}`,
      });
      acknowledged.memories.set(`${space}/${run}`, memory.id);
      await persist(space, '/timing/events/task-start', { task_type: 'step', correlation_id: `${space}-${run}` });
      acknowledged.tasks.set(`${space}/${space}-${run}`, true);
    }
  };
  const work = spaces.map(client);
  await sleep(phaseMs);

  enter('one replica of each service killed with -9');
  for (const service of services) await replicas[service][0].kill();
  await sleep(phaseMs);
  enter('both are back');
  for (const service of services) replicas[service][0] = await startReplica(service, store, ports[service][0]);
  await sleep(phaseMs);
  enter('every replica stopped with SIGTERM and started again, one after the other');
  version = root;
  for (const service of services) {
    for (const [index, port] of ports[service].entries()) {
      await replicas[service][index].stop();
      replicas[service][index] = await startReplica(service, store, port);
      await sleep(NOTICED_MS);
    }
  }
  await sleep(phaseMs);
  enter('the first server of the database killed with -9, the second promoted');
  await database.failOver();
  await sleep(phaseMs);
  isDone = true;
  await Promise.all(work);

  for (const { name, answers, longestMs, acknowledged: count } of phases) {
    const statuses = [...answers].map(([status, times]) => `${times} x ${status}`).join(', ');
    report.note(`${name}: ${count} acknowledged (${statuses}), the longest after ${Math.round(longestMs)} ms`);
  }
  const missing = [];
  const twice = [];
  for (const space of spaces) {
    const text = await (await fetch(`${gateway.url}/export`, { headers: authorization(space) })).text();
    const kept = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const ids = kept.map(({ id }) => id);
    const contents = kept.map(({ content }) => content).filter((content) => content.startsWith('Step'));
    for (const [name, id] of acknowledged.memories)
      if (name.startsWith(`${space}/`) && !ids.includes(id)) missing.push(`memory ${name}`);
    if (contents.length === 0 || new Set(contents).size !== contents.length) twice.push(`a memory of ${space}`);
    const lines = await (
      await fetch(`${gateway.url}/timing/export?agent_id=*`, { headers: authorization(space) })
    ).text();
    const items = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const tasks = items.filter(({ kind }) => kind === 'task').map(({ correlation_id }) => `${space}/${correlation_id}`);
    for (const name of acknowledged.tasks.keys())
      if (name.startsWith(`${space}/`) && !tasks.includes(name)) missing.push(`task ${name}`);
    const starts = items
      .filter(({ event_type }) => event_type === 'task_start')
      .map(({ correlation_id }) => correlation_id);
    if (starts.length === 0 || new Set(starts).size !== starts.length) twice.push(`a task of ${space}`);
  }
  report.note(`${acknowledged.memories.size} memories and ${acknowledged.tasks.size} tasks acknowledged`);
  report.checkNone(missing, 'what was acknowledged is there');
  report.checkNone(twice, 'nothing is there twice');
  const used = new Set(
    readFileSync(join(folder, 'access.log'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).upstream.split(', ').at(-1)),
  );
  report.check(
    services.every((service) => ports[service].every((port) => used.has(`127.0.0.1:${port}`))),
    'every replica served requests',
  );
  for (const service of services) for (const replica of replicas[service]) await replica.kill();
  report.finish();
  process.exit();
});
