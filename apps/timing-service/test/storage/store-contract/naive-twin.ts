import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Metadata } from '../../../src/domain/event.ts';
import type { ListPosition, Page } from '../../../src/domain/page.ts';
import { endTask, recordEvent, startTask } from '../../../src/domain/record.ts';
import type { DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import { OUTCOMES, type Task } from '../../../src/domain/task.ts';
import type { TransferItem } from '../../../src/domain/transfer.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';
import { type OpenStores, type ReplicaStores, replicaStores } from './contract-stores.ts';
import { everyName } from './every-name.ts';
import { exportedItems } from './exported-items.ts';
import { NaiveStores } from './naive-stores.ts';
import { timeBatches } from './task-times.ts';

const RUNS = 25;
const LONGEST_RUN = 40;
const STOPWATCHES = 3;

const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
const AGENT = oneOf('ann', 'bob');
const SOMEBODY = oneOf('ann', 'bob', null);
const PROJECT = oneOf('shop', 'blog', null);
const TYPE = oneOf('build', 'test');
const ID = oneOf('c1', 'c2', 'c3', 'c4', null);
const METADATA = oneOf<Metadata>(null, { a: [1, null] }, 'text', { session: 's1' });
const OUTCOME = oneOf(...OUTCOMES);
const NAME = oneOf('tea', 'eggs');
const SECONDS = fc.integer({ min: 0, max: 40 });
/** When it was, by who tells of it: mostly now, else before, or so far ahead that it is refused. */
const TOLD = oneOf(null, null, -3, 0, 2, 7.5, 500);
const WHOSE = { agentId: SOMEBODY, project: PROJECT };
const OWNER = { agentId: AGENT, project: PROJECT };

const imported = fc.oneof(
  fc.record({ ...OWNER, kind: oneOf('event' as const), id: oneOf('i1', 'i2', 'i3'), at: SECONDS, taskType: TYPE }),
  fc.record({
    ...OWNER,
    kind: oneOf('task' as const),
    id: oneOf('c1', 'c2', 'i1', 'i2'),
    at: oneOf(0, 3),
    taskType: TYPE,
    state: oneOf('active' as const, 'ended' as const, 'abandoned' as const),
    seconds: oneOf(1, 2.5),
    outcome: OUTCOME,
  }),
  fc.record({ ...OWNER, kind: oneOf('stopwatch' as const), name: NAME, at: SECONDS }),
);
type Imported = typeof imported extends fc.Arbitrary<infer Item> ? Item : never;

/** What can be asked of the stores, by its name. */
const CALLS = {
  advance: fc.record({ ms: oneOf(0, 250, 1_000, 7_000) }),
  record: fc.record({
    ...OWNER,
    taskType: oneOf('build', 'test', null),
    metadata: METADATA,
    correlationId: ID,
    told: TOLD,
  }),
  start: fc.record({
    ...OWNER,
    taskType: TYPE,
    metadata: METADATA,
    correlationId: ID,
    estimatedSeconds: oneOf(null, 2),
    told: TOLD,
  }),
  end: fc.record({ ...OWNER, taskType: TYPE, metadata: METADATA, correlationId: ID, outcome: OUTCOME, told: TOLD }),
  abandon: fc.record({ ids: fc.uniqueArray(oneOf('c1', 'c2', 'c3', 'none')) }),
  import: fc.record({ items: fc.array(imported, { maxLength: 4 }) }),
  deleteBefore: fc.record({ seconds: SECONDS }),
  startStopwatch: fc.record({ ...OWNER, name: NAME }),
  stopStopwatch: fc.record({ ...OWNER, name: NAME, at: SECONDS }),
  deleteStopwatch: fc.record({ ...OWNER, name: NAME }),
  listEvents: fc.record({
    ...WHOSE,
    limit: oneOf(1, 3, 50),
    eventType: oneOf(undefined, 'note', 'task_end'),
    taskType: oneOf(undefined, 'build'),
    correlationId: oneOf(undefined, 'c1'),
    since: oneOf(undefined, 2),
    until: oneOf(undefined, 9),
  }),
  listTasks: fc.record({
    ...WHOSE,
    limit: oneOf(1, 3, 50),
    taskType: oneOf(undefined, 'build'),
    state: oneOf(undefined, 'active' as const, 'ended' as const, 'abandoned' as const),
    outcome: oneOf(undefined, 'ok' as const, 'timeout' as const),
    since: oneOf(undefined, 2),
    until: oneOf(undefined, 9),
  }),
  ask: fc.record({ ...WHOSE, taskType: TYPE, since: SECONDS, limit: oneOf(1, 2, 9) }),
};
type CallName = keyof typeof CALLS;
type Call = {
  [Name in CallName]: { name: Name; input: (typeof CALLS)[Name] extends fc.Arbitrary<infer Input> ? Input : never };
}[CallName];

const WEIGHTS: Partial<Record<CallName, number>> = { start: 5, end: 4, advance: 3, import: 2, ask: 2 };
const call = fc.oneof(
  ...Object.entries(CALLS).map(([name, input]) => ({
    weight: WEIGHTS[name as CallName] ?? 1,
    arbitrary: (input as fc.Arbitrary<unknown>).map((value) => ({ name, input: value }) as Call),
  })),
);

/** Any sequence of calls, at two replicas in turn, is answered as lists in memory answer it. */
export function naiveTwinContract(open: OpenStores, { deletesAtOnce }: { readonly deletesAtOnce: boolean }): void {
  test('every store answers as lists that are searched from the beginning do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: LONGEST_RUN }), async (calls) => {
        const real = await open();
        const naive = new NaiveStores();
        const clock = new ManualClock(STARTED_MS);
        const twin = replicaStores(naive, clock, counted());
        const ids = counted();
        const replicas = [real, real.other].map((stores) => ({ ...stores, record: { ...stores.record, ids } }));
        for (const [turn, { name, input }] of calls.entries()) {
          if (name === 'advance') for (const each of [clock, real.clock]) each.advance(input.ms);
          else if (name === 'deleteBefore' && !deletesAtOnce) continue;
          // The name of an agent of which nothing else speaks stays until something of it is deleted by its age.
          else if (name !== 'deleteStopwatch' || naive.hasRecordsOf(input.agentId)) {
            const expected = await answered(twin, { name, input } as Call);
            expect({ turn, ...(await answered(replicas[turn % 2] as ReplicaStores, { name, input } as Call)) }).toEqual(
              { turn, ...expected },
            );
          }
        }
        const questions = ['ann', 'bob', null].map((agentId) => ({ agentId, project: 'shop' }));
        for (const whose of [...questions, { agentId: null, project: null }]) {
          const input = { ...whose, taskType: 'build', since: 1, limit: 99 };
          const expected = await answered(twin, { name: 'ask', input });
          for (const replica of replicas) expect(await answered(replica, { name: 'ask', input })).toEqual(expected);
        }
      }),
      { seed: 2_026, numRuns: RUNS },
    );
  });
}

function counted() {
  let count = 0;
  return { next: () => `id-${String(++count).padStart(4, '0')}` };
}

/** The answer or the refusal, without numbers, which engines give out as they like. */
async function answered(stores: ReplicaStores, asked: Call): Promise<object> {
  try {
    return { result: plain(await perform(stores, asked)) };
  } catch (error) {
    return { refusal: (error as { code?: string }).code ?? String(error) };
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, inner) => (key === 'sequence' ? undefined : inner)));
}

async function perform(stores: ReplicaStores, { name, input }: Call): Promise<unknown> {
  const { record, tasks, stopwatches, transfer, expiry } = stores;
  switch (name) {
    case 'advance':
      return null;
    case 'record':
      return await recordEvent(record, { ...input, eventType: 'note', toldMs: toldMs(input) });
    case 'start':
      return await startTask(record, { ...input, toldMs: toldMs(input) });
    case 'end':
      return await endTask(record, { ...input, toldMs: toldMs(input) });
    case 'abandon':
      return (await tasks.abandon(input.ids, record.clock.now())).sort(byId);
    case 'import':
      return await transfer.import(input.items.map(itemOf));
    case 'deleteBefore':
      return await expiry.deleteBefore(secondsIn(input.seconds));
    case 'startStopwatch':
      return await stopwatches.start({ ...input, startedMs: record.clock.now(), stoppedMs: null }, STOPWATCHES);
    case 'stopStopwatch':
      return await stopwatches.stop(input, secondsIn(input.at));
    case 'deleteStopwatch':
      return await stopwatches.delete(input);
    case 'listEvents':
      return await pages(input, (filter, page) => stores.events.list(filter, page));
    case 'listTasks':
      return await pages(input, (filter, page) => tasks.list(filter, page));
    case 'ask':
      return await askEverything(stores, input);
  }
}

/** Every method that reads and is not a list. */
async function askEverything(
  { events, tasks, stopwatches, transfer, history }: ReplicaStores,
  { taskType, since, limit, ...whose }: Extract<Call, { name: 'ask' }>['input'],
) {
  const sinceMs = secondsIn(since);
  const stored = await events.since(0, { ...whose, limit: 1_000 });
  const last = await events.lastSequence();
  const middle = stored[Math.floor(stored.length / 2)];
  return {
    stored,
    isInOrder: stored.every(({ sequence }, index) => sequence > (stored[index - 1]?.sequence ?? 0) && sequence <= last),
    later: middle ? await events.since(middle.sequence, { ...whose, limit }) : [],
    found: [await events.find('i1'), await events.find('id-0001'), await tasks.find('c1'), await tasks.find('none')],
    agents: await everyName((page) => events.agents(page)),
    taskTypes: await events.taskTypes(whose),
    hasTaskType: await events.hasTaskType(whose, taskType),
    projects: await everyName((page) => events.projects(whose, page)),
    active: await tasks.active({ ...whose, limit }),
    activeOfType: await tasks.active({ ...whose, taskType, limit }),
    countActive: await tasks.countActive(),
    activeSince: await pages({ limit }, (_none, page) => tasks.activeSince({ startedBeforeMs: sinceMs, ...page })),
    estimates: await tasks.pastEstimates(whose, limit),
    times: (await timeBatches(tasks, { ...whose, taskType, sinceMs, untilMs: sinceMs + 4_000 })).flat(),
    allTimes: (await timeBatches(tasks, { ...whose, sinceMs, untilMs: sinceMs + 9_000, withSession: true })).flat(),
    watches: await stopwatches.list({ ...whose, agentId: whose.agentId ?? 'ann' }),
    watch: await stopwatches.find({ ...whose, agentId: whose.agentId ?? 'ann', name: 'tea' }),
    exported: await exportedItems(transfer, whose),
    sample: told(await history.sample(whose, taskType)),
    sampleSince: told(await history.sampleSince(whose, taskType, sinceMs)),
  };
}

async function pages<Filter extends { limit: number }, Item>(
  { limit, ...input }: Filter & { since?: number | undefined; until?: number | undefined },
  list: (filter: never, page: { limit: number; after: ListPosition | null }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const { since, until, ...rest } = input as { since?: number; until?: number };
  const sinceMs = since === undefined ? undefined : secondsIn(since);
  const untilMs = until === undefined ? undefined : secondsIn(until);
  const items: Item[] = [];
  for (let after: ListPosition | null = null; ; ) {
    const page: Page<Item> = await list({ ...rest, sinceMs, untilMs } as never, { limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    after = page.next;
    if (!after) return items;
  }
}

function told({ ended, activeStartsMs, abandonedCount }: DurationSample) {
  const durations = OUTCOMES.map((outcome) => {
    const { sorted, moments } = ended[outcome];
    return { sorted: [...sorted], mean: sorted.size === 0 ? 0 : Number(moments.mean.toFixed(6)) };
  });
  return { durations, active: [...activeStartsMs], abandonedCount };
}

function itemOf(item: Imported): TransferItem {
  const { agentId, project } = item;
  const startedMs = secondsIn(item.at);
  const whose = { agentId, project };
  if (item.kind === 'stopwatch')
    return { kind: 'stopwatch', stopwatch: { ...whose, name: item.name, startedMs, stoppedMs: null } };
  const { taskType } = item;
  if (item.kind === 'event') {
    const event = { ...whose, id: item.id, eventType: 'note', taskType, timestampMs: startedMs, metadata: null };
    return { kind: 'event', event: { ...event, correlationId: null } };
  }
  const task = { ...whose, correlationId: item.id, taskType, startedMs, estimatedSeconds: 3, metadata: null };
  const noEnd = { outcome: null, endedMs: null, abandonedMs: null, durationSeconds: null, endEventId: null };
  if (item.state === 'active') return { kind: 'task', task: { ...task, ...noEnd, state: 'active' } };
  if (item.state === 'abandoned') {
    const abandonedMs = startedMs + item.seconds * 1000;
    return { kind: 'task', task: { ...task, ...noEnd, state: 'abandoned', abandonedMs } };
  }
  const { seconds: durationSeconds, outcome } = item;
  const end = { outcome, endedMs: startedMs + durationSeconds * 1000, durationSeconds };
  return { kind: 'task', task: { ...task, ...noEnd, state: 'ended', ...end } };
}

function byId(one: Task, other: Task): number {
  return one.correlationId < other.correlationId ? -1 : 1;
}

function toldMs({ told }: { readonly told: number | null }): number | null {
  return told === null ? null : secondsIn(told);
}

function secondsIn(seconds: number): number {
  return STARTED_MS + seconds * 1000;
}
