#!/usr/bin/env node
// Replicas of timing-service over one PostgreSQL, killed with -9 in turns with the server itself while clients start and end tasks of a few ids
// that they share: what was acknowledged is there, no id was taken twice, no duration counts twice, all replicas answer alike.
//   node scripts/withstand/timing/postgres.mjs [--rounds 20] [--replicas 3] [--clients 16]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../../packages/testing/dist/index.js';
import { root } from '../../lib/root.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { startProcess } from '../lib/service.mjs';
import { sleep } from '../lib/workload.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    replicas: { type: 'string', default: '3' },
    clients: { type: 'string', default: '16' },
  },
});
const [rounds, count, clients] = [values.rounds, values.replicas, values.clients].map(Number);
const MAIN = join(root, 'apps/timing-service/dist/main.js');
const SPACES = ['default', 'shop'];
const JSON_HEADERS = { 'content-type': 'application/json' };
/** A round ends after 0.5 to 2 s of work, at another moment each time. */
const roundMs = (round) => 500 + ((round * 397) % 1_500);

await runMain(async () => {
  const report = createReport(
    `PostgreSQL, ${rounds} kills of ${count} replicas and of the server, under ${clients} clients`,
  );
  const server = await startPostgres({ durable: true });
  const url = await server.newDatabase('timing');
  const start = () =>
    startProcess([MAIN, '--port', '0', '--log-level', 'warn'], { env: { TIMING_STORE: url }, name: 'timing-service' });
  const replicas = await Promise.all(Array.from({ length: count }, start));
  const ledger = { started: new Map(), ended: new Map(), twice: [], wrong: [], refused: 0, broken: 0 };
  let isDone = false;

  /** Null where no answer came. */
  const post = async (path, body) => {
    const replica = replicas[Math.floor(Math.random() * replicas.length)];
    try {
      const response = await fetch(`${replica.url}${path}`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (response.status === 503) ledger.refused++;
      else if (response.status >= 500) ledger.wrong.push(`${response.status} ${JSON.stringify(answer)}`);
      return { status: response.status, answer };
    } catch {
      ledger.broken++;
      return null;
    }
  };

  const noteOnce = (known, key, { answer }) => {
    const before = known.get(key);
    if (before !== undefined && before !== answer.event.id)
      ledger.twice.push(`${key}: ${before} and ${answer.event.id}`);
    known.set(key, answer.event.id);
  };

  // Two clients share each id, so both start and end it, at whichever replica.
  const client = async (number) => {
    const name = number % Math.ceil(clients / 2);
    for (let run = 0; !isDone; run++) {
      const space = SPACES[run % SPACES.length];
      const task = { task_type: `work-${name % 3}`, correlation_id: `${name}-${run}` };
      for (const [known, path] of [
        [ledger.started, 'task-start'],
        [ledger.ended, 'task-end'],
      ]) {
        for (let tries = 0; !isDone && tries < 200; tries++) {
          const result = await post(`/events/${path}?space=${space}`, task);
          if (result?.status === 200) {
            noteOnce(known, `${space}/${task.correlation_id}`, result);
            break;
          }
          await sleep(20 + Math.random() * 50);
        }
      }
    }
  };

  const work = Array.from({ length: clients }, (_, number) => client(number));
  for (let round = 0; round < rounds; round++) {
    await sleep(roundMs(round));
    if (round % 3 === 2) {
      await server.kill();
      await sleep(300);
      await server.startAgain();
    } else {
      const which = round % count;
      await replicas[which].kill();
      replicas[which] = await start();
    }
  }
  await sleep(1_000);
  isDone = true;
  await Promise.all(work);

  // What still runs would be told with its age, which is another at every answer.
  for (const [key] of ledger.started) {
    const [space, correlation_id] = key.split('/');
    if (ledger.ended.has(key)) continue;
    const [, name] = /^(\d+)-/.exec(correlation_id);
    await post(`/events/task-end?space=${space}`, { task_type: `work-${name % 3}`, correlation_id });
  }

  const missing = [];
  for (const space of SPACES) {
    const lines = (await (await fetch(`${replicas[0].url}/export?agent_id=*&space=${space}`)).text())
      .trim()
      .split('\n');
    const items = lines.map((line) => JSON.parse(line));
    const tasks = new Map(items.filter(({ kind }) => kind === 'task').map((task) => [task.correlation_id, task]));
    const events = new Set(items.filter(({ kind }) => kind === 'event').map(({ id }) => id));
    const kept = (known) => [...known].filter(([key]) => key.startsWith(`${space}/`));
    for (const [key, id] of kept(ledger.started)) {
      if (!tasks.has(key.slice(space.length + 1)) || !events.has(id)) missing.push(`start ${key}`);
    }
    for (const [key, id] of kept(ledger.ended)) {
      if (tasks.get(key.slice(space.length + 1))?.state !== 'ended' || !events.has(id)) missing.push(`end ${key}`);
    }
    const starts = items
      .filter(({ event_type }) => event_type === 'task_start')
      .map(({ correlation_id }) => correlation_id);
    if (new Set(starts).size !== starts.length) ledger.twice.push(`${space}: a task has two starts`);
  }
  report.note(
    `${ledger.started.size} starts and ${ledger.ended.size} ends acknowledged; ${ledger.refused} answers 503, ${ledger.broken} connections broken`,
  );
  report.checkNone(missing, 'what was acknowledged is there');
  report.checkNone(ledger.twice, 'no id was taken twice');
  report.checkNone(ledger.wrong, 'no answer was an internal error');
  const answers = [];
  for (const path of ['/stats/durations?agent_id=*', '/tasks?limit=1000&state=ended', '/export?agent_id=*']) {
    for (const space of SPACES) {
      const texts = await Promise.all(
        replicas.map(async ({ url }) => await (await fetch(`${url}${path}&space=${space}`)).text()),
      );
      if (new Set(texts).size > 1) answers.push(`${path} in ${space}`);
    }
  }
  report.checkNone(answers, 'all replicas answer alike');
  await Promise.all(replicas.map((replica) => replica.kill()));
  await server.remove();
  report.finish();
});
