#!/usr/bin/env node
// kill -9 in the middle of the load, again and again, each second time with a save every second, each fifth time in the middle
// of a stop: after each restart every answered ingest, edit, supersession, invalidation, revert and delete is there, each with its
// version, nothing deleted comes back, no file holds what was erased, what the counts say is what is exported, no vector is made
// again, and no process is left behind.
//   node scripts/withstand/memory/kill.mjs [--kills 50] [--clients 16] [--model fast] [--seed 1]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { compareCounts, compareHistories, compareWithExport, erasedIn, Ledger } from './lib/ledger.mjs';
import { childrenOf, scratchFolder, startMemory } from './lib/memory-service.mjs';
import { work } from './lib/workload.mjs';

/** Answers until the kill, at most; counted, because a busy machine gives few in a second. */
const MOST_ANSWERS = 600;
/** Then a moment more, so that the kill is not tied to an answer. */
const MOMENT_MS = 40;
const LONGEST_LIFE_MS = 20_000;
/** The memories whose history is read after each kill. */
const MOST_HISTORIES = 200;
const AUTO_SAVE = ['--auto-save', '1'];
const STOPPED_FIRST_EVERY = 5;
/** From the signal to stop to the kill: some of the stops are over by then. */
const STOP_SPREAD_MS = 250;
/** FAISS ends when it notices that nobody asks any more. */
const CHILD_LIMIT_MS = 10_000;
const CHILD_STEP_MS = 50;
/** What is looked at after each kill. */
const COMPARED = [
  'lost',
  'changed',
  'returned',
  'unknown',
  'halfDone',
  'erased',
  'leaked',
  'counts',
  'histories',
  'words',
];
/** A start says so when the last change is a torn one, and it is right. */
const TORN = /the journal stops in the middle of a line|the last lines of the journal cannot be read/;

const { values } = commandLine(import.meta.url, {
  options: {
    kills: { type: 'string', default: '50' },
    clients: { type: 'string', default: '16' },
    model: { type: 'string', default: 'fast' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(values.kills);
const clients = Number(values.clients);
const { model } = values;

await runMain(async () => {
  const report = createReport(`kill -9, ${kills} times, under ${clients} clients, ${model}`);
  const dataDir = join(scratchFolder(), 'data');
  const random = seededRandom(Number(values.seed));
  const ledger = new Ledger();
  const faults = {
    lost: [],
    changed: [],
    returned: [],
    unknown: [],
    halfDone: [],
    erased: [],
    leaked: [],
    counts: [],
    histories: [],
    words: [],
    children: [],
  };
  const seen = { settled: 0, histories: 0, torn: 0, cleanStops: 0, slowestStartMs: 0 };

  /** A start on what the killed process left, looked at before anything else is written. */
  const restart = async (round) => {
    // Before the start, which tidies up.
    const erased = round === 0 ? [] : erasedIn(dataDir, ledger);
    const service = await startMemory(dataDir, { model, flags: round % 2 === 1 ? AUTO_SAVE : [] });
    seen.slowestStartMs = Math.max(seen.slowestStartMs, service.startedMs);
    const found = await compareWithExport(service.url, ledger);
    seen.settled += found.settled;
    const counts = await compareCounts(service.url, ledger);
    const { faults: histories, compared } = await compareHistories(service.url, ledger, { most: MOST_HISTORIES });
    seen.histories += compared;
    const words = service.words.filter((line) => !TORN.test(line));
    seen.torn += service.words.length - words.length;
    const wrong = { ...found, counts, histories, erased, words };
    for (const kind of COMPARED) {
      faults[kind].push(...wrong[kind].map((fault) => `after kill ${round}: ${fault}`));
    }
    return service;
  };

  for (let round = 0; round < kills; round++) {
    const service = await restart(round);
    let killed = false;
    const working = work(service.url, ledger, { clients, round, until: () => killed, lasting: true });
    await untilMoment(ledger, random);
    const children = childrenOf(service.pid);
    if (round % STOPPED_FIRST_EVERY === STOPPED_FIRST_EVERY - 1) {
      service.child.kill('SIGTERM');
      await sleep(STOP_SPREAD_MS * random());
    }
    await service.kill();
    killed = true;
    await working;
    if ((await service.exited).signal === null) seen.cleanStops++;
    faults.children.push(...(await stillThere(children)).map((pid) => `after kill ${round}: process ${pid}`));
  }
  const service = await restart(kills);
  const { ingests, updates, deletes, supersessions, invalidations, reverts, erasures } = ledger.counts;
  report.note(
    `${ingests} ingests, ${updates} edits, ${deletes} deletes, ${supersessions} supersessions, ${invalidations} invalidations, ${reverts} reverts, ${erasures} erasures acknowledged; ${ledger.living} memories are there`,
  );
  report.note(
    `${seen.settled} changes were cut off and yet on disk or still open, ${seen.torn} journals ended in a torn line, ${seen.cleanStops} stops were over before the kill; slowest restart ${seen.slowestStartMs.toFixed(0)} ms`,
  );
  report.checkNone(faults.lost, 'every answered ingest is there after every kill');
  report.checkNone(
    faults.changed,
    'every answered edit, supersession, invalidation and revert is there after every kill',
  );
  report.checkNone(faults.halfDone, 'no memory supersedes another one by half');
  report.checkNone(faults.erased, 'no file holds what was erased');
  report.checkNone(faults.returned, 'nothing that was deleted comes back');
  report.checkNone(faults.unknown, 'nothing is there that nobody sent');
  report.checkNone(faults.leaked, 'PRIVATE memories are exported to their agents only');
  report.checkNone(
    faults.counts,
    '/health, /stats and /memories count what is exported, and every memory has its vector',
  );
  report.checkNone(
    faults.histories,
    `every answered change has its version after every kill, and none that did not happen (${seen.histories} histories)`,
  );
  report.checkNone(faults.words, 'no start warns of anything but a torn last line: no vector is made again');
  report.checkNone(faults.children, 'FAISS ends with the service');
  report.checkNone(ledger.unexpected, 'no answer that a client should not get');
  report.check((await service.stop()) === 0, 'the last one stops cleanly');
  const files = readdirSync(dataDir).sort().join(', ');
  report.check(
    files === 'entities.json, faiss.index, history.ndjson, memories.json, memories.packed',
    `and leaves its files: ${files}`,
  );
  report.finish();
});

async function untilMoment(ledger, random) {
  const last = performance.now() + LONGEST_LIFE_MS;
  const enough = ledger.answers + MOST_ANSWERS * random();
  while (ledger.answers < enough && performance.now() < last) await sleep(1);
  await sleep(MOMENT_MS * random());
}

async function stillThere(pids) {
  for (let waited = 0; waited < CHILD_LIMIT_MS; waited += CHILD_STEP_MS) {
    if (!pids.some(isAlive)) return [];
    await sleep(CHILD_STEP_MS);
  }
  return pids.filter(isAlive);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
