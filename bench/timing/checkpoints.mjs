#!/usr/bin/env node
// How many starts and ends wait for a checkpoint of the write-ahead log, and for how long: the store alone, one pair after the other,
// with checkpoints within the writes and in a thread of their own, in turns.
//   node bench/timing/checkpoints.mjs [--pairs 4000] [--rounds 3]
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { scratchFolder } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { loadAverage, median, ms, table, whole } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, {
  options: { pairs: { type: 'string', default: '4000' }, rounds: { type: 'string', default: '3' } },
});
const PAIRS = Number(values.pairs);

const from = (path) => import(new URL(`../../apps/timing-service/dist/${path}`, import.meta.url).href);
const { SqliteEngine } = await from('storage/sqlite/sqlite-engine.js');
const { CheckpointThread } = await from('storage/page-sums/checkpoint-thread.js');
const { startTask, endTask } = await from('domain/record.js');
const { systemClock, timeOrderedIds } = await import(
  new URL('../../packages/service-kit/dist/index.js', import.meta.url).href
);

const folder = scratchFolder('timing-checkpoints-');
const SIDES = { 'within the writes': () => undefined, 'in a thread': () => new CheckpointThread() };

async function measured(path, checkpointThread) {
  const { home } = new SqliteEngine({ path, synchronous: 'normal', checkpointThread });
  const here = countCalls(home.condition.db.$client, 'pragma');
  const there = checkpointThread ? countCalls(checkpointThread, 'run') : { calls: 0 };
  const deps = { ...home.stores, feed: home.feed, clock: systemClock, ids: timeOrderedIds(systemClock) };
  const whose = { agentId: 'ann', project: null, taskType: 'build', metadata: null };
  const took = [];
  const waited = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const before = here.calls;
    const began = performance.now();
    const { task } = await startTask(deps, { ...whose, estimatedSeconds: null, correlationId: null });
    await endTask(deps, { ...whose, outcome: 'ok', correlationId: task.correlationId });
    took.push(performance.now() - began);
    if (here.calls > before) waited.push(took.at(-1));
  }
  home.close();
  await checkpointThread?.stop();
  took.sort((a, b) => a - b);
  return {
    checkpoints: here.calls + there.calls,
    waited: waited.length,
    wait: waited.length > 0 ? median(waited) : 0,
    p50: took[Math.floor(PAIRS * 0.5)],
    p99: took[Math.floor(PAIRS * 0.99)],
  };
}

/** Of a method, which goes on as before. */
function countCalls(object, name) {
  const count = { calls: 0 };
  const method = object[name].bind(object);
  object[name] = (...parameters) => {
    count.calls++;
    return method(...parameters);
  };
  return count;
}

const results = new Map(Object.keys(SIDES).map((side) => [side, []]));
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [index, [side, thread]] of Object.entries(SIDES).entries()) {
    const result = await measured(join(folder, `${round}-${index}.db`), thread());
    // The first round warms up.
    if (round > 0) results.get(side).push(result);
  }
}
const middle = (side, key) => median(results.get(side).map((result) => result[key]));
table(
  [`checkpoints, ${whole(PAIRS)} pairs`, 'checkpoints', 'pairs that waited for one', 'median of those', 'p50', 'p99'],
  Object.keys(SIDES).map((side) => [
    side,
    middle(side, 'checkpoints'),
    middle(side, 'waited'),
    ms(middle(side, 'wait')),
    ms(middle(side, 'p50')),
    ms(middle(side, 'p99')),
  ]),
);
console.log(`\nLoad average after: ${loadAverage()}`);
