#!/usr/bin/env node
// What a start and its end cost the store when several come in one turn and share a transaction: processor time, checkpoints included. By groups, so it says nothing of how many come together in a service.
//   node bench/timing/groups.mjs [--pairs 3200]
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { scratchFolder } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { median, table } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, { options: { pairs: { type: 'string', default: '3200' } } });
const PAIRS = Number(values.pairs);
const ROUNDS = 5;
const GROUPS = [1, 16, 64];

const from = (path) => import(new URL(`../../apps/timing-service/dist/${path}`, import.meta.url).href);
const { SqliteEngine } = await from('storage/sqlite/sqlite-engine.js');
const { startTask, endTask } = await from('domain/record.js');
const { systemClock, timeOrderedIds } = await import(
  new URL('../../packages/service-kit/dist/index.js', import.meta.url).href
);

const folder = scratchFolder('timing-groups-');

/** @returns processor milliseconds for each pair */
async function measured(path, group) {
  const { home } = new SqliteEngine({ path, synchronous: 'normal' });
  const { stores, feed } = home;
  const deps = { ...stores, feed, clock: systemClock, ids: timeOrderedIds(systemClock) };
  const whose = { agentId: 'ann', project: null, taskType: 'build', metadata: null };
  const together = (work) => Promise.all(Array.from({ length: group }, (_, index) => work(index)));
  const cpu = process.cpuUsage();
  for (let done = 0; done < PAIRS; done += group) {
    const started = await together(() => startTask(deps, { ...whose, estimatedSeconds: null, correlationId: null }));
    await together((index) =>
      endTask(deps, { ...whose, outcome: 'ok', correlationId: started[index].task.correlationId }),
    );
  }
  const { user, system } = process.cpuUsage(cpu);
  home.close();
  return (user + system) / 1e3 / PAIRS;
}

const results = new Map(GROUPS.map((group) => [group, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const group of GROUPS) {
    const result = await measured(join(folder, `${round}-${group}.db`), group);
    // The first round warms up.
    if (round > 0) results.get(group).push(result);
  }
}
table(
  ['pairs that come together', 'processor time a pair'],
  GROUPS.map((group) => [String(group), `${median(results.get(group)).toFixed(2)} ms`]),
);
