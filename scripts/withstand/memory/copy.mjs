#!/usr/bin/env node
// The copy of a data directory into PostgreSQL, and back into another directory, killed with -9 again and again. After each kill of the way
// back, a service on what is there holds each space whole or not at all, or refuses it; the next copy goes on. In the end all three export the same.
//   node scripts/withstand/memory/copy.mjs [--kills 6] [--memories 1500] [--seed 1]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres, parseStoreUrl } from '../../../packages/postgres-kit/dist/index.js';
import { createLog } from '../../../packages/service-kit/dist/index.js';
import { startPostgres } from '../../../packages/testing/dist/index.js';
import { commandLine } from '../../lib/command-line.mjs';
import { KnownFailure, runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, SERVICE, scratchFolder, startMemory } from './lib/memory-service.mjs';
import { sentenceSource } from './lib/sentences.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    kills: { type: 'string', default: '6' },
    memories: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
  },
});
const [kills, count] = [values.kills, values.memories].map(Number);
const SPACES = ['default', 'shop'];
const CLIENTS = 8;
/** A copy is killed when what it writes has changed so often, as often as somebody looks. */
const MOST_CHANGES = 24;
const LOOK_MS = 2;
const LIMIT_MS = 60_000;
const FLAGS = ['--contradiction-model', 'none', '--consolidate-cron', 'off'];
/** What a copy says that has to be made again, because the source compares memories in the background. */
const BEHIND = 'came meanwhile';
/** Strength fades with each moment; what it is computed from stays in the text. */
const STRENGTH = /"strength":[\d.]+,?/g;

await runMain(async () => {
  const report = createReport(`copies of a data directory to PostgreSQL and back, killed ${kills} times each way`);
  const random = seededRandom(Number(values.seed));
  const folder = scratchFolder();
  const [path, other] = [join(folder, 'first'), join(folder, 'second')];
  const server = await startPostgres({ durable: true });
  const url = await server.newDatabase('memory');
  const start = (dataDir, env) => startMemory(dataDir, { model: 'none', flags: FLAGS, env, logLevel: 'error' });
  const first = await start(path);
  await fill(first.url);
  const expected = await exportsOf(first.url);

  const postgres = await openPostgres({
    url: parseStoreUrl(url),
    log: createLog({ name: 'withstand', level: 'warn' }),
    applicationName: 'withstand',
  });
  /** Of the rows or files that a copy writes: another text at each change. */
  const seen = {
    import: async () => {
      const text = `SELECT (SELECT count(*) FROM memory.checkpoint) || ' ' || (SELECT count(*) FROM memory.pruned)
        || (SELECT string_agg(source || position, ' ') FROM memory.copy) AS seen`;
      return await postgres.query({ text }).then(
        ({ rows }) => rows[0].seen,
        () => '',
      );
    },
    export: async () => filesIn(other),
  };
  /** @param changes after which it is killed; null: never @returns the exit code, null where it was killed */
  const copy = async (name, dataDir, changes) => {
    const command = [join(SERVICE, 'dist/main.js'), name, '--data-dir', dataDir, '--store', url];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const words = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => words.push(String(chunk)));
    const exited = once(child, 'exit');
    let last = await seen[name]();
    for (let left = changes ?? 0; left > 0 && child.exitCode === null; await sleep(LOOK_MS)) {
      const now = await seen[name]();
      if (now !== last) left--;
      last = now;
    }
    if (changes !== null) child.kill('SIGKILL');
    const [code] = await exited;
    return { code, said: words.join('').trim() };
  };
  const refused = [];
  const halves = [];
  const told = { killed: 0, ended: 0, writing: 0, whole: 0, partly: 0, empty: 0 };
  for (const [name, dataDir] of [
    ['import', path],
    ['export', other],
  ]) {
    for (let kill = 0; kill < kills; kill++) {
      const { code, said } = await copy(name, dataDir, 1 + Math.floor(random() * MOST_CHANGES));
      if (code === null) told.killed++;
      else if (isRefused(code, said)) refused.push(said);
      else told.ended++;
      if (name === 'export' && existsSync(other)) await lookAt(join(folder, `half-${kill}`));
    }
    let last = { code: 1, said: BEHIND };
    while (last.code !== 0 && !isRefused(last.code, last.said)) last = await copy(name, dataDir, null);
    report.note(`${name}: ${last.said.replaceAll('\n', ' ')}`);
    if (last.code !== 0) refused.push(last.said);
  }

  /** Starts a service on a copy of the target as it was left. */
  async function lookAt(half) {
    cpSync(other, half, { recursive: true, filter: (file) => !file.endsWith('lock') });
    if (/\.(tmp|next) /.test(filesIn(half))) told.writing++;
    const service = await start(half);
    const found = await exportsOf(service.url);
    await service.kill();
    const whole = SPACES.filter((_, at) => found[at] === expected[at]);
    const none = SPACES.filter((_, at) => found[at] !== expected[at] && memoriesIn(found[at]).length === 0);
    if (whole.length + none.length < SPACES.length)
      halves.push(`${half}: ${found.map(({ length }) => length)} characters`);
    told[whole.length === SPACES.length ? 'whole' : whole.length > 0 ? 'partly' : 'empty']++;
  }

  report.note(`${told.killed} copies killed, ${told.ended} had ended before`);
  report.note(`${told.writing} killed exports had files under way`);
  report.note(
    `a service on what a killed export left found all spaces ${told.whole} times, some ${told.partly} times, none ${told.empty} times`,
  );
  report.checkNone(refused, 'no copy was refused');
  report.checkNone(halves, 'no space was there in part');
  const replica = await start(null, { MEMORY_STORE: url });
  const twin = await start(other);
  const unlike = [];
  for (const [name, at] of [
    ['the database', replica.url],
    ['the second directory', twin.url],
  ]) {
    for (const [number, text] of (await exportsOf(at)).entries())
      if (text !== expected[number]) unlike.push(`${SPACES[number]} in ${name}: ${text.length} characters`);
  }
  report.checkNone(unlike, 'the directory, the database and the second directory export the same bytes');
  await postgres.close();
  await Promise.all([first, replica, twin].map((process) => process.kill()));
  await server.remove();
  report.finish();
});

async function fill(url) {
  const client = requester(url, { connections: CLIENTS, limitMs: LIMIT_MS });
  const say = sentenceSource(seededRandom(7));
  let number = 0;
  const tell = async () => {
    for (let at = number++; at < count; at = number++) {
      const about = { agentId: `agent-${at % 3}`, headers: { 'x-space': SPACES[at % SPACES.length] } };
      const { status, body, text } = await client.post('/ingest', { content: `${at}: ${say()}` }, about);
      if (status !== 200) throw new KnownFailure(text);
      if (at % 9 === 0) await client.put(`/memory/${body.memory.id}`, { importance: 0.5 }, about);
      if (at % 11 === 0) await client.delete(`/memory/${body.memory.id}`, about);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, tell));
  client.close();
}

/** A text for each space. */
async function exportsOf(url) {
  const client = requester(url, { limitMs: LIMIT_MS });
  const texts = [];
  for (const space of SPACES) {
    const { status, text } = await client.get('/export', { agentId: 'all', headers: { 'x-space': space } });
    if (status !== 200) throw new KnownFailure(text);
    texts.push(text.replaceAll(STRENGTH, ''));
  }
  client.close();
  return texts;
}

function isRefused(code, said) {
  return code !== 0 && !said.includes(BEHIND);
}

function memoriesIn(text) {
  return text.split('\n').filter((line) => line.includes('"content"'));
}

/** Names and sizes of all files in a folder; empty where there is none. */
function filesIn(folder) {
  try {
    const names = readdirSync(folder, { recursive: true });
    return names.map((name) => `${name} ${statSync(join(folder, name)).size}`).join('\n');
  } catch {
    // It is not there yet, or a file went while it was looked at.
    return '';
  }
}
