import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { Webhook as Verifier } from 'standardwebhooks';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import type { Memory } from '../../src/domain/memory/memory.ts';
import { ChangeFeed } from '../../src/domain/space/change-feed.ts';
import type { StoreChange } from '../../src/domain/space/store-change.ts';
import type { ReaderProgress } from '../../src/domain/space/stored-space.ts';
import { Webhooks, webhookMetrics } from '../../src/webhooks/webhooks.ts';
import type { Webhook } from '../../src/webhooks/webhooks-file.ts';
import { sampleMemory } from '../sample-memory.ts';
import { ManualPauses } from './manual-pauses.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** 2026-11-21T09:30:00.123Z */
const START_MS = 1_795_253_400_123;
const SECRET = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const EVENTS = ['added', 'edited', 'superseded', 'invalidated', 'deleted', 'contradiction', 'consolidation'] as const;

let receiver: Receiver;
let world: ReturnType<typeof startWorld>;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  world = startWorld();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await receiver.close();
});

/** A feed whose changes a test makes, and time that passes when a test says so. */
function startWorld() {
  const clock = new ManualClock(START_MS);
  const pauses = new ManualPauses(clock);
  const lines: Record<string, unknown>[] = [];
  let onLine = (): void => {};
  const registry = new Registry();
  const metrics = webhookMetrics(registry);
  let ids = 0;
  const newId = () => String(++ids).padStart(15, '0');
  let tell: (change: StoreChange) => void = () => {};
  let changes = 0;
  const feed = new ChangeFeed({
    clock,
    newId,
    lastChange: () => changes,
    listen: (listener) => {
      tell = listener;
    },
  });
  const log = createLog({
    name: 'test',
    level: 'info',
    destination: {
      write: (line) => {
        lines.push(JSON.parse(line));
        onLine();
      },
    },
  });
  return {
    clock,
    pauses,
    lines,
    registry,
    /** Resolves once the log has a line with this message. */
    async logged(msg: string): Promise<void> {
      while (!lines.some((line) => line.msg === msg)) {
        await new Promise<void>((resolve) => {
          onLine = resolve;
        });
      }
    },
    metric: async (name: string, labels: Record<string, string>) =>
      metric(parseExposition(await registry.metrics()), name, labels),
    /** One that was added. */
    add(number: number, about: Partial<Memory> = {}): string {
      changes += 1;
      const memory = sampleMemory(number, { scope: 'TEAM', project: null, ...about });
      tell({ kind: 'memory', before: null, after: memory, successor: null, operation: null, by: memory.agentId });
      return memory.id;
    },
    start(
      webhooks: readonly (Partial<Webhook> & Pick<Webhook, 'url'>)[],
      options: { allowPrivate?: boolean; lookup?: LookupFunction; readerProgress?: ReaderProgress } = {},
    ): Webhooks {
      const started = new Webhooks(
        webhooks.map((webhook) => ({
          name: webhook.url.host,
          keys: [SECRET],
          events: EVENTS,
          project: null,
          space: 'default',
          ...webhook,
        })),
        {
          feed,
          clock,
          log,
          metrics,
          newId,
          readerProgress: null,
          isOwner: async () => true,
          allowPrivate: true,
          pause: pauses.pause,
          random: () => 0,
          userAgent: 'memory-service/0.0.0-test',
          ...options,
        },
      );
      stops.push(() => started.stop());
      started.start();
      return started;
    },
  };
}

const urlOf = ({ port }: Receiver, path = '/hooks/moss') => new URL(`http://127.0.0.1:${port}${path}`);

/** One webhook that has taken its first notice. */
async function ready(about: Partial<Webhook> = {}): Promise<Webhooks> {
  const webhooks = world.start([{ url: urlOf(receiver), name: 'sample', ...about }]);
  (await receiver.next()).answer(204);
  return webhooks;
}

describe('a webhook', () => {
  test('gets what happened, signed as Standard Webhooks has it, and no words of memories', async () => {
    await ready();
    const memory_id = world.add(1, { agentId: 'ann', project: 'blue', gist: 'The kettle boils.' });
    const { path, headers, body, answer } = await receiver.next();
    answer(200);
    expect(path).toBe('/hooks/moss');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'memory-service/0.0.0-test',
      'webhook-id': expect.stringMatching(/^\d{15}$/),
      'webhook-timestamp': '1795253400',
    });
    const at = '2026-11-21T09:30:00.123Z';
    const data = { at, by: 'ann', operation: null, memory_id, agent_id: 'ann', project: 'blue', scope: 'TEAM' };
    expect(JSON.parse(body)).toEqual({ type: 'added', timestamp: at, data });
    const id = headers['webhook-id'] as string;
    const expected = new Verifier(SECRET.toString('base64')).sign(id, new Date(START_MS), body);
    expect(headers['webhook-signature']).toBe(expected);
  });

  test('whose secret is changed gets a signature by each', async () => {
    await ready({ keys: [Buffer.alloc(32, 'n'), SECRET] });
    world.add(1);
    const { headers, body, answer } = await receiver.next();
    answer(200);
    const signatures = [Buffer.alloc(32, 'n'), SECRET].map((key) =>
      new Verifier(key.toString('base64')).sign(headers['webhook-id'] as string, new Date(START_MS), body),
    );
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  test('is told first that what came before is not known', async () => {
    world.start([{ url: urlOf(receiver) }]);
    const { notice, answer } = await receiver.next();
    expect(notice).toEqual({ type: 'reset', timestamp: '2026-11-21T09:30:00.123Z', data: {} });
    const memory_id = world.add(1);
    answer(200);
    expect((await receiver.next()).notice.data.memory_id).toBe(memory_id);
  });

  test('gets one after the other in the order in which they happened', async () => {
    await ready();
    const ids = Array.from({ length: 30 }, (_, number) => world.add(number));
    for (const id of ids) {
      const { notice, answer } = await receiver.next();
      expect(receiver.waiting).toBe(0);
      expect(notice.data.memory_id).toBe(id);
      answer(202);
    }
  });

  test('gets the events that it chose, of its project, of none and what others share; never what is PRIVATE', async () => {
    await ready({ project: 'blue', events: ['added'] });
    world.add(1, { project: 'red' });
    world.add(2, { scope: 'PRIVATE' });
    world.add(3, { scope: 'PRIVATE', project: 'blue' });
    const told = [
      world.add(4, { project: 'blue' }),
      world.add(5, { project: null }),
      world.add(6, { project: 'red', scope: 'SHARED' }),
    ];
    for (const id of told) {
      const { notice, answer } = await receiver.next();
      answer(200);
      expect(notice.data.memory_id).toBe(id);
    }
  });
});

describe('a failure', () => {
  test('is tried again with growing pauses, under the same id with a new time, and holds back what follows', async () => {
    const webhooks = await ready();
    const first = world.add(1);
    const second = world.add(2);
    const tries = [];
    for (const [status, ms] of [
      [500, 500],
      [503, 1_000],
      [404, 2_000],
      [429, 4_000],
    ] as const) {
      const received = await receiver.next();
      received.answer(status);
      tries.push(received);
      const retry = await world.pauses.retries.next();
      expect(retry.ms).toBe(ms);
      expect(webhooks.figures).toEqual({ configured: 1, failing: 1, gone: 0 });
      retry.over();
    }
    const taken = await receiver.next();
    taken.answer(200);
    tries.push(taken);
    const [{ body }] = tries as [(typeof tries)[0]];
    expect(tries.map(({ headers }) => headers['webhook-id'])).toEqual(tries.map(() => taken.headers['webhook-id']));
    expect(tries.map((one) => one.body)).toEqual(tries.map(() => body));
    // 09:30:00.123 and the pauses.
    const seconds = tries.map(({ headers }) => Number(headers['webhook-timestamp']) - 1_795_253_400);
    expect(seconds).toEqual([0, 0, 1, 3, 7]);
    for (const { headers, body } of tries) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const signature = new Verifier(SECRET.toString('base64')).sign(headers['webhook-id'] as string, at, body);
      expect(headers['webhook-signature']).toBe(signature);
    }
    expect(taken.notice.data.memory_id).toBe(first);
    const next = await receiver.next();
    next.answer(200);
    expect(next.notice.data.memory_id).toBe(second);
    expect(webhooks.figures).toEqual({ configured: 1, failing: 0, gone: 0 });
    expect(
      world.lines.map(({ level, msg, webhook, reason, failures }) => [level, msg, webhook, reason ?? failures]),
    ).toEqual([
      ['warn', 'a webhook fails: it is tried again', 'sample', 'status 500'],
      ['info', 'a webhook works again', 'sample', 4],
    ]);
  });

  test('waits as long as the receiver asks for', async () => {
    await ready();
    world.add(1);
    (await receiver.next()).answer(503, { 'Retry-After': '120' });
    expect((await world.pauses.retries.next()).ms).toBe(120_000);
  });

  test('waits until the date for which the receiver asks, by its own clock', async () => {
    await ready();
    world.add(1);
    const dates = { Date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'Retry-After': 'Wed, 01 Jan 2020 00:02:00 GMT' };
    (await receiver.next()).answer(503, dates);
    expect((await world.pauses.retries.next()).ms).toBe(120_000);
  });

  test('may be that nobody listens, or that the connection breaks off', async () => {
    await ready();
    world.add(1);
    (await receiver.next()).res.destroy();
    const retry = await world.pauses.retries.next();
    await receiver.close();
    retry.over();
    expect((await world.pauses.retries.next()).ms).toBe(1_000);
    expect(world.lines[0]).toMatchObject({ reason: 'socket hang up' });
    // One that is closed after the test.
    receiver = await startReceiver();
  });

  test('is a redirect, which nobody follows', async () => {
    const other = await startReceiver();
    stops.push(() => other.close());
    await ready();
    world.add(1);
    (await receiver.next()).answer(307, { Location: urlOf(other).href });
    (await world.pauses.retries.next()).over();
    (await receiver.next()).answer(200);
    expect(other.waiting).toBe(0);
    expect(world.lines[0]).toMatchObject({
      reason: 'status 307: redirects are not followed, so name the address that it leads to',
    });
  });

  test('is an answer that does not come', async () => {
    await ready();
    await world.pauses.limits.next();
    world.add(1);
    const { notice } = await receiver.next();
    (await world.pauses.limits.next()).over();
    (await world.pauses.retries.next()).over();
    const again = await receiver.next();
    again.answer(200);
    expect(again.notice).toEqual(notice);
    expect(world.lines[0]).toMatchObject({ reason: 'no answer within 15 s' });
  });

  test('is none where the status has come, and the body is too long or never ends', async () => {
    await ready();
    const ids = [world.add(1), world.add(2), world.add(3)];
    const long = await receiver.next();
    await world.pauses.limits.next();
    await world.pauses.limits.next();
    const isCut = once(long.res, 'close');
    long.res.writeHead(200);
    const part = Buffer.alloc(16 * 1024, 'x');
    const write = () => {
      while (!long.res.destroyed && long.res.write(part));
    };
    long.res.on('drain', write);
    write();
    await isCut;
    const endless = await receiver.next();
    const limit = await world.pauses.limits.next();
    const isAnswered = new Promise((resolve) => subscribe('http.client.response.finish', resolve));
    endless.res.writeHead(200).write('a little');
    await isAnswered;
    limit.over();
    const last = await receiver.next();
    last.answer(200);
    expect([long, endless, last].map(({ notice }) => notice.data.memory_id)).toEqual(ids);
  });

  test('is an answer of which only what comes before it comes, again and again', async () => {
    await ready();
    world.add(1);
    const { res } = await receiver.next();
    const socket = res.socket as Socket;
    const isCut = new Promise((resolve) => socket.once('close', resolve));
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
    const write = () => {
      while (!socket.destroyed && socket.write(hints));
    };
    socket.on('drain', write);
    write();
    await isCut;
    (await world.pauses.retries.next()).over();
    expect(world.lines[0]).toMatchObject({ reason: 'the answer is longer than 64 KiB' });
    (await receiver.next()).answer(200);
  });

  test('ends the webhook where the receiver says that it is gone', async () => {
    const webhooks = await ready();
    world.add(1);
    (await receiver.next()).answer(410);
    await world.logged('a webhook is gone (410): nothing is sent to it until the next start');
    world.add(2);
    expect(webhooks.figures).toEqual({ configured: 1, failing: 0, gone: 1 });
    expect(await world.metric('memory_webhook_gone', { webhook: 'sample' })).toBe(1);
    await webhooks.stop();
    expect([receiver.waiting, world.pauses.retries.size]).toEqual([0, 0]);
  });

  test('that lasts for a day makes one reset of all that waits', async () => {
    await ready();
    world.add(1);
    world.add(2);
    (await receiver.next()).answer(500);
    const retry = await world.pauses.retries.next();
    world.clock.advance(24 * 3_600_000 - 501);
    retry.over();
    (await receiver.next()).answer(500);
    // One millisecond is left.
    (await world.pauses.retries.next()).over();
    (await receiver.next()).answer(500);
    const reset = await receiver.next();
    expect(reset.notice.type).toBe('reset');
    reset.answer(200);
    expect(await world.metric('memory_webhook_resets_total', { webhook: 'sample' })).toBe(2);
    const later = world.add(3);
    expect((await receiver.next()).notice.data.memory_id).toBe(later);
  });
});

describe('a slow receiver', () => {
  test('holds up no other', async () => {
    const other = await startReceiver();
    stops.push(() => other.close());
    world.start([{ url: urlOf(receiver) }, { url: urlOf(other) }]);
    await receiver.next();
    (await other.next()).answer(200);
    for (let number = 0; number < 5; number++) {
      const id = world.add(number);
      const { notice, answer } = await other.next();
      answer(200);
      expect(notice.data.memory_id).toBe(id);
    }
    expect(receiver.waiting).toBe(0);
  });

  test('that falls behind what is kept is told so, and then of what is new', async () => {
    await ready();
    const first = world.add(0);
    const { notice, answer } = await receiver.next();
    expect(notice.data.memory_id).toBe(first);
    for (let number = 0; number < 4_001; number++) world.add(number);
    answer(200);
    const reset = await receiver.next();
    expect(reset.notice).toEqual({ type: 'reset', timestamp: '2026-11-21T09:30:00.123Z', data: {} });
    const later = world.add(1);
    reset.answer(200);
    const next = await receiver.next();
    next.answer(200);
    expect(next.notice.data.memory_id).toBe(later);
    expect(await world.metric('memory_webhook_resets_total', { webhook: 'sample' })).toBe(2);
    expect(world.lines.map(({ msg }) => msg)).toEqual([
      'a webhook is too far behind: a reset takes the place of the events',
    ]);
  });

  test('loses nothing to a flood of what is PRIVATE', async () => {
    await ready();
    world.add(0);
    const { answer } = await receiver.next();
    const id = world.add(1);
    for (let number = 0; number < 5_000; number++) world.add(number, { scope: 'PRIVATE' });
    answer(200);
    expect((await receiver.next()).notice.data.memory_id).toBe(id);
  });

  test('does not hold up a stop', async () => {
    const webhooks = await ready();
    world.add(1);
    const { res } = await receiver.next();
    const isCut = once(res, 'close');
    await webhooks.stop();
    await isCut;
    world.add(2);
    expect(receiver.waiting).toBe(0);
  });

  test('does not hold up a stop by a pause', async () => {
    const webhooks = await ready();
    world.add(1);
    (await receiver.next()).answer(500);
    await world.pauses.retries.next();
    await webhooks.stop();
    expect(receiver.waiting).toBe(0);
  });
});

describe('a webhook whose place is kept', () => {
  /** What one is told first, and then of a memory; it is stopped before it has answered that. */
  async function isFirstTold(path: string, readerProgress: ReaderProgress): Promise<string> {
    const webhooks = world.start([{ url: urlOf(receiver, path), name: 'sample' }], { readerProgress });
    world.add(1);
    const { notice, answer } = await receiver.next();
    if (notice.type === 'reset') {
      world.add(2);
      answer(200);
      await receiver.next();
    }
    await webhooks.stop();
    return notice.type;
  }

  test('goes on there, and another address of the same host does not', async () => {
    const kept = new Map<string, number>();
    const readerProgress: ReaderProgress = {
      lastChange: () => 0,
      read: async (name) => kept.get(name) ?? null,
      write: async (name, change) => void kept.set(name, change),
    };
    expect(await isFirstTold('/moss', readerProgress)).toBe('reset');
    expect(await isFirstTold('/moss', readerProgress)).toBe('added');
    expect(await isFirstTold('/fern', readerProgress)).toBe('reset');
    expect([...kept.keys()].join()).not.toMatch(/moss|fern/);
  });
});

describe('private addresses', () => {
  test('are not connected to where a name leads to them: the one look-up of each try decides', async () => {
    let lookups = 0;
    const lookup = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
      lookups += 1;
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    }) as LookupFunction;
    const url = new URL(`http://rebinding.example:${receiver.port}/`);
    world.start([{ url, name: 'sample' }], { allowPrivate: false, lookup });
    (await world.pauses.retries.next()).over();
    await world.pauses.retries.next();
    expect(lookups).toBe(2);
    expect(receiver.waiting).toBe(0);
    expect(world.lines[0]).toMatchObject({ reason: expect.stringMatching(/^the name leads to a private address/) });
  });

  test.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])(
    'are not connected to where the URL has %s',
    async (host) => {
      world.start([{ url: new URL(`http://${host}:${receiver.port}/`), name: 'sample' }], { allowPrivate: false });
      await world.pauses.retries.next();
      expect(world.lines[0]).toMatchObject({ reason: 'the address is private' });
      expect(receiver.waiting).toBe(0);
    },
  );

  test('are looked up and connected to where they are allowed', async () => {
    world.start([{ url: new URL(`http://localhost:${receiver.port}/`), name: 'sample' }]);
    expect((await receiver.next()).notice.type).toBe('reset');
  });
});

test('metrics and log say how each webhook is, and name its host alone', async () => {
  await ready();
  world.add(1);
  (await receiver.next()).answer(500);
  (await world.pauses.retries.next()).over();
  (await receiver.next()).answer(500);
  const retry = await world.pauses.retries.next();
  const of = async (name: string, labels = {}) => await world.metric(name, { webhook: 'sample', ...labels });
  expect(await of('memory_webhook_failures')).toBe(2);
  expect(await of('memory_webhook_last_delivery_timestamp_seconds')).toBe(START_MS / 1_000);
  retry.over();
  (await receiver.next()).answer(200);
  await world.logged('a webhook works again');
  expect(await of('memory_webhook_requests_total', { outcome: 'failed' })).toBe(2);
  expect(await of('memory_webhook_requests_total', { outcome: 'delivered' })).toBe(2);
  expect(await of('memory_webhook_failures')).toBe(0);
  expect(await of('memory_webhook_gone')).toBe(0);
  expect(await of('memory_webhook_last_delivery_timestamp_seconds')).toBe((START_MS + 1_500) / 1_000);
  expect(JSON.stringify(world.lines) + (await world.registry.metrics())).not.toMatch(/moss|MfKQ9r8G/);
});
