#!/usr/bin/env node
// kill -9 in the middle of the load, again and again: after each restart every acknowledged start and end is there, no pair
// is half-written, durations count once, the file is sound. What was not answered is sent again and still counts once.
//   node scripts/withstand/timing/kill.mjs [--kills 20] [--clients 64]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { scratchFolder, startTiming } from './lib/timing-service.mjs';
import { compareFile, compareStatistics } from './lib/truth.mjs';
import { Ledger, sendUnansweredAgain, work } from './lib/workload.mjs';

/** Kills come after 0.5 to 2 s of work, at another moment each time. */
const SHORTEST_LIFE_MS = 500;
const LIFE_STEP_MS = 397;
const LIFE_SPREAD_MS = 1_500;

const { values } = commandLine(import.meta.url, {
  options: { kills: { type: 'string', default: '20' }, clients: { type: 'string', default: '64' } },
});
const kills = Number(values.kills);
const clients = Number(values.clients);

await runMain(async () => {
  const report = createReport(`kill -9, ${kills} times, under ${clients} clients`);
  const dbPath = join(scratchFolder(), 'timing.db');
  const ledger = new Ledger();
  const faults = { integrity: [], lost: [], halfWritten: [], unknown: [], statistics: [] };
  let repeated = 0;
  let slowestStartMs = 0;

  /** A start on the file that the killed process left, looked at before anything else is written. */
  const restart = async (round) => {
    const service = await startTiming(dbPath);
    slowestStartMs = Math.max(slowestStartMs, service.startedMs);
    const file = compareFile(dbPath, ledger);
    for (const kind of ['integrity', 'lost', 'halfWritten', 'unknown']) {
      faults[kind].push(...file[kind].map((fault) => `after kill ${round}: ${fault}`));
    }
    const { faults: wrong } = await compareStatistics(service.url, file.tasks);
    faults.statistics.push(...wrong.map((fault) => `after kill ${round}: ${fault}`));
    return service;
  };

  for (let round = 0; round < kills; round++) {
    const service = await restart(round);
    repeated += ledger.unanswered.size;
    await sendUnansweredAgain(service.url, ledger);
    let killed = false;
    const working = work(service.url, ledger, { clients, round, until: () => killed });
    await sleep(SHORTEST_LIFE_MS + ((round * LIFE_STEP_MS) % LIFE_SPREAD_MS));
    await service.kill();
    killed = true;
    await working;
  }
  const service = await restart(kills);
  repeated += ledger.unanswered.size;
  await sendUnansweredAgain(service.url, ledger);
  const file = compareFile(dbPath, ledger);
  const { faults: wrong, counted } = await compareStatistics(service.url, file.tasks);

  report.note(
    `${ledger.starts.size} starts and ${ledger.ends.size} ends acknowledged; slowest restart ${slowestStartMs.toFixed(0)} ms`,
  );
  report.note(`${repeated} requests with a known id were cut off and sent again`);
  report.check(repeated > 0, 'kills hit requests on their way');
  report.checkNone(faults.integrity, 'PRAGMA integrity_check is ok after every kill');
  report.checkNone(faults.lost, 'every acknowledged start and end is there after every kill');
  report.checkNone(faults.halfWritten, 'no half-written pair after any kill');
  report.checkNone(faults.unknown, 'no task that nobody asked for');
  report.checkNone(faults.statistics, 'the statistics count the rows of the file after every kill');
  report.checkNone([...file.lost, ...file.halfWritten, ...wrong], 'all of it holds after sending again');
  report.checkNone(ledger.unexpected, 'no answer that a client should not get');
  const unacknowledged = counted - ledger.ends.size;
  report.check(unacknowledged === 0, `every acknowledged end is counted once (${counted})`);
  await service.stop();
  report.finish();
});
