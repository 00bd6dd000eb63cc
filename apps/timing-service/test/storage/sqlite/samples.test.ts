import { ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { seededRandom } from '@agent-faculties/stats-math';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ChangeFeed } from '../../../src/domain/change-feed.ts';
import { endTask, type RecordDeps, startTask } from '../../../src/domain/record.ts';
import type { DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import { OUTCOMES } from '../../../src/domain/task.ts';
import type { Whose } from '../../../src/domain/whose.ts';
import { SampleMemory } from '../../../src/storage/samples/sample-memory.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { SqliteEventStore } from '../../../src/storage/sqlite/event-store.ts';
import { SqliteExpiryStore } from '../../../src/storage/sqlite/expiry-store.ts';
import { SqliteSamples } from '../../../src/storage/sqlite/samples.ts';
import { lastEndSequence, SqliteTaskStore } from '../../../src/storage/sqlite/task-store.ts';
import { START_MS } from '../../start-service.ts';

let database: Database;
let samples: SqliteSamples;
let clock: ManualClock;
let tasks: SqliteTaskStore;
let deps: RecordDeps;

beforeEach(() => {
  database = openDatabase({ path: ':memory:', synchronous: 'normal' });
  clock = new ManualClock(START_MS);
  useSamples(fresh());
});
afterEach(() => database.close());

function fresh(options: { memory?: SampleMemory } = {}): SqliteSamples {
  return new SqliteSamples(database.db, { lastEndSequence: lastEndSequence(database.db), ...options });
}

function useSamples(next: SqliteSamples): void {
  samples = next;
  tasks = new SqliteTaskStore(database.db, samples);
  const events = new SqliteEventStore(database.db);
  deps = { clock, ids: timeOrderedIds(clock), events, tasks, feed: new ChangeFeed() };
}

const start = async (agentId: string, taskType: string, project: string | null = null): Promise<string> => {
  const input = { agentId, project, taskType, metadata: null, estimatedSeconds: null, correlationId: null };
  return (await startTask(deps, input)).task.correlationId;
};
const end = (agentId: string, taskType: string, correlationId: string, outcome: (typeof OUTCOMES)[number] = 'ok') =>
  endTask(deps, { agentId, project: null, taskType, metadata: null, outcome, correlationId });

/** What a sample says, as plain values. */
function plain(sample: DurationSample) {
  const ended = OUTCOMES.map((outcome) => {
    const { sorted, moments } = sample.ended[outcome];
    return { outcome, sorted: [...sorted], mean: sorted.size === 0 ? 0 : moments.mean };
  });
  return { ended, active: [...sample.activeStartsMs], abandoned: sample.abandonedCount };
}

/** The same read from the table in the plainest way. */
function selected({ agentId, project }: Whose, taskType: string) {
  const rows = database.db.$client
    .prepare(
      `SELECT * FROM tasks WHERE task_type = ? AND (? IS NULL OR agent_id = ?)
         AND (? IS NULL OR project = ? OR project = '')`,
    )
    .all(taskType, agentId, agentId, project, project) as {
    state: string;
    outcome: string;
    duration_us: number;
    started_us: number;
  }[];
  const ascending = (a: number, b: number) => a - b;
  const ended = OUTCOMES.map((outcome) => {
    const sorted = rows
      .filter((row) => row.outcome === outcome)
      .map((row) => row.duration_us / 1e6)
      .sort(ascending);
    const mean = sorted.reduce((sum, value) => sum + value, 0) / (sorted.length || 1);
    return { outcome, sorted, mean: expect.closeTo(mean, 6) };
  });
  const active = rows.filter(({ state }) => state === 'active').map((row) => row.started_us / 1000);
  return { ended, active: active.sort(ascending), abandoned: rows.filter(({ state }) => state === 'abandoned').length };
}

async function expectTrue(): Promise<void> {
  for (const agentId of ['ann', 'bob', null]) {
    for (const project of ['shop', 'blog', 'new', null]) {
      const whose = { agentId, project };
      for (const type of ['x', 'y']) expect(plain(await samples.sample(whose, type))).toEqual(selected(whose, type));
    }
  }
}

function insertEnded(count: number, taskType: string): void {
  const insert = database.db.$client.prepare(
    `INSERT INTO tasks (correlation_id, agent_id, task_type, state, outcome, started_us, ended_us, duration_us, end_sequence)
     VALUES (?, 'ann', ?, 'ended', 'ok', 0, ?, ?, ?)`,
  );
  const first = lastEndSequence(database.db) + 1;
  database.db.$client.transaction(() => {
    for (let i = 0; i < count; i++)
      insert.run(`${taskType}-${first + i}`, taskType, i, (i * 7919) % 100_003, first + i);
  })();
}

describe('samples in memory', () => {
  test.each([1, 2, 3])('equal the table after any run of starts, ends and abandonments (seed %d)', async (seed) => {
    const random = seededRandom(seed);
    const pick = <Item>(items: readonly Item[]) => items[random.nextInt(items.length)] as Item;
    const open: { id: string; agent: string; type: string }[] = [];
    for (let step = 0; step < 300; step++) {
      clock.advance(random.nextInt(5_000) + 0.001 * random.nextInt(1_000));
      const kind = random.nextInt(10);
      if (kind < 5 || open.length === 0) {
        const [agent, type] = [pick(['ann', 'bob']), pick(['x', 'y'])];
        open.push({ id: await start(agent, type, pick(['shop', 'blog', null])), agent, type });
      } else if (kind < 9) {
        const [task] = open.splice(random.nextInt(open.length), 1);
        if (task) await end('bob', task.type, task.id, pick(OUTCOMES));
      } else await tasks.abandon([pick(open).id], clock.now());
      if (step % 50 === 0) await expectTrue();
    }
    await expectTrue();
  });

  test('that load while tasks start, end and are abandoned equal a fresh load', async () => {
    insertEnded(25_000, 'x');
    useSamples(fresh());
    const before = [await start('ann', 'x'), await start('ann', 'x'), await start('ann', 'x')];
    const loads = [
      samples.sample({ agentId: 'ann', project: null }, 'x'),
      samples.sample({ agentId: null, project: null }, 'x'),
    ];
    let loaded = false;
    const done = Promise.all(loads).then(() => {
      loaded = true;
    });
    let writes = 0;
    while (!loaded) {
      clock.advance(1_500);
      const id = await start('ann', 'x');
      if (writes % 3 === 0) await end('ann', 'x', id);
      if (writes === 0) await end('ann', 'x', before[0] as string, 'timeout');
      if (writes === 1) await tasks.abandon([before[1] as string], clock.now());
      if (writes === 2) await end('ann', 'x', before[1] as string);
      writes++;
      await new Promise(setImmediate);
    }
    await done;
    expect(writes).toBeGreaterThan(2);
    const again = fresh();
    for (const agentId of ['ann', null]) {
      expect(plain(await samples.sample({ agentId, project: null }, 'x'))).toEqual(
        selected({ agentId, project: null }, 'x'),
      );
      expect(plain(await again.sample({ agentId, project: null }, 'x'))).toEqual(
        selected({ agentId, project: null }, 'x'),
      );
    }
  });

  test('are dropped when they outgrow their memory, the one used least recently first, and read anew', async () => {
    for (const type of ['a', 'b', 'c']) insertEnded(2_000, type);
    useSamples(fresh({ memory: new SampleMemory(60_000) }));
    const [a, b] = [
      await samples.sample({ agentId: 'ann', project: null }, 'a'),
      await samples.sample({ agentId: 'ann', project: null }, 'b'),
    ];
    expect(await samples.sample({ agentId: 'ann', project: null }, 'a')).toBe(a);
    await samples.sample({ agentId: 'ann', project: null }, 'c');
    expect(await samples.sample({ agentId: 'ann', project: null }, 'a')).toBe(a);
    expect(await samples.sample({ agentId: 'ann', project: null }, 'b')).not.toBe(b);
    expect(plain(await samples.sample({ agentId: 'ann', project: null }, 'b'))).toEqual(
      selected({ agentId: 'ann', project: null }, 'b'),
    );
  });

  test('are read anew after a deletion, also when it falls into their loading', async () => {
    insertEnded(15_000, 'x');
    const recent = await start('ann', 'x');
    clock.advance(1_000);
    await end('ann', 'x', recent);
    useSamples(fresh());
    const loading = samples.sample({ agentId: 'ann', project: null }, 'x');
    await new SqliteExpiryStore(database.db, samples).deleteBefore(START_MS - 1);
    expect((await loading).ended.ok.sorted.size).toBeLessThanOrEqual(15_001);
    expect(plain(await samples.sample({ agentId: 'ann', project: null }, 'x'))).toEqual(
      selected({ agentId: 'ann', project: null }, 'x'),
    );
    expect((await samples.sample({ agentId: 'ann', project: null }, 'x')).ended.ok.sorted.size).toBe(1);
  });

  test('of the tasks since an instant equal a selection by their start', async () => {
    const first = await start('ann', 'x');
    clock.advance(10_000);
    const sinceMs = clock.now();
    const second = await start('ann', 'x');
    await start('ann', 'x');
    clock.advance(2_000);
    await end('ann', 'x', first);
    await end('ann', 'x', second);
    const sample = plain(await samples.sampleSince({ agentId: 'ann', project: null }, 'x', sinceMs));
    expect(sample.ended[0]?.sorted).toEqual([2]);
    expect(sample.active).toEqual([sinceMs]);
  });
});
