import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { type Change, ChangeFeed } from '../../src/domain/change-feed.ts';
import type { TransferStore } from '../../src/domain/transfer.ts';
import { transferHandlers } from '../../src/http/transfer.ts';
import { rowCounts, runTasks, startTestService, type TestService } from '../start-service.ts';

let source: TestService;
let target: TestService;
let exported: string;

const importLines = (service: TestService, text: string) =>
  supertest(service.app).post('/import').type('application/x-ndjson').send(text);
const exportAll = async (service: TestService): Promise<string> =>
  (await supertest(service.app).get('/export?agent_id=*').buffer(true).parse(asText)).body;

function asText(res: unknown, done: (error: Error | null, text: string) => void): void {
  let text = '';
  const stream = res as NodeJS.ReadableStream;
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    text += chunk;
  });
  stream.on('end', () => done(null, text));
}

const EVENT = { kind: 'event', id: 'e', agent_id: 'zoe', event_type: 'x', timestamp: '2026-11-20T10:00:00Z' };

beforeAll(async () => {
  source = startTestService();
  target = startTestService({ clock: source.clock });
  await runTasks(source, 'build', [1, 2.5, 40, 3.25], { agent: 'ann' });
  await runTasks(source, 'build', [9], { agent: 'bob', outcome: 'timeout' });
  await runTasks(source, 'tool:ä/🤖', [0.0005], { agent: 'bob' });
  await supertest(source.app)
    .post('/events?agent_id=ann')
    .send({ event_type: 'note', metadata: { text: 'line\nbreak \u2028 \u0085 \r' } });
  await supertest(source.app)
    .post('/events/task-start?agent_id=ann')
    .send({ task_type: 'open', correlation_id: 'open-1' });
  await supertest(source.app).post('/stopwatch/tea/start?agent_id=ann');
  source.clock.advance(1_000);
  await supertest(source.app).post('/stopwatch/tea/stop?agent_id=ann');
  exported = await exportAll(source);
});
afterAll(() => {
  source.close();
  target.close();
});

describe('an export', () => {
  test('has a line for every event, task and stopwatch', () => {
    const lines = exported
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const kinds = lines.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'event')).toHaveLength(14);
    expect(kinds.filter((kind) => kind === 'task')).toHaveLength(7);
    expect(lines.at(-1)).toEqual({
      kind: 'stopwatch',
      name: 'tea',
      agent_id: 'ann',
      started_at: expect.stringMatching(/^2026-11-21T09:30:5/),
      stopped_at: expect.stringMatching(/^2026-11-21T09:30:5/),
      elapsed_seconds: 1,
      is_running: false,
    });
  });

  test('of one agent has nothing of the others', async () => {
    const answer = await supertest(source.app).get('/export?agent_id=bob').buffer(true).parse(asText);
    expect(answer.headers['content-type']).toMatch(/^application\/x-ndjson/);
    const lines: { agent_id: string }[] = answer.body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect([...new Set(lines.map(({ agent_id }) => agent_id))]).toEqual(['bob']);
    expect(lines).toHaveLength(6);
  });
});

test('an export to a slow reader leaves no listeners behind', async () => {
  const item = { kind: 'stopwatch', stopwatch: { name: 'x'.repeat(100), agentId: 'a', startedMs: 0, stoppedMs: null } };
  const transfer = {
    async *export() {
      for (let batch = 0; batch < 50; batch++) yield [item];
    },
  } as unknown as TransferStore;
  const { exportData } = transferHandlers({ clock: target.clock, transfer, feed: new ChangeFeed() });
  let most = 0;
  let written = 0;
  const reader: Writable = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString().split('\n').length - 1;
      most = Math.max(most, reader.listenerCount('close'));
      setImmediate(done);
    },
  });
  const res = Object.assign(reader, { status: () => res, type: () => res });
  await exportData({ caller: { agentId: '*' }, req: { method: 'GET' }, res } as never);
  expect([written, most < 10]).toEqual([50, true]);
});

describe('an import', () => {
  test('into a fresh database gives the same export and the same statistics', async () => {
    const report = await importLines(target, exported);
    expect(report.body).toEqual({
      received: 22,
      imported: 22,
      updated: 0,
      duplicates: 0,
      rejected_count: 0,
      rejected: [],
    });
    expect(await exportAll(target)).toBe(exported);
    for (const url of [
      '/stats/durations?agent_id=*',
      '/stats/durations?agent_id=ann',
      '/stats/recommend-timeout/build?agent_id=*',
      '/stats/trend/build?agent_id=*',
      '/stats/task-types?agent_id=*',
      '/agents',
      '/events/active?agent_id=*',
      '/tasks?agent_id=*',
      '/stopwatches?agent_id=ann',
    ]) {
      expect((await supertest(target.app).get(url)).body).toEqual((await supertest(source.app).get(url)).body);
    }
  });

  test('a second time changes nothing', async () => {
    const before = rowCounts(target);
    const report = await importLines(target, exported);
    expect(report.body).toMatchObject({ received: 22, imported: 0, updated: 0, duplicates: 22 });
    expect(rowCounts(target)).toEqual(before);
  });

  test('replaces an active task by its ended form and the statistics in memory follow', async () => {
    await supertest(source.app)
      .post('/events/task-end?agent_id=ann')
      .send({ task_type: 'open', correlation_id: 'open-1' });
    expect((await supertest(target.app).get('/stats/durations/open?agent_id=ann')).status).toBe(404);
    const report = await importLines(target, await exportAll(source));
    expect(report.body).toMatchObject({ imported: 1, updated: 1, duplicates: 21 });
    const { summary } = (await supertest(target.app).get('/stats/durations/open?agent_id=ann')).body;
    expect(summary).toMatchObject({ count: 1, max_seconds: 1, outcomes: { ok: 1, active: 0 } });
    const replay = await supertest(target.app)
      .post('/events/task-end')
      .send({ task_type: 'open', correlation_id: 'open-1' });
    expect(replay.body).toMatchObject({ replayed: true, duration_seconds: 1 });
  });

  test('takes the good lines and names the bad ones', async () => {
    const good = (id: string) => ({
      kind: 'event',
      id,
      agent_id: 'zoe',
      event_type: 'x',
      task_type: null,
      timestamp: '2026-11-20T10:00:00Z',
      metadata: null,
      correlation_id: null,
    });
    const task = {
      kind: 'task',
      correlation_id: 'imported-1',
      agent_id: 'zoe',
      task_type: 'x',
      state: 'ended',
      outcome: 'ok',
      started_at: '2026-11-20T10:00:00Z',
      ended_at: '2026-11-20T10:00:05Z',
    };
    const lines: [unknown, string | null][] = [
      [good('e1'), null],
      ['not json', 'JSON'],
      [[1], 'object'],
      [{ kind: 'other' }, 'kind'],
      [{ ...good('e2'), agent_id: '*' }, 'agent_id'],
      [{ ...good('e2'), agent_id: ' zoe' }, 'agent_id'],
      [{ ...good('e2'), event_type: '' }, 'event_type'],
      [{ ...good('e2'), event_type: 'a\u0000b' }, 'event_type'],
      [{ ...good('e2'), timestamp: '2026-02-31' }, 'timestamp'],
      [{ ...good('e2'), timestamp: 5 }, 'timestamp'],
      [{ ...good('e2'), metadata: [1] }, 'metadata'],
      [{ ...good('e2'), metadata: 'x'.repeat(65_536) }, 'metadata'],
      [{ ...good('e2'), id: undefined }, 'id'],
      [task, null],
      [{ ...task, correlation_id: 'imported-2', ended_at: '2026-11-20T09:00:00Z' }, 'ended_at'],
      [{ ...task, correlation_id: 'imported-2', outcome: null }, 'outcome'],
      [{ ...task, correlation_id: 'imported-2', state: 'lost' }, 'state'],
      [{ ...task, correlation_id: 'imported-2', estimated_seconds: -1 }, 'estimated_seconds'],
      [{ kind: 'stopwatch', name: '', agent_id: 'zoe', started_at: '2026-11-20T10:00:00Z' }, 'name'],
    ];
    const text = lines.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n\r\n');
    const { body } = await importLines(target, text);
    const bad = lines.flatMap(([, reason], index) => (reason === null ? [] : [{ line: 2 * index + 1, reason }]));
    expect(body).toMatchObject({ received: lines.length, imported: 2, rejected_count: bad.length });
    expect(body.rejected).toEqual(bad.map(({ line, reason }) => ({ line, reason: expect.stringContaining(reason) })));
    expect((await supertest(target.app).get('/stats/durations/x?agent_id=zoe')).body.summary).toMatchObject({
      count: 1,
      max_seconds: 5,
    });
  });

  test('names at most a hundred bad lines and counts all of them', async () => {
    const { body } = await importLines(target, '{}\n'.repeat(1_000));
    expect([body.received, body.rejected_count, body.rejected.length]).toEqual([1_000, 1_000, 100]);
  });

  test('rejects a line that no record can fill and goes on behind it', async () => {
    const line = (id: string) => JSON.stringify({ ...EVENT, id });
    const long = `{"kind":"${'x'.repeat(1024 * 1024)}"}`;
    const { body } = await importLines(target, [line('before'), long, line('behind'), long].join('\n'));
    const reason = 'has more than 262144 bytes';
    expect(body).toMatchObject({ received: 4, imported: 2, rejected_count: 2 });
    expect(body.rejected).toEqual([2, 4].map((number) => ({ line: number, reason })));
  });

  test.each(['gzip', 'br', 'zstd'])('refuses the encoding %s', async (encoding) => {
    const answer = await supertest(target.app)
      .post('/import')
      .set('Content-Encoding', encoding)
      .type('application/x-ndjson')
      .send('{}\n');
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    ['breaks off', false],
    ['fails', true],
  ])('that %s tells listeners to read anew what it wrote', async (_how, fails) => {
    const changes: Change[] = [];
    let batches = 0;
    const broken = new PassThrough();
    const transfer: TransferStore = {
      async *export() {},
      import: async (items) => {
        if (++batches === 1) return items.map(() => 'imported' as const);
        throw new Error('disk full');
      },
    };
    const feed = new ChangeFeed();
    feed.subscribe((change) => changes.push(change));
    const { importData } = transferHandlers({ clock: target.clock, transfer, feed });
    const req = Object.assign(broken, { get: () => undefined });
    const done = importData({ req } as never);
    const lines = `${JSON.stringify(EVENT)}\n`.repeat(fails ? 401 : 200);
    broken.write(lines, () => broken.destroy());
    await Promise.resolve(done).catch(() => {});
    expect(changes).toEqual([{ kind: 'reset' }]);
  });

  test('rejects a line of broken UTF-8 instead of storing what was never sent', async () => {
    const line = Buffer.from(
      '{"kind":"event","id":"e-utf8","agent_id":"zoe","event_type":"a?b","timestamp":"2026-11-20T10:00:00Z"}\n',
    );
    line[line.indexOf('?')] = 0xff;
    const before = rowCounts(target);
    const answer = await supertest(target.app)
      .post('/import')
      .type('application/x-ndjson')
      .serialize((body) => body)
      .send(line as never);
    expect(answer.body).toMatchObject({ received: 1, rejected: [{ line: 1, reason: 'is not UTF-8' }] });
    expect(rowCounts(target)).toEqual(before);
  });

  test('of nothing is nothing', async () => {
    expect((await importLines(target, '\n\n')).body).toMatchObject({ received: 0, imported: 0, rejected_count: 0 });
  });
});
