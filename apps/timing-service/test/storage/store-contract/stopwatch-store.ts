import { beforeEach, expect, test } from '@jest/globals';
import { STARTED_MS } from '../../domain/sample-task.ts';
import type { ContractStores, OpenStores } from './contract-stores.ts';
import { everyName } from './every-name.ts';

/** What every engine promises of stopwatches. */
export function stopwatchStoreContract(open: OpenStores): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  const stopwatch = (name: string, { agentId = 'ann', startedMs = STARTED_MS } = {}) => ({
    name,
    agentId,
    project: null,
    startedMs,
    stoppedMs: null,
  });

  test('a stopwatch is found as it was started, to the microsecond, and only by its agent', async () => {
    expect(await stores.stopwatches.start(stopwatch('tea'), 9)).toBe('started');
    expect(await stores.stopwatches.find({ agentId: 'ann', project: null, name: 'tea' })).toEqual(stopwatch('tea'));
    expect(await stores.stopwatches.find({ agentId: 'bob', project: null, name: 'tea' })).toBeNull();
    expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
  });

  test('it stops once, never before its start, and starts anew', async () => {
    const { stopwatches } = stores;
    expect(await stopwatches.stop({ agentId: 'ann', project: null, name: 'tea' }, STARTED_MS)).toBeNull();
    await stopwatches.start(stopwatch('tea'), 9);
    const stopped = { ...stopwatch('tea'), stoppedMs: STARTED_MS + 5 };
    expect(await stopwatches.stop({ agentId: 'ann', project: null, name: 'tea' }, STARTED_MS + 5)).toEqual(stopped);
    expect(await stopwatches.stop({ agentId: 'ann', project: null, name: 'tea' }, STARTED_MS + 9)).toEqual(stopped);
    const again = stopwatch('tea', { startedMs: STARTED_MS + 20 });
    expect(await stopwatches.start(again, 9)).toBe('restarted');
    expect(await stopwatches.find({ agentId: 'ann', project: null, name: 'tea' })).toEqual(again);
    expect(await stopwatches.stop({ agentId: 'ann', project: null, name: 'tea' }, STARTED_MS)).toEqual({
      ...again,
      stoppedMs: STARTED_MS + 20,
    });
  });

  test('the list is in order of creation, which a new start does not change', async () => {
    for (const name of ['c', 'a', 'b']) await stores.stopwatches.start(stopwatch(name), 9);
    await stores.stopwatches.start(stopwatch('x', { agentId: 'bob' }), 9);
    await stores.stopwatches.start(stopwatch('c', { startedMs: STARTED_MS + 1 }), 9);
    expect((await stores.stopwatches.list({ agentId: 'ann', project: null })).map(({ name }) => name)).toEqual([
      'c',
      'a',
      'b',
    ]);
  });

  test('one beyond the limit of its agent is not started; one that is there starts anew', async () => {
    await stores.stopwatches.start(stopwatch('one'), 2);
    await stores.stopwatches.start(stopwatch('two'), 2);
    expect(await stores.stopwatches.start(stopwatch('three'), 2)).toBe('full');
    expect(await stores.count('stopwatches')).toBe(2);
    expect(await stores.stopwatches.start(stopwatch('two'), 2)).toBe('restarted');
    expect(await stores.stopwatches.start(stopwatch('three', { agentId: 'bob' }), 2)).toBe('started');
  });

  test('a deletion says whether there was one, and takes no other', async () => {
    await stores.stopwatches.start(stopwatch('tea'), 9);
    await stores.stopwatches.start(stopwatch('tea', { agentId: 'bob' }), 9);
    expect(await stores.stopwatches.delete({ agentId: 'ann', project: null, name: 'tea' })).toEqual(stopwatch('tea'));
    expect(await stores.stopwatches.delete({ agentId: 'ann', project: null, name: 'tea' })).toBeNull();
    expect(await stores.stopwatches.find({ agentId: 'bob', project: null, name: 'tea' })).not.toBeNull();
  });
}
