#!/usr/bin/env node
// A disk that fills up under the service, and a start on a disk that is full or read-only: ingest, edit, delete and save answer 503 and say why, recall and reads go on, nothing
// that was acknowledged is lost, everything works again once there is room.
//   sudo node scripts/withstand/memory/full-disk.mjs
// Needs root and Linux, to mount a small tmpfs; it is gone afterwards. Else it says "not tried".
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { canMount, fillDisk, mountTmpfs } from '../lib/disks.mjs';
import { createReport } from '../lib/report.mjs';
import { AGENTS, compareCounts, compareWithExport, Ledger } from './lib/ledger.mjs';
import { requester, scratchFolder, startMemory } from './lib/memory-service.mjs';
import { sentenceSource } from './lib/sentences.mjs';

const DISK = '8m';
const MEMORIES = 800;
/** The journal's last page may have room for a few lines on a full disk. */
const MOST_WRITES_UNTIL_FULL = 200;
const [agentId] = AGENTS;

commandLine(import.meta.url, {});
await runMain(async () => {
  const report = createReport('a full disk');
  const disk = canMount() ? mountTmpfs(scratchFolder(), DISK) : null;
  if (!disk) {
    report.note('not tried: mounting a small tmpfs needs root on Linux, and a machine that lets it');
    return;
  }
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  let service = await startMemory(dataDir);
  let client = requester(service.url, { connections: 8 });
  const ledger = new Ledger();
  const sentence = sentenceSource(seededRandom(1));
  let number = 0;

  /** Each kind of write: sends it, and notes in the ledger what was acknowledged. */
  const anyId = () => [...ledger.memories].find(([, { isDeleted }]) => !isDeleted)[0];
  const writes = {
    'POST /ingest': async () => {
      const answer = await client.post('/ingest', { content: `${sentence()} (${number++})` }, { agentId });
      if (answer.status === 200) ledger.stored(answer.body);
      return answer;
    },
    'POST /ingest_and_recall': async () => {
      const answer = await client.post('/ingest_and_recall', { content: `${sentence()} (${number++})` }, { agentId });
      if (answer.status === 200) ledger.stored(answer.body);
      return answer;
    },
    'PUT /memory/{id}': async () => {
      const answer = await client.put(`/memory/${anyId()}`, { gist: `${sentence()} (${number++})` }, { agentId });
      if (answer.status === 200) ledger.changed(answer.body, 'updates');
      return answer;
    },
    'DELETE /memory/{id}': async () => {
      const id = anyId();
      const answer = await client.delete(`/memory/${id}`, { agentId });
      if (answer.status === 200) ledger.deleted(id);
      return answer;
    },
    'POST /save': () => client.post('/save', undefined, { agentId }),
  };
  const reads = {
    'GET /health': () => client.get('/health'),
    'GET /stats': () => client.get('/stats', { agentId }),
    'GET /memories': () => client.get('/memories?limit=10', { agentId }),
    'GET /memory/{id}': () => client.get(`/memory/${anyId()}`, { agentId }),
    'GET /export': () => client.get('/export', { agentId }),
    'POST /recall': () => client.post('/recall', { query: 'who fixed the cache' }, { agentId }),
    'GET /working_memory': () => client.get('/working_memory', { agentId }),
    'GET /metrics': () => client.get('/metrics'),
  };
  const nothingLost = async (when) => {
    const found = await compareWithExport(service.url, ledger);
    const faults = [...found.lost, ...found.changed, ...found.returned, ...found.unknown];
    report.checkNone(faults, `${when}: what is there is what was acknowledged, ${ledger.living} memories`);
    report.checkNone(await compareCounts(service.url, ledger), `${when}: the counts agree`);
  };
  const refusals = async (when, kinds) => {
    for (const kind of kinds) {
      let answer = await writes[kind]();
      let found = 0;
      for (; answer.status === 200 && found < MOST_WRITES_UNTIL_FULL; found++) answer = await writes[kind]();
      const says = answer.body?.detail ?? '';
      const isClear = answer.status === 503 && /full/i.test(says) && /problem\+json/.test(answer.type);
      report.check(isClear, `${when}: ${kind} answers 503 (after ${found} that found room): ${says}`, answer.text);
    }
  };
  const readsGoOn = async (when) => {
    const bad = [];
    for (const [kind, read] of Object.entries(reads)) {
      const { status, text } = await read();
      if (status !== 200) bad.push(`${kind}: ${status} ${text.slice(0, 160)}`);
    }
    report.checkNone(bad, `${when}: ${Object.keys(reads).length} kinds of reads go on`);
  };
  const worksAgain = async (when) => {
    const bad = [];
    for (const [kind, write] of Object.entries(writes)) {
      const { status, text } = await write();
      if (status !== 200) bad.push(`${kind}: ${status} ${text.slice(0, 160)}`);
    }
    report.checkNone(bad, `${when}: every kind of write succeeds`);
  };

  for (let stored = 0; stored < MEMORIES; stored += 8)
    await Promise.all(Array.from({ length: 8 }, writes['POST /ingest']));
  await writes['POST /save']();

  await writes['POST /ingest']();
  fillDisk(ballast);
  await refusals('full during a save', ['POST /save']);
  await nothingLost('full during a save');
  const left = readdirSync(dataDir).filter((name) => /\.tmp$|\.next$/.test(name));
  report.checkNone(left, 'full during a save: the files of the failed save are gone');
  await refusals('full', Object.keys(writes));
  await readsGoOn('full');
  await nothingLost('full');

  rmSync(ballast);
  await worksAgain('room was made');
  await nothingLost('room was made');

  fillDisk(ballast);
  await refusals('full again', Object.keys(writes));
  client.close();
  await service.kill();
  const start = async () => {
    service = await startMemory(dataDir);
    client = requester(service.url, { connections: 8 });
  };
  const startedWithout = async (what, says) => {
    await start();
    const { body: ready } = await client.get('/health/ready');
    const { body: health } = await client.get('/health');
    report.check(
      ready.status === 'degraded' && says.test(ready.reasons[0]?.detail) && says.test(health.persistence.refusal),
      `started after kill -9 on a ${what} disk: readiness and health say so: ${ready.reasons[0]?.detail}`,
      `${JSON.stringify(ready)} ${JSON.stringify(health)}`,
    );
    const log = service.words.join('\n');
    report.check(says.test(log) && !/check that/.test(log), 'so does the log, and nothing of rights', log);
  };

  await startedWithout('full', /disk is full/);
  await refusals('started full', Object.keys(writes));
  await readsGoOn('started full');
  await nothingLost('started full');
  rmSync(ballast);
  await worksAgain('room was made after the start');
  const { body: ready } = await client.get('/health/ready');
  report.check(ready.status === 'ready', 'room was made after the start: ready again', JSON.stringify(ready));
  await nothingLost('room was made after the start');

  fillDisk(ballast);
  client.close();
  await service.kill();
  await startedWithout('full', /disk is full/);
  // The first service looks for room every few seconds, and would take the lock first.
  service.child.kill('SIGSTOP');
  rmSync(ballast);
  const other = await startMemory(dataDir);
  service.child.kill('SIGCONT');
  const { code } = await service.exited;
  report.check(code === 1, 'where another process takes the directory first, this one ends', service.words.join('\n'));
  client.close();
  service = other;
  client = requester(service.url, { connections: 8 });
  await worksAgain('taken by another process');
  await nothingLost('taken by another process');

  client.close();
  await service.kill();
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  await startedWithout('read-only', /disk is read-only/);
  await readsGoOn('started read-only');
  await nothingLost('started read-only');
  const { status, body } = await client.post('/ingest', { content: 'no' }, { agentId });
  report.check(
    status === 503 && /read-only/.test(body.detail),
    `started read-only: POST /ingest answers 503: ${body.detail}`,
  );
  execFileSync('mount', ['-o', 'remount,rw', disk]);
  await worksAgain('made writable again');
  await nothingLost('made writable again');
  client.close();
  report.check((await service.stop()) === 0, 'the service stops cleanly');
  report.finish();
});
