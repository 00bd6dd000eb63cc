#!/usr/bin/env node
// The copy of a file into PostgreSQL, and back into another file, killed with -9 again and again while clients write to the file: in the
// end the exports of all three are the same to the byte.
//   node scripts/withstand/timing/copy.mjs [--kills 10] [--tasks 6000] [--seed 1]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres, parseStoreUrl } from '../../../packages/postgres-kit/dist/index.js';
import { createLog } from '../../../packages/service-kit/dist/index.js';
import { startPostgres } from '../../../packages/testing/dist/index.js';
import { commandLine } from '../../lib/command-line.mjs';
import { root } from '../../lib/root.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, SqliteDatabase, scratchFolder, startTiming } from './lib/timing-service.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    kills: { type: 'string', default: '10' },
    tasks: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
  },
});
const [kills, count] = [values.kills, values.tasks].map(Number);
const MAIN = join(root, 'apps/timing-service/dist/main.js');
const SPACES = ['default', 'shop'];
const CLIENTS = 8;
/** A copy is killed when it has written one to so many pages, which are a transaction each. */
const MOST_PAGES = 3;
const PAGE = 1_000;
const LOOK_MS = 20;
/** What still runs is told with its age, which is another at every answer. */
const AGE = /"elapsed_seconds":[^,}]+/g;

await runMain(async () => {
  const report = createReport(`copies from a file to PostgreSQL and back, killed ${kills} times each way`);
  const random = seededRandom(Number(values.seed));
  const folder = scratchFolder();
  const [path, other] = [join(folder, 'timing.db'), join(folder, 'other.db')];
  const server = await startPostgres({ durable: true });
  const url = await server.newDatabase('timing');
  const service = await startTiming(path);
  const client = requester(service.url, { connections: CLIENTS });
  let written = 0;
  let isOver = false;
  const write = async (most) => {
    for (let number = written++; number < most && !isOver; number = written++) {
      const space = SPACES[number % SPACES.length];
      const task = { task_type: `work-${number % 5}`, correlation_id: `t-${number}` };
      await client.post(`/events/task-start?space=${space}`, { ...task, metadata: { number } });
      if (number % 7 !== 0) await client.post(`/events/task-end?space=${space}`, task);
      if (number % 50 === 0) await client.post(`/stopwatch/w-${number % 300}/start?space=${space}`, {});
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, () => write(count)));

  const postgres = await openPostgres({
    url: parseStoreUrl(url),
    log: createLog({ name: 'withstand', level: 'warn' }),
    applicationName: 'withstand',
  });
  /** Events that a copy has written so far; 0 before there is a table. */
  const eventsAt = {
    import: async () => {
      const found = postgres.query({ text: 'SELECT count(*)::int AS rows FROM timing.event' });
      return await found.then(({ rows }) => rows[0].rows).catch(() => 0);
    },
    export: async () => {
      try {
        const database = new SqliteDatabase(other, { readonly: true });
        const rows = database.prepare('SELECT count(*) FROM events').pluck().get();
        database.close();
        return rows;
      } catch {
        return 0;
      }
    },
  };
  /** @returns the exit code, null where it was killed */
  const copy = async (name, file, pages) => {
    const child = spawn(process.execPath, [MAIN, name, '--db-path', file, '--store', url], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const words = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => words.push(String(chunk)));
    const exited = once(child, 'exit');
    if (pages !== null) {
      const limit = (await eventsAt[name]()) + pages * PAGE;
      while (child.exitCode === null && (await eventsAt[name]()) < limit) await sleep(LOOK_MS);
      child.kill('SIGKILL');
    }
    const [code] = await exited;
    return { code, said: words.join('').trim() };
  };
  const refused = [];
  let killed = 0;
  const copyUnderKills = async (name, file) => {
    for (let kill = 0; kill < kills; kill++) {
      const { code, said } = await copy(name, file, 1 + Math.floor(random() * MOST_PAGES));
      if (code === null) killed++;
      else if (code !== 0) refused.push(said);
    }
  };
  const writing = Array.from({ length: CLIENTS }, () => write(Number.POSITIVE_INFINITY));
  await copyUnderKills('import', path);
  isOver = true;
  await Promise.all(writing);
  await sleep(100);
  const last = await copy('import', path, null);
  report.note(last.said);
  if (last.code !== 0) refused.push(last.said);
  await copyUnderKills('export', other);
  const back = await copy('export', other, null);
  if (back.code !== 0) refused.push(back.said);
  report.note(`${killed} copies killed, ${2 * kills - killed} had ended before`);
  report.checkNone(refused, 'no copy was refused');

  const replica = await startTiming(null, { env: { TIMING_STORE: url } });
  const twin = await startTiming(other);
  const unlike = [];
  for (const space of SPACES) {
    for (const question of ['/export?agent_id=*', '/tasks?limit=1000&state=ended', '/agents', '/projects?agent_id=*']) {
      const join = question.includes('?') ? '&' : '?';
      const texts = [];
      for (const { url: address } of [service, replica, twin]) {
        const asking = requester(address, { limitMs: 60_000 });
        const { text } = await asking.get(`${question}${join}space=${space}`);
        texts.push(text.replaceAll(AGE, ''));
        asking.close();
      }
      if (new Set(texts).size !== 1)
        unlike.push(`${question} in ${space}: ${texts.map(({ length }) => length)} characters`);
    }
  }
  report.checkNone(unlike, 'the file, the database and the second file answer the same to the byte');
  client.close();
  await postgres.close();
  await Promise.all([service, replica, twin].map((process) => process.kill()));
  await server.remove();
  report.finish();
});
