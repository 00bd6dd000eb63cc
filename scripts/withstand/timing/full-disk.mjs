#!/usr/bin/env node
// A disk that fills up under the service, then one that the kernel turns read-only: writes answer 503 and say why, reads go
// on, nothing that was acknowledged is lost, writes succeed again once there is room.
//   sudo node scripts/withstand/timing/full-disk.mjs
// Needs root and Linux, to mount a small tmpfs and a small ext4 image; both are gone afterwards. Else it says "not tried".
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { canMount, fillDisk, mountExt4, mountTmpfs } from '../lib/disks.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, scratchFolder, startTiming } from './lib/timing-service.mjs';
import { compareFile, compareStatistics } from './lib/truth.mjs';
import { AGENTS, Ledger, TASK_TYPES } from './lib/workload.mjs';

/** The log of the tasks before takes half of it. */
const DISK = '64m';
/** The write-ahead log may hold some room of its own: this many writes of a kind may still succeed on a full disk. */
const MOST_WRITES_UNTIL_FULL = 2_000;
const [agentId] = AGENTS;
const [taskType] = TASK_TYPES;

/** Each kind of write, with what it answers when it succeeds. */
const WRITES = [
  ['/events/task-start', { task_type: taskType }],
  ['/events', { event_type: 'note', metadata: { text: 'x'.repeat(4_000) } }],
  ['/stopwatch/watch/start', undefined],
];
const READS = [
  '/health',
  '/clock/now',
  '/agents',
  '/events?limit=10',
  '/tasks?limit=10',
  '/events/active',
  '/stats/durations',
  `/stats/durations/${taskType}`,
  `/stats/recommend-timeout/${taskType}`,
  '/stopwatches',
  '/export',
  '/dashboard',
  '/metrics',
];

commandLine(import.meta.url, {});
await runMain(async () => {
  const report = createReport('a full and a read-only disk');
  if (!canMount()) {
    report.note('not tried: mounting a small disk needs root on Linux');
    return;
  }
  const scratch = scratchFolder();
  const disk = mountTmpfs(scratch, DISK);
  if (disk) await fullDisk(report, disk);
  else report.note('full disk not tried: this machine lets nobody mount a tmpfs');

  const readOnly = mountExt4(scratch);
  if (readOnly) await readOnlyDisk(report, readOnly);
  else report.note('read-only disk not tried: this machine lets nobody mount an ext4 image');
  report.finish();
});

async function fullDisk(report, folder) {
  const dbPath = join(folder, 'timing.db');
  let service = await startTiming(dbPath);
  let client = requester(service.url);
  const ledger = new Ledger();
  const open = await someTasks(client, ledger, 300);

  const ballast = join(folder, 'ballast');
  fillDisk(ballast);
  const refusal = await untilRefused(client, ledger);
  report.check(
    refusal.status === 503,
    `a write on a full disk answers 503 (after ${refusal.writes} that found room)`,
    refusal.text,
  );
  report.check(refusal.type.startsWith('application/problem+json'), 'as a problem document', refusal.type);
  report.check(/disk is full/i.test(refusal.body?.detail ?? ''), `that says so: ${refusal.body?.detail}`);
  await refusesAndReads(report, client, ledger, open, 'on a full disk');

  client.close();
  await service.kill();
  service = await startTiming(dbPath);
  client = requester(service.url);
  await degraded(report, client, /disk is full/i, 'started on a full disk after kill -9');
  await refusesAndReads(report, client, ledger, open, 'started on a full disk after kill -9');

  client.close();
  await service.stop();
  fillDisk(join(folder, 'more-ballast'));
  service = await startTiming(dbPath);
  client = requester(service.url);
  await degraded(report, client, /disk is full/i, 'started on a full disk after a stop');
  await refusesAndReads(report, client, ledger, open, 'started on a full disk after a stop');
  rmSync(join(folder, 'more-ballast'));

  rmSync(ballast);
  await writesAgain(report, client, ledger, open, 'after room was made');
  const { body: ready } = await client.get('/health/ready');
  report.check(ready.status === 'ready', 'ready again after room was made', JSON.stringify(ready));
  await nothingLost(report, service, dbPath, ledger);
  client.close();
  report.check((await service.stop()) === 0, 'the service stops cleanly');

  execFileSync('mount', ['-o', 'remount,ro', folder]);
  service = await startTiming(dbPath);
  client = requester(service.url);
  await degraded(report, client, /start the service again/, 'started on a read-only disk after a stop');
  await refusesAndReads(report, client, ledger, open, 'started on a read-only disk after a stop');
  client.close();
  await service.stop();
}

async function readOnlyDisk(report, folder) {
  const dbPath = join(folder, 'timing.db');
  const service = await startTiming(dbPath);
  const client = requester(service.url);
  const ledger = new Ledger();
  const open = await someTasks(client, ledger, 300);

  // What the kernel does to ext4 when the device fails: the disk is read-only under files that are open for writing.
  execFileSync('mount', ['-o', 'remount,abort', folder], { stdio: 'ignore' });
  const refusal = await untilRefused(client, ledger);
  report.check(refusal.status === 503, 'a write on a read-only disk answers 503', refusal.text);
  report.check(
    /read-only|cannot be (read or written|opened)/.test(refusal.body?.detail ?? ''),
    `that says so: ${refusal.body?.detail}`,
  );
  await refusesAndReads(report, client, ledger, open, 'on a read-only disk');
  client.close();
  await service.kill();

  const again = await startTiming(dbPath);
  const reader = requester(again.url);
  await degraded(report, reader, /start the service again/, 'started on a read-only disk after kill -9');
  await refusesAndReads(report, reader, ledger, open, 'started on a read-only disk after kill -9');
  reader.close();
  await again.stop();
}

async function degraded(report, client, says, where) {
  const { body } = await client.get('/health/ready');
  const isSaid = body.status === 'degraded' && says.test(body.reasons[0]?.detail);
  report.check(isSaid, `readiness ${where} says degraded, and why`, JSON.stringify(body));
}

/** Ended tasks, and a few that are still running. */
async function someTasks(client, ledger, count) {
  const open = [];
  for (let number = 0; number < count; number++) {
    const id = `task-${number}`;
    const start = await client.post('/events/task-start', { task_type: taskType, correlation_id: id }, { agentId });
    ledger.acknowledgeStart(start, { agentId, taskType });
    if (number % 10 === 0) open.push(id);
    else
      ledger.acknowledgeEnd(
        await client.post('/events/task-end', { task_type: taskType, correlation_id: id }, { agentId }),
      );
  }
  return open;
}

/** Writes until there is no room left; what succeeded must be there afterwards. */
async function untilRefused(client, ledger, [path, body] = WRITES[0]) {
  for (let writes = 0; ; writes++) {
    const answer = await client.post(path, body, { agentId });
    if (path === '/events/task-start') ledger.acknowledgeStart(answer, { agentId, taskType });
    if (path === '/events/task-end') ledger.acknowledgeEnd(answer);
    if (answer.status !== 200 || writes === MOST_WRITES_UNTIL_FULL) return { ...answer, writes };
  }
}

async function refusesAndReads(report, client, ledger, open, where) {
  const end = ['/events/task-end', { task_type: taskType, correlation_id: open[0] }];
  for (const write of [...WRITES, end, ['/import', importLine()]]) {
    const { status, body, text, writes } = await untilRefused(client, ledger, write);
    const room = writes > 0 ? `, after ${writes} that found room` : '';
    report.check(
      status === 503 && body.code === 'database_unavailable',
      `POST ${write[0]} ${where}: ${status}${room}`,
      text,
    );
  }
  const bad = [];
  for (const path of READS) {
    const answer = await client.get(path, { agentId });
    if (answer.status !== 200) bad.push(`${path}: ${answer.status} ${answer.text.slice(0, 160)}`);
  }
  report.checkNone(bad, `${READS.length} kinds of reads go on ${where}, /health too`);
}

function importLine() {
  const names = { agent_id: agentId, event_type: 'note', task_type: null, correlation_id: null };
  const event = { kind: 'event', id: 'f'.repeat(32), ...names, timestamp: '2026-01-01T00:00:00Z', metadata: null };
  return `${JSON.stringify(event)}\n`;
}

async function writesAgain(report, client, ledger, open, when) {
  const bad = [];
  const note = (path, answer) => {
    if (answer.status !== 200) bad.push(`${path}: ${answer.status} ${answer.text.slice(0, 160)}`);
  };
  for (const [path, body] of WRITES) {
    const answer = await client.post(path, body, { agentId });
    note(path, answer);
    if (path === '/events/task-start') ledger.acknowledgeStart(answer, { agentId, taskType });
  }
  for (const id of open) {
    const answer = await client.post('/events/task-end', { task_type: taskType, correlation_id: id }, { agentId });
    note('/events/task-end', answer);
    ledger.acknowledgeEnd(answer);
  }
  report.checkNone(bad, `writes succeed ${when}, the ends that were refused before too`);
}

async function nothingLost(report, service, dbPath, ledger) {
  const file = compareFile(dbPath, ledger);
  report.checkNone(file.integrity, 'PRAGMA integrity_check is ok');
  report.checkNone(
    [...file.lost, ...file.halfWritten],
    `nothing acknowledged was lost (${ledger.starts.size} starts, ${ledger.ends.size} ends)`,
  );
  report.checkNone(file.unknown, 'nothing that was refused was written');
  const { faults } = await compareStatistics(service.url, file.tasks);
  report.checkNone(faults, 'the statistics count the rows of the file');
}
