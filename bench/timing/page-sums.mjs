// Measures the cost of the page sums of the timing database: at the start, compared with the check of SQLite, and of each write,
// compared with the same writes without page sums. Both sides take turns.
//   node bench/timing/page-sums.mjs [--tasks 1000000] [--rounds 5]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from '../../apps/timing-service/dist/storage/page-sums/examine.js';
import { openDatabase } from '../../apps/timing-service/dist/storage/sqlite/database.js';
import { transactions } from '../../apps/timing-service/dist/storage/sqlite/faults.js';
import { SqliteSamples } from '../../apps/timing-service/dist/storage/sqlite/samples.js';
import { lastEndSequence, SqliteTaskStore } from '../../apps/timing-service/dist/storage/sqlite/task-store.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { SqliteDatabase, scratchFolder } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { writeHistory } from './history.mjs';

/** Pairs (start and end of a task) in one turn of a side. */
const PAIRS = 2_000;
const CHECKPOINT_PAGES = 2_000;

const { values } = commandLine(import.meta.url, {
  options: { tasks: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const path = join(scratchFolder(), 'timing.db');
await writeHistory(path, Number(values.tasks));

const seconds = (work) => {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1_000;
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const times = (work) => median(Array.from({ length: rounds }, () => seconds(work)));

const adoption = seconds(() => openDatabase({ path, synchronous: 'normal' }).close());
const quickCheck = times(() => {
  const client = new SqliteDatabase(path, { readonly: true });
  client.pragma('quick_check');
  client.close();
});
const sums = times(() => {
  if (examine(path).damage) throw new Error('damaged');
});
const start = times(() => openDatabase({ path, synchronous: 'normal' }).close());
console.log(`${values.tasks} tasks, seconds (median of ${rounds}):`);
console.log(`  first start over a file without page sums  ${adoption.toFixed(2)}`);
console.log(`  quick_check                                ${quickCheck.toFixed(2)}`);
console.log(`  page sums                                  ${sums.toFixed(2)}`);
console.log(`  open and close, page sums included         ${start.toFixed(2)}`);

const costs = { with: [], without: [] };
for (let round = 0; round < rounds; round++) {
  for (const side of round % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
    costs[side].push(await pairs(side === 'with', round));
  }
}
const [withSums, without] = [median(costs.with), median(costs.without)];
console.log(`start and end of a task in the store, µs of processor time (median of ${rounds} times ${PAIRS}):`);
console.log(
  `  with page sums ${withSums.toFixed(0)}, without ${without.toFixed(0)}, ratio ${(withSums / without).toFixed(2)}`,
);

/** Processor time of a pair in µs, including checkpoints. */
async function pairs(hasSums, round) {
  const database = openDatabase({ path, synchronous: 'normal' });
  const { db } = database;
  let store = db;
  if (!hasSums) {
    // The same connection without page sums: SQLite checkpoints by itself.
    db.$client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    store = Object.create(db);
  }
  transactions(store);
  const tasks = new SqliteTaskStore(store, new SqliteSamples(store, { lastEndSequence: lastEndSequence(store) }));
  const began = process.cpuUsage();
  for (let number = 0; number < PAIRS; number++) {
    const id = `${hasSums}-${round}-${number}`;
    const common = { agentId: 'default', taskType: 'bench', metadata: null, project: null, correlationId: id };
    const startedMs = 1_795_253_400_000 + number;
    const task = {
      ...common,
      state: /** @type {const} */ ('active'),
      outcome: null,
      startedMs,
      endedMs: null,
      abandonedMs: null,
      durationSeconds: null,
    };
    /** @type {import('../../apps/timing-service/dist/domain/task.js').Task} */
    const open = { ...task, estimatedSeconds: null, endEventId: null };
    await tasks.start({ ...common, id: `s-${id}`, eventType: 'task_start', timestampMs: startedMs }, () => ({
      write: open,
    }));
    const durationSeconds = 60 * ((number * 7_919) % 1_000);
    /** @type {import('../../apps/timing-service/dist/domain/task.js').Task} */
    const ended = {
      ...open,
      state: 'ended',
      outcome: 'ok',
      endedMs: startedMs,
      durationSeconds,
      endEventId: `e-${id}`,
    };
    await tasks.end({ ...common, id: `e-${id}`, eventType: 'task_end', timestampMs: startedMs }, () => ({
      write: ended,
    }));
  }
  const { user, system } = process.cpuUsage(began);
  const micros = (user + system) / PAIRS;
  database.close();
  if (!hasSums) rmSync(`${path}.sums`);
  return micros;
}
