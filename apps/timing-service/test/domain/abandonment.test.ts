import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { abandonForgottenTasks } from '../../src/domain/abandonment.ts';
import type { Change } from '../../src/domain/change-feed.ts';
import { endTask, type StartInput, startTask } from '../../src/domain/record.ts';
import { openStores, type Stores } from '../stores.ts';

const HOUR_MS = 3_600_000;

let stores: Stores;
let batches: (readonly string[])[];
beforeEach(() => {
  stores = openStores();
  batches = [];
});
afterEach(() => stores.close());

const start = (correlationId: string, taskType = 'build', given: Partial<StartInput> = {}) =>
  startTask(stores.record, {
    agentId: 'ann',
    project: null,
    taskType,
    metadata: null,
    estimatedSeconds: null,
    correlationId,
    ...given,
  });
const end = (correlationId: string, taskType = 'build') =>
  endTask(stores.record, { agentId: 'ann', project: null, taskType, metadata: null, outcome: 'ok', correlationId });
const abandon = (abandonAfterSeconds = 3_600) =>
  abandonForgottenTasks(stores, { abandonAfterSeconds, onAbandoned: (ids) => batches.push(ids) });

describe('a forgotten task', () => {
  test('of a type with no history is given the configured time, and not a millisecond less', async () => {
    await start('c1');
    stores.clock.advance(HOUR_MS);
    expect(await abandon()).toBe(0);
    stores.clock.advance(1);
    const published: Change[] = [];
    stores.feed.subscribe((change) => published.push(change));
    expect(await abandon()).toBe(1);
    const task = await stores.tasks.find('c1');
    expect(task).toMatchObject({ state: 'abandoned', endedMs: null, durationSeconds: null });
    expect(published).toEqual([{ kind: 'abandoned', agentId: 'ann', project: null, task }]);
    expect(batches.flat()).toEqual(['c1']);
    expect(await abandon()).toBe(0);
    expect(await end('c1')).toMatchObject({ replayed: false, task: { state: 'ended' } });
  });

  test('of a type that takes long is given ten times its p99', async () => {
    await start('before');
    stores.clock.advance(2 * HOUR_MS);
    await end('before');
    await start('long');
    await start('other', 'never ended');
    stores.clock.advance(2 * HOUR_MS);
    expect(await abandon()).toBe(1);
    expect(batches.flat()).toEqual(['other']);
    stores.clock.advance(18 * HOUR_MS);
    expect(await abandon()).toBe(0);
    stores.clock.advance(1);
    expect(await abandon()).toBe(1);
    expect(batches.flat()).toEqual(['other', 'long']);
  });

  test('of an agent that is new to its type is given ten times the p99 of all agents, and ten times its estimate', async () => {
    await start('before');
    stores.clock.advance(2 * HOUR_MS);
    await end('before');
    await start('new', 'build', { agentId: 'bob' });
    await start('expected', 'train', { estimatedSeconds: 2 * 3_600 });
    stores.clock.advance(20 * HOUR_MS);
    expect(await abandon()).toBe(0);
    stores.clock.advance(1);
    expect(await abandon()).toBe(2);
    expect(batches.flat()).toEqual(['new', 'expected']);
  });

  test('is one of many: all are seen, over the size of a batch, and the young one stays', async () => {
    for (let index = 0; index < 450; index++) await start(`c${index}`);
    stores.clock.advance(HOUR_MS + 1);
    await start('fresh');
    expect(await abandon()).toBe(450);
    expect(batches.flat()).toEqual(Array.from({ length: 450 }, (_, index) => `c${index}`));
    expect(batches.length).toBeGreaterThan(1);
    expect(await stores.tasks.countActive()).toBe(1);
  });
});
