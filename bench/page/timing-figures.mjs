// The timing service for the page of all benchmarks.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  requester,
  SqliteDatabase,
  startProcess,
  startTiming,
} from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { cpuSeconds, median, whole } from '../lib/markdown.mjs';
import { startWorker } from '../lib/worker.mjs';
import { TASK_TYPE, writeHistory } from '../timing/history.mjs';

const timing = (file) => new URL(`../timing/${file}`, import.meta.url);
/** The engine optimises what has run some thousand times. */
const WARM_UP = { connections: 16, amount: 12_000 };
/** The aim of the first statistics is for so many. */
const AIM_TASKS = 1_000_000;

/** @param plan what is measured, and for how long: run.mjs has one for each length @returns figures */
export async function timingFigures(plan) {
  return [...(await startsAndEnds(plan)), await firstStatistics(plan)];
}

async function startsAndEnds({ folder, rounds, seconds }) {
  const client = startWorker(timing('client.mjs'));
  const bareScript = fileURLToPath(timing('bare.mjs'));
  const servers = [
    await startTiming(join(folder, 'pairs.db')),
    await startProcess([bareScript, join(folder, 'bare.db')], { name: 'the bare handler' }),
  ];
  for (const { url } of servers) await client.load({ kind: 'pairs', url, ...WARM_UP });
  const measured = new Map();
  for (const connections of [1, 16, 64]) {
    const answers = servers.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { url, pid }] of servers.entries()) {
        const before = cpuSeconds(pid);
        const answer = await client.load({ kind: 'pairs', url, connections, seconds });
        answers[index].push({ ...answer, cpu: ((cpuSeconds(pid) - before) * 1e6) / (answer.count / 2) });
      }
    }
    measured.set(
      connections,
      answers.map((list) => (key) => median(list.map((answer) => answer[key]))),
    );
  }
  client.end();
  for (const server of servers) await server.stop();
  return figuresOf(measured);
}

function figuresOf(measured) {
  const [one, bareOne] = measured.get(1);
  const [many, bareMany] = measured.get(16);
  const name = 'bare Express insert';
  const rate = (connections) => {
    const [ours, bare] = measured.get(connections);
    return {
      name: `timing: starts and ends of tasks, ${connections} clients, pairs`,
      value: ours('perSecond') / 2,
      unit: 'a second',
      limit: { name, value: bare('perSecond') / 2 },
    };
  };
  return [
    rate(1),
    rate(16),
    rate(64),
    {
      name: 'timing: processor time of a pair, 16 clients',
      value: many('cpu'),
      unit: 'µs',
      aim: bareMany('cpu') / 0.6,
      limit: { name, value: bareMany('cpu') },
    },
    {
      name: 'timing: a start or an end, 1 client, p99',
      value: one('p99'),
      unit: 'ms',
      aim: 3,
      limit: { name, value: bareOne('p99') },
    },
    {
      name: 'timing: p99 by p50, 16 clients',
      value: many('p99') / many('p50'),
      unit: 'times',
      aim: 3,
      limit: { name, value: bareMany('p99') / bareMany('p50') },
    },
  ];
}

async function firstStatistics({ folder, tasks, rounds }) {
  const path = join(folder, 'history.db');
  await writeHistory(path, tasks);
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const service = await startTiming(path);
    const client = requester(service.url);
    for (let count = 0; count < 50; count++) await client.get('/clock/now');
    const began = performance.now();
    await client.get(`/stats/durations/${TASK_TYPE}`);
    times.push(performance.now() - began);
    client.close();
    await service.stop();
  }
  return {
    name: `timing: first statistics after a start, ${whole(tasks)} tasks`,
    value: median(times),
    unit: 'ms',
    ...(tasks === AIM_TASKS && { aim: 1_000 }),
    limit: { name: 'SQLite reads their durations in order', value: median(times.map(() => orderedRead(path))) },
  };
}

/** Milliseconds. */
function orderedRead(path) {
  const db = new SqliteDatabase(path, { readonly: true });
  const statement = db.prepare(
    `SELECT duration_us FROM tasks WHERE state = 'ended' AND task_type = ? AND outcome = ? ORDER BY duration_us`,
  );
  const began = performance.now();
  for (const outcome of ['ok', 'timeout']) statement.pluck().all(TASK_TYPE, outcome);
  const took = performance.now() - began;
  db.close();
  return took;
}
