import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { recordEvent, startTask } from '../../src/domain/record.ts';
import { jobs } from '../../src/jobs/jobs.ts';
import { openStores, type Stores } from '../stores.ts';

const HOUR_MS = 3_600_000;

let stores: Stores;
let audited: [string, string, unknown][];
beforeEach(() => {
  stores = openStores();
  audited = [];
});
afterEach(() => stores.close());

const make = (retentionDays: number | null) =>
  jobs(
    {
      clock: stores.clock,
      claim: async () => true,
      turnPeriods: async () => ({ events: 0, tasks: 0 }),
      spaces: {
        inOpen: (work) => work(stores),
        inAll: (work) => work(stores),
        closeIdle: async () => {},
      },
      audit: (operation, work) => work((kind, ids) => audited.push([operation, kind, ids])),
    },
    { abandonAfterSeconds: 3_600, retentionDays },
  );

test('each job has its schedule, and retention is one where it is asked for', () => {
  const schedules = (retentionDays: number | null) =>
    make(retentionDays).map(({ name, expression }) => [name, expression]);
  const retention = ['retention', '17 * * * *'];
  const others = [
    ['abandonment', '* * * * *'],
    ['abandonment in all spaces', '17 * * * *'],
    ['idle spaces', '* * * * *'],
  ];
  expect(schedules(null)).toEqual(others);
  expect(schedules(30)).toEqual(others.toSpliced(2, 0, retention));
});

test('abandonment audits the tasks, and has something to log only where there are any', async () => {
  const [abandonment] = make(null);
  const start = {
    agentId: 'ann',
    project: null,
    taskType: 'x',
    metadata: null,
    estimatedSeconds: null,
    correlationId: 'c1',
  };
  await startTask(stores.record, start);
  expect(await abandonment?.run()).toBeNull();
  stores.clock.advance(HOUR_MS + 1);
  expect(await abandonment?.run()).toEqual({ abandoned: 1 });
  expect(audited.filter(([, , ids]) => (ids as string[]).length > 0)).toEqual([['abandonment', 'tasks', ['c1']]]);
});

test('retention audits how much it deleted', async () => {
  const retention = make(2).find(({ name }) => name === 'retention');
  const event = { agentId: 'ann', project: null, eventType: 'x', taskType: null, metadata: null, correlationId: null };
  await recordEvent(stores.record, event);
  stores.clock.advance(48 * HOUR_MS);
  expect(await retention?.run()).toEqual({ events: 0, tasks: 0 });
  stores.clock.advance(1);
  expect(await retention?.run()).toEqual({ events: 1, tasks: 0 });
  // Of the rows, then of the periods, which a file has none of.
  expect(audited.slice(-4)).toEqual([
    ['retention', 'events', 1],
    ['retention', 'tasks', 0],
    ['retention', 'events', 0],
    ['retention', 'tasks', 0],
  ]);
});
