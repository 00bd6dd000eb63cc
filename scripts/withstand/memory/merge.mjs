#!/usr/bin/env node
// kill -9 in the middle of a merge of 20,000 memories, then the same lines again: what was taken in before the kill counts as
// duplicates, the rest is added, nothing is there twice or half, and a deleted memory does not come back. Others ingest and
// recall meanwhile, and are not kept waiting.
//   node scripts/withstand/memory/merge.mjs [--memories 20000] [--kills 3] [--model fast]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { BUSY_SHARE, scratchFolder, startMemory, waitedForCore } from './lib/memory-service.mjs';

/** The kill comes when a share of the memories between these two has arrived. */
const KILL_BETWEEN = [0.2, 0.8];
const STEP_MS = 20;
/** A recall beside a merge: it waits for a turn of at most 50 ms, and then does its own work. */
const SLOWEST_MEDIAN_MS = 250;

const { values } = commandLine(import.meta.url, {
  options: {
    memories: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '3' },
    model: { type: 'string', default: 'fast' },
  },
});
const memories = Number(values.memories);
const kills = Number(values.kills);
const { model } = values;

await runMain(async () => {
  const report = createReport(`kill -9, ${kills} times, in a merge of ${memories} memories, ${model}`);
  const dataDir = join(scratchFolder(), 'data');
  const lines = Array.from({ length: memories }, (_, number) => `${JSON.stringify(memory(number))}\n`).join('');
  let service = await startMemory(dataDir, { model });
  let there = 0;

  for (let round = 0; round < kills; round++) {
    const { url } = service;
    const merging = merge(url, lines).then(
      ({ report: done }) => done,
      () => null,
    );
    const [from, to] = KILL_BETWEEN;
    const enough = there + (memories - there) * (from + ((to - from) * round) / Math.max(1, kills - 1));
    while ((await count(url)) < enough) await sleep(STEP_MS);
    await service.kill();
    report.check((await merging) === null, `kill ${round + 1}: nobody was told that the merge was done`);
    service = await startMemory(dataDir, { model });
    const found = await count(service.url);
    report.check(
      found >= enough,
      `kill ${round + 1}: ${found} memories are there, at least the ${Math.ceil(enough)} seen before`,
    );
    const exported = await exportIds(service.url);
    report.check(
      exported.length === found && new Set(exported).size === found,
      `kill ${round + 1}: each of them whole, and once`,
    );
    there = found;
  }

  const waits = [];
  let isDone = false;
  const beside = recalls(service.url, { until: () => isDone, waits });
  const [startedAt, waitedBefore] = [performance.now(), waitedForCore(service.pid)];
  const last = (await merge(service.url, lines)).report;
  const seconds = (performance.now() - startedAt) / 1_000;
  const waited = waitedForCore(service.pid) - waitedBefore;
  isDone = true;
  await beside;
  const counts = `${last.received} received, ${last.added} added, ${last.duplicates} duplicates, ${last.rejected_count} rejected`;
  report.check(
    last.received === memories &&
      last.duplicates === there &&
      last.added === memories - there &&
      last.rejected_count === 0,
    `sent again: ${counts}; ${there} were there`,
  );
  report.check((await count(service.url)) === memories, `then all ${memories} are there`);
  waits.sort((a, b) => a - b);
  const median = waits[waits.length >> 1] ?? 0;
  const told = `a recall beside it took ${median.toFixed(0)} ms (median of ${waits.length})`;
  if (waited / seconds > BUSY_SHARE) report.note(`${told}; the machine is too busy to judge that`);
  else report.check(median < SLOWEST_MEDIAN_MS, told);

  const gone = memory(0).id;
  await fetch(`${service.url}/memory/${gone}`, { method: 'DELETE', headers: { 'X-Agent-ID': 'ann' } });
  await service.kill();
  service = await startMemory(dataDir, { model });
  const after = (await merge(service.url, lines)).report;
  report.check(
    after.duplicates === memories - 1 && after.rejected.length === 1 && after.rejected[0].index === 0,
    'a memory that was deleted does not come back, after kill -9 as well',
  );
  report.check((await service.stop()) === 0, 'the last one stops cleanly');
  report.finish();
});

/** Each of its own words. */
function memory(number) {
  const said = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
  return {
    id: `0193a000000070008000${number.toString(16).padStart(12, '0')}`,
    content: `Note ${number}: the pump of line ${number % 97} was set to ${number * 7} revolutions.`,
    agent_id: number % 2 === 0 ? 'ann' : 'bob',
    session_id: `shift-${Math.floor(number / 200)}`,
    created_at: said,
    updated_at: said,
  };
}

/** @returns {Promise<any>} the answer */
async function merge(url, body) {
  const answer = await fetch(`${url}/merge`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body,
  });
  if (answer.status !== 200) throw new Error(`merge answered ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

async function count(url) {
  const { totals } = /** @type {any} */ (await (await fetch(`${url}/stats`)).json());
  return totals.total;
}

async function exportIds(url) {
  const text = await (await fetch(`${url}/export`)).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);
}

async function recalls(url, { until, waits }) {
  while (!until()) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/recall`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'Which revolutions does the pump of line 12 have?', strengthen: false }),
    });
    await answer.arrayBuffer();
    waits.push(performance.now() - startedAt);
  }
}
