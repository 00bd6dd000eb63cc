import { setFlagsFromString } from 'node:v8';
import { expect, test } from '@jest/globals';
import { TASK_END } from '../../src/domain/event.ts';
import { endTask, newEvent, startTask } from '../../src/domain/record.ts';
import { openStores } from '../stores.ts';

setFlagsFromString('--allow-natives-syntax');
const haveOneShape = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
setFlagsFromString('--no-allow-natives-syntax');

const TASK = { agentId: 'ann', project: null, taskType: 'build', metadata: null };

/** The engine takes its shortcuts from the second call on. */
const CALLS = 50;

test('the engine gives each literal that begins with another object and goes on with a new field a shape of its own', () => {
  const known = { a: 1 };
  const shapes = [() => ({ ...known, b: 2 }), () => ({ b: 2, ...known })].map((literal) => {
    const made = Array.from({ length: CALLS }, literal);
    return haveOneShape(made.at(-2) as object, made.at(-1) as object);
  });
  expect(shapes[1]).toBe(true);
  // So it is in Node 20: an engine that does better needs none of this.
  if (process.version.startsWith('v20.')) expect(shapes[0]).toBe(false);
});

test('events, as they are made and as they come out of the store, have one shape each, so that none outlives its request', async () => {
  const stores = openStores();
  const { record } = stores;
  const made: object[][] = [];
  for (let call = 0; call < CALLS; call++) {
    const correlationId = `c${call}`;
    const fresh = newEvent(record, { ...TASK, eventType: TASK_END, correlationId });
    const started = await startTask(record, { ...TASK, estimatedSeconds: null, correlationId });
    const ended = await endTask(record, { ...TASK, outcome: 'ok', correlationId });
    made.push([fresh, started.event, ended.event, (await record.events.find(ended.event.id)) as object]);
  }
  const [before, last] = made.slice(-2) as [object[], object[]];
  expect(last.map((event, index) => haveOneShape(event, before[index] as object))).toEqual([true, true, true, true]);
  stores.close();
});
