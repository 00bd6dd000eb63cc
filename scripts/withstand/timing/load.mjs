#!/usr/bin/env node
// 64 parallel clients start and end tasks and read statistics and lists: no 5xx, every acknowledged task is counted exactly
// once, memory stays flat afterwards.
//   node scripts/withstand/timing/load.mjs [--seconds 60] [--clients 64]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { secondsFromNow } from '../lib/seconds-from-now.mjs';
import { residentMiB, scratchFolder, startTiming } from './lib/timing-service.mjs';
import { compareFile, compareStatistics } from './lib/truth.mjs';
import { Ledger, work } from './lib/workload.mjs';

/** How far the memory of a garbage-collected process may rise and fall; a leak of 1 KiB a request would show as far more. */
const FLAT_MIB = 24;
const SETTLE_SECONDS = 3;
/**
 * V8 decides when it collects its heap, which hides a leak of less than 100 MiB. With a small heap it collects often,
 * memory levels off within seconds, and what leaks is seen or ends the process.
 */
const NODE_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=4'];

const { values } = commandLine(import.meta.url, {
  options: { seconds: { type: 'string', default: '60' }, clients: { type: 'string', default: '64' } },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);

await runMain(async () => {
  const report = createReport(`load: ${clients} clients for ${seconds} s`);
  const dbPath = join(scratchFolder(), 'timing.db');
  const service = await startTiming(dbPath, { nodeFlags: NODE_FLAGS });
  const ledger = new Ledger();

  await work(service.url, ledger, { clients, round: 0, until: secondsFromNow(seconds) });
  await sleep(SETTLE_SECONDS * 1_000);
  const afterLoad = await residentMiB(service.url);
  const requests = () => [...ledger.statuses.values()].reduce((sum, count) => sum + count, 0);
  const first = requests();

  await work(service.url, ledger, { clients, round: 1, until: secondsFromNow(seconds / 2) });
  await sleep(SETTLE_SECONDS * 1_000);
  const afterMore = await residentMiB(service.url);
  await sleep(SETTLE_SECONDS * 1_000);
  const afterRest = await residentMiB(service.url);

  report.note(
    `${requests()} answers: ${[...ledger.statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`,
  );
  report.note(`${ledger.starts.size} starts and ${ledger.ends.size} ends acknowledged`);
  report.checkNone(
    [...ledger.statuses.keys()].filter((status) => status >= 500).map((status) => `status ${status}`),
    'no 5xx',
  );
  report.checkNone(ledger.unexpected, 'no answer that a client should not get');
  const file = compareFile(dbPath, ledger);
  report.checkNone(file.lost, 'every acknowledged start and end is in the file');
  report.checkNone(file.halfWritten, 'every task has its events, every event its task');
  report.checkNone(file.unknown, 'no task that nobody acknowledged');
  const { faults, counted } = await compareStatistics(service.url, file.tasks);
  report.checkNone(faults, 'the statistics of each agent, of all agents and each type count the rows of the file');
  report.check(counted === ledger.ends.size, `every acknowledged end is counted once (${counted})`);
  report.note(
    `RSS: ${afterLoad.toFixed(0)} MiB after ${first} answers, ${afterMore.toFixed(0)} MiB after ${requests()}, ${afterRest.toFixed(0)} MiB after a rest`,
  );
  report.check(afterMore - afterLoad < FLAT_MIB, `half the load again adds less than ${FLAT_MIB} MiB`);
  report.check(afterRest - afterMore < FLAT_MIB / 4, 'memory does not grow at rest');
  const code = await service.stop();
  report.check(code === 0, `the service stops cleanly (${code})`);
  // Audit lines come at every level.
  const warnings = service.words.filter((line) => !line.includes('"msg":"audit"'));
  report.checkNone(warnings, 'the service logged no warning and no error');
  report.finish();
});
