import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../src/domain/change-feed.ts';
import type { Stopwatch } from '../../src/domain/stopwatch.ts';
import {
  deleteStopwatch,
  readStopwatch,
  STOPWATCHES_PER_AGENT,
  type StopwatchDeps,
  startStopwatch,
  stopStopwatch,
} from '../../src/domain/stopwatch-control.ts';
import { openStores, type Stores } from '../stores.ts';
import { refusalOf } from './refusal-of.ts';
import { STARTED_MS } from './sample-task.ts';

let stores: Stores;
let published: Change[];
let steps: Stopwatch[];
let deps: StopwatchDeps;
beforeEach(() => {
  stores = openStores();
  published = [];
  steps = [];
  stores.feed.subscribe((change) => published.push(change));
  deps = { ...stores, onClockStep: (stopwatch) => steps.push(stopwatch) };
});
afterEach(() => stores.close());

const RUNNING = { name: 'tea', agentId: 'ann', startedMs: STARTED_MS, stoppedMs: null };
const UNKNOWN = {
  name: 'NotFoundError',
  code: 'unknown_stopwatch',
  message: "The agent 'ann' has no stopwatch named 'tea': start it first.",
};

test('a stopwatch starts, stops once, starts anew and is deleted, and each is published', async () => {
  expect(await startStopwatch(deps, 'ann', 'tea')).toEqual({ stopwatch: RUNNING, restarted: false });
  expect(await readStopwatch(deps, 'ann', 'tea')).toEqual(RUNNING);
  stores.clock.advance(2_000);
  const stopped = { ...RUNNING, stoppedMs: STARTED_MS + 2_000 };
  expect(await stopStopwatch(deps, 'ann', 'tea')).toEqual(stopped);
  stores.clock.advance(5_000);
  expect(await stopStopwatch(deps, 'ann', 'tea')).toEqual(stopped);
  const again = { ...RUNNING, startedMs: STARTED_MS + 7_000 };
  expect(await startStopwatch(deps, 'ann', 'tea')).toEqual({ stopwatch: again, restarted: true });
  await deleteStopwatch(deps, 'ann', 'tea');
  expect(published).toEqual([
    { kind: 'stopwatch', agentId: 'ann', stopwatch: RUNNING },
    { kind: 'stopwatch', agentId: 'ann', stopwatch: stopped },
    { kind: 'stopwatch', agentId: 'ann', stopwatch: stopped },
    { kind: 'stopwatch', agentId: 'ann', stopwatch: again },
    { kind: 'stopwatch-deleted', agentId: 'ann', name: 'tea' },
  ]);
  expect(steps).toEqual([]);
});

test('one that is not there is refused and publishes nothing, also when another agent has it', async () => {
  await startStopwatch(deps, 'bob', 'tea');
  published.length = 0;
  for (const work of [readStopwatch, stopStopwatch, deleteStopwatch]) {
    expect(await refusalOf(() => work(deps, 'ann', 'tea'))).toEqual(UNKNOWN);
  }
  expect(published).toEqual([]);
  expect(await readStopwatch(deps, 'bob', 'tea')).toMatchObject({ stoppedMs: null });
});

test('a stop before the start, by a clock that was set back, takes no time and is reported', async () => {
  await startStopwatch(deps, 'ann', 'tea');
  stores.clock.advance(-60_000);
  const stopped = await stopStopwatch(deps, 'ann', 'tea');
  expect(stopped).toEqual({ ...RUNNING, stoppedMs: STARTED_MS });
  expect(steps).toEqual([stopped]);
});

test('the one after the thousandth of an agent is refused until one is deleted', async () => {
  expect(STOPWATCHES_PER_AGENT).toBe(1_000);
  const insert = stores.database.db.$client.prepare(
    "INSERT INTO stopwatches (agent_id, name, started_us) VALUES ('ann', ?, 0)",
  );
  for (let index = 0; index < 1_000; index++) insert.run(`s${index}`);
  expect(await refusalOf(() => startStopwatch(deps, 'ann', 'tea'))).toEqual({
    name: 'ConflictError',
    code: 'too_many_stopwatches',
    message: "The agent 'ann' has 1000 stopwatches: delete one that is no longer needed.",
  });
  expect([published, stores.count('stopwatches')]).toEqual([[], 1_000]);
  expect(await startStopwatch(deps, 'ann', 's5')).toMatchObject({ restarted: true });
  expect(await startStopwatch(deps, 'bob', 'tea')).toMatchObject({ restarted: false });
  await deleteStopwatch(deps, 'ann', 's0');
  expect(await startStopwatch(deps, 'ann', 'tea')).toMatchObject({ restarted: false });
});
