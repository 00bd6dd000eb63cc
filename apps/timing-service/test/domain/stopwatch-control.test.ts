import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../src/domain/change-feed.ts';
import { STOPWATCHES_PER_AGENT, type Stopwatch } from '../../src/domain/stopwatch.ts';
import {
  deleteStopwatch,
  readStopwatch,
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

const of = (agentId: string, name: string, project: string | null = null) => ({ agentId, project, name });
const RUNNING = { name: 'tea', agentId: 'ann', project: null, startedMs: STARTED_MS, stoppedMs: null };
const UNKNOWN = {
  name: 'NotFoundError',
  code: 'unknown_stopwatch',
  message: "The agent 'ann' has no stopwatch named 'tea': start it first.",
};

test('a stopwatch starts, stops once, starts anew and is deleted, and each is published', async () => {
  expect(await startStopwatch(deps, of('ann', 'tea'))).toEqual({ stopwatch: RUNNING, restarted: false });
  expect(await readStopwatch(deps, of('ann', 'tea'))).toEqual(RUNNING);
  stores.clock.advance(2_000);
  const stopped = { ...RUNNING, stoppedMs: STARTED_MS + 2_000 };
  expect(await stopStopwatch(deps, of('ann', 'tea'))).toEqual(stopped);
  stores.clock.advance(5_000);
  expect(await stopStopwatch(deps, of('ann', 'tea'))).toEqual(stopped);
  const again = { ...RUNNING, startedMs: STARTED_MS + 7_000 };
  expect(await startStopwatch(deps, of('ann', 'tea'))).toEqual({ stopwatch: again, restarted: true });
  await deleteStopwatch(deps, of('ann', 'tea'));
  expect(published).toEqual([
    { kind: 'stopwatch', agentId: 'ann', project: null, stopwatch: RUNNING },
    { kind: 'stopwatch', agentId: 'ann', project: null, stopwatch: stopped },
    { kind: 'stopwatch', agentId: 'ann', project: null, stopwatch: stopped },
    { kind: 'stopwatch', agentId: 'ann', project: null, stopwatch: again },
    { kind: 'stopwatch-deleted', agentId: 'ann', project: null, name: 'tea' },
  ]);
  expect(steps).toEqual([]);
});

test('one that is not there is refused and publishes nothing, also when another agent has it', async () => {
  await startStopwatch(deps, of('bob', 'tea'));
  published.length = 0;
  for (const work of [readStopwatch, stopStopwatch, deleteStopwatch]) {
    expect(await refusalOf(() => work(deps, of('ann', 'tea')))).toEqual(UNKNOWN);
  }
  expect(published).toEqual([]);
  expect(await readStopwatch(deps, of('bob', 'tea'))).toMatchObject({ stoppedMs: null });
});

test('a stop before the start, by a clock that was set back, takes no time and is reported', async () => {
  await startStopwatch(deps, of('ann', 'tea'));
  stores.clock.advance(-60_000);
  const stopped = await stopStopwatch(deps, of('ann', 'tea'));
  expect(stopped).toEqual({ ...RUNNING, stoppedMs: STARTED_MS });
  expect(steps).toEqual([stopped]);
});

test('the one after the thousandth of an agent is refused until one is deleted', async () => {
  expect(STOPWATCHES_PER_AGENT).toBe(1_000);
  const insert = stores.database.db.$client.prepare(
    "INSERT INTO stopwatches (agent_id, name, started_us) VALUES ('ann', ?, 0)",
  );
  for (let index = 0; index < 1_000; index++) insert.run(`s${index}`);
  expect(await refusalOf(() => startStopwatch(deps, of('ann', 'tea')))).toEqual({
    name: 'ConflictError',
    code: 'too_many_stopwatches',
    message: "The agent 'ann' has 1000 stopwatches: delete one that is no longer needed.",
  });
  expect([published, stores.count('stopwatches')]).toEqual([[], 1_000]);
  expect(await startStopwatch(deps, of('ann', 's5'))).toMatchObject({ restarted: true });
  expect(await startStopwatch(deps, of('bob', 'tea'))).toMatchObject({ restarted: false });
  await deleteStopwatch(deps, of('ann', 's0'));
  expect(await startStopwatch(deps, of('ann', 'tea'))).toMatchObject({ restarted: false });
});

test('each project has stopwatches of its own, and one of none serves all', async () => {
  await startStopwatch(deps, of('ann', 'tea'));
  expect(await readStopwatch(deps, of('ann', 'tea', 'shop'))).toMatchObject({ project: null });
  expect(await startStopwatch(deps, of('ann', 'tea', 'shop'))).toMatchObject({ restarted: false });
  expect(await startStopwatch(deps, of('ann', 'eggs', 'shop'))).toMatchObject({ restarted: false });
  stores.clock.advance(1_000);
  expect(await stopStopwatch(deps, of('ann', 'tea', 'shop'))).toMatchObject({ project: 'shop' });
  expect(await readStopwatch(deps, of('ann', 'tea'))).toMatchObject({ project: null, stoppedMs: null });
  expect(await readStopwatch(deps, of('ann', 'eggs'))).toMatchObject({ project: 'shop' });
  expect(await refusalOf(() => readStopwatch(deps, of('ann', 'eggs', 'blog')))).toEqual({
    name: 'NotFoundError',
    code: 'unknown_stopwatch',
    message: "The agent 'ann' has no stopwatch named 'eggs' in the project 'blog': start it first.",
  });
  published.length = 0;
  await deleteStopwatch(deps, of('ann', 'tea', 'blog'));
  expect(published).toEqual([{ kind: 'stopwatch-deleted', agentId: 'ann', project: null, name: 'tea' }]);
  const left = await stores.stopwatches.list({ agentId: 'ann', project: null });
  expect(left.map(({ name, project }) => [name, project])).toEqual([
    ['tea', 'shop'],
    ['eggs', 'shop'],
  ]);
});
