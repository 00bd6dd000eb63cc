#!/usr/bin/env node
// 64 parallel clients store, recall, edit and delete: no 5xx, exact counts afterwards, memory stays flat, and the event loop
// is never held for long.
//   node scripts/withstand/memory/load.mjs [--seconds 60] [--clients 64] [--model fast]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { secondsFromNow } from '../lib/seconds-from-now.mjs';
import { compareCounts, compareWithExport, Ledger } from './lib/ledger.mjs';
import {
  BUSY_SHARE,
  childrenOf,
  requester,
  residentMiB,
  residentOf,
  scratchFolder,
  startMemory,
  waitedForCore,
} from './lib/memory-service.mjs';
import { work } from './lib/workload.mjs';

/** Kept by each client, so that the store has a size that it grows to and no more. */
const MOST_KEPT = 40;
/**
 * How far the memory of a garbage-collected process may rise. Vectors of what is deleted stay until the next start, 1 KiB each: at 500 new
 * ones a second, 15 MiB in half a minute.
 */
const FLAT_MIB = 40;
const SETTLE_SECONDS = 3;
const LONGEST_DELAY_MS = 50;
/** A small heap is collected often, so that memory levels off within seconds, and what leaks is seen. */
const NODE_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=8'];

const { values } = commandLine(import.meta.url, {
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
    model: { type: 'string', default: 'fast' },
  },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);

await runMain(async () => {
  const report = createReport(`load: ${clients} clients for ${seconds} s and half of it again, ${values.model}`);
  const service = await startMemory(join(scratchFolder(), 'data'), { model: values.model, nodeFlags: NODE_FLAGS });
  const ledger = new Ledger();
  const resident = async () => {
    const faiss = childrenOf(service.pid).reduce((sum, pid) => sum + residentOf(pid), 0);
    return { service: await residentMiB(service.url), faiss };
  };

  const delays = watchDelay(service);
  const found = await work(service.url, ledger, {
    clients,
    round: 0,
    until: secondsFromNow(seconds),
    mostKept: MOST_KEPT,
  });
  await sleep(SETTLE_SECONDS * 1_000);
  const afterLoad = await resident();
  const first = ledger.answers;
  await work(service.url, ledger, { clients, round: 1, until: secondsFromNow(seconds / 2), mostKept: MOST_KEPT });
  const worst = await delays.stop();
  await sleep(SETTLE_SECONDS * 1_000);
  const afterMore = await resident();
  await sleep(SETTLE_SECONDS * 1_000);
  const afterRest = await resident();

  const { ingests, updates, deletes } = ledger.counts;
  const statuses = [...ledger.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  report.note(`${ledger.answers} answers: ${statuses}`);
  report.note(
    `${ingests} ingests, ${updates} edits and ${deletes} deletes acknowledged; ${ledger.living} memories are left`,
  );
  report.checkNone(
    [...ledger.statuses.keys()].filter((status) => status >= 500).map((status) => `status ${status}`),
    'no 5xx',
  );
  report.checkNone(ledger.unexpected, 'no answer that a client should not get');
  const there = await compareWithExport(service.url, ledger);
  report.checkNone([...there.lost, ...there.changed], 'every memory is as it was acknowledged');
  report.checkNone([...there.returned, ...there.unknown], 'nothing that was deleted, nothing that nobody sent');
  report.checkNone(there.leaked, 'PRIVATE memories are exported to their agents only');
  report.checkNone(
    await compareCounts(service.url, ledger),
    '/health, /stats and /memories count exactly what is there',
  );
  report.check(
    found.own >= 0.99 * found.ownAsked,
    `who asks with the words of a memory finds it (${found.own} of ${found.ownAsked})`,
  );
  const show = ({ service: own, faiss }) => `${own.toFixed(0)} + ${faiss.toFixed(0)} MiB`;
  report.note(
    `RSS, service + FAISS: ${show(afterLoad)} after ${first} answers, ${show(afterMore)} after ${ledger.answers}, ${show(afterRest)} after a rest`,
  );
  report.check(afterMore.service - afterLoad.service < FLAT_MIB, `half the load again adds less than ${FLAT_MIB} MiB`);
  report.check(afterRest.service - afterMore.service < FLAT_MIB / 4, 'memory does not grow at rest');
  report.note(
    `event-loop delay, worst of ${worst.seen} seconds: p50 ${ms(worst.p50)}, p99 ${ms(worst.p99)}, max ${ms(worst.max)}`,
  );
  const isFast = worst.medianP99 < LONGEST_DELAY_MS;
  const delay = `event-loop delay p99 is below ${LONGEST_DELAY_MS} ms (${ms(worst.medianP99)}, median of the seconds)`;
  if (isFast || worst.waitedShare < BUSY_SHARE) report.check(isFast, delay);
  else
    report.note(
      `not judged, the main thread waited ${(100 * worst.waitedShare).toFixed(0)} % of the time for a core: ${delay}`,
    );
  const code = await service.stop();
  report.check(code === 0, `the service stops cleanly (${code})`);
  report.checkNone(service.words, 'the service logged no warning and no error');
  report.finish();
});

/** The event-loop delay as /metrics shows it, which starts anew with each reading. */
function watchDelay({ url, pid }) {
  const client = requester(url);
  const began = performance.now();
  const waited = waitedForCore(pid);
  const readings = [];
  const read = async () => {
    const { text } = await client.get('/metrics');
    const value = (name) =>
      1_000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]);
    readings.push({ p50: value('p50'), p99: value('p99'), max: value('max') });
  };
  const timer = setInterval(() => void read().catch(() => {}), 1_000);
  return {
    stop: async () => {
      clearInterval(timer);
      await read();
      const waitedShare = (waitedForCore(pid) - waited) / ((performance.now() - began) / 1_000);
      client.close();
      const most = (key) => Math.max(...readings.map((reading) => reading[key]));
      const p99s = readings.map(({ p99 }) => p99).sort((a, b) => a - b);
      return {
        seen: readings.length,
        waitedShare,
        p50: most('p50'),
        p99: most('p99'),
        max: most('max'),
        medianP99: p99s[Math.floor(p99s.length / 2)],
      };
    },
  };
}

function ms(milliseconds) {
  return `${milliseconds.toFixed(1)} ms`;
}
