import { PassThrough, Writable } from 'node:stream';
import { loadSpec } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { type Change, ChangeFeed } from '../../src/domain/change-feed.ts';
import type { TransferStore } from '../../src/domain/transfer.ts';
import { transferHandlers } from '../../src/http/transfer.ts';
import type { SqliteSamples } from '../../src/storage/sqlite/samples.ts';
import { SqliteTransferStore } from '../../src/storage/sqlite/transfer-store.ts';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import { transferLineReader } from '../../src/wire/transfer-lines.ts';
import { rowCounts, runTasks, startTestService, type TestService } from '../start-service.ts';

let source: TestService;
let target: TestService;
let exported: string;

const { read: readLine } = transferLineReader(loadSpec(CONTRACT));
const importLines = (service: TestService, text: string) =>
  supertest(service.app).post('/import').type('application/x-ndjson').send(text);
const exportAll = async (service: TestService): Promise<string> =>
  (await supertest(service.app).get('/export?agent_id=*').buffer(true).parse(asText)).body;

const instant = (atMs: number) => new Date(Math.floor(atMs)).toISOString();

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

test('an export finds all of a rare agent, in statements that walk over few rows', async () => {
  const service = startTestService();
  const { $client } = service.database.db;
  const insert = $client.prepare("INSERT INTO events (id, agent_id, event_type, timestamp_us) VALUES (?, ?, 'x', 0)");
  $client.transaction(() => {
    for (let index = 0; index < 12_000; index++) insert.run(`e${index}`, index % 5_999 === 0 ? 'rare' : 'common');
    $client.exec('DELETE FROM events WHERE sequence BETWEEN 3000 AND 3100');
  })();
  const store = new SqliteTransferStore(service.database.db, {} as SqliteSamples);
  const found: string[] = [];
  let batches = 0;
  for await (const batch of store.export({ agentId: 'rare', project: null })) {
    batches++;
    for (const item of batch) if (item.kind === 'event') found.push(item.event.id);
  }
  expect(found).toEqual(['e0', 'e5999', 'e11998']);
  // Three windows of 5,000 events, and one look into each of the two other tables.
  expect(batches).toBe(5);
  service.close();
});

test('an export to a slow reader leaves no listeners behind', async () => {
  const item = {
    kind: 'stopwatch',
    stopwatch: { name: 'x'.repeat(100), agentId: 'a', project: null, startedMs: 0, stoppedMs: null },
  };
  const transfer = {
    async *export() {
      for (let batch = 0; batch < 50; batch++) yield [item];
    },
  } as unknown as TransferStore;
  const { exportData } = transferHandlers({ clock: target.clock, readLine, transfer, feed: new ChangeFeed() });
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

  test('rejects instants that cannot be stored, and a stopwatch that stopped before it started', async () => {
    const at = (timestamp: string) => ({ ...EVENT, id: `at ${timestamp}`, timestamp });
    const watch = { kind: 'stopwatch', name: 'w', agent_id: 'zoe', started_at: '2026-11-20T10:00:00Z' };
    const lines = [
      at('1969-12-31T23:59:59Z'),
      at('0001-01-01'),
      at('2256-01-01'),
      at('9999-12-31T23:59:59Z'),
      { ...watch, stopped_at: '2026-11-20T09:59:59Z' },
      at('1970-01-01'),
    ];
    const { body } = await importLines(target, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(body).toMatchObject({ imported: 1, rejected_count: 5 });
    const range = 'timestamp must lie between 1970 and 2255';
    expect(body.rejected.map(({ reason }: { reason: string }) => reason)).toEqual([
      ...Array(4).fill(range),
      'stopped_at lies before started_at',
    ]);
  });

  test('rejects a stopwatch of an agent that has 1,000, as its start is refused', async () => {
    const watch = { kind: 'stopwatch', agent_id: 'many', started_at: '2026-11-20T10:00:00Z' };
    const lines = Array.from({ length: 1_001 }, (_, number) => JSON.stringify({ ...watch, name: `w${number}` }));
    const { body } = await importLines(target, lines.join('\n'));
    expect(body).toMatchObject({ imported: 1_000, rejected_count: 1 });
    const reason = 'agent_id has 1000 stopwatches: delete one that is no longer needed';
    expect(body.rejected).toEqual([{ line: 1_001, reason }]);
  });

  test('rejects what is from a clock a day ahead, which would count among the newest runs for as long', async () => {
    const task = { kind: 'task', agent_id: 'zoe', task_type: 'ahead', state: 'ended', outcome: 'ok' };
    const inADay = instant(target.clock.now() + 86_400_000);
    const later = instant(target.clock.now() + 86_400_002);
    const lines = [
      { ...EVENT, timestamp: later },
      { ...task, correlation_id: 'ahead-1', started_at: inADay, ended_at: later },
      { ...task, correlation_id: 'ahead-2', state: 'active', outcome: null, started_at: later },
      { kind: 'stopwatch', name: 'ahead', agent_id: 'zoe', started_at: later },
      { ...task, correlation_id: 'ahead-3', started_at: inADay, ended_at: inADay },
    ];
    const { body } = await importLines(target, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(body.imported).toBe(1);
    const rest = 'lies more than a day in the future: correct the clock that it is from';
    expect(body.rejected.map(({ reason }: { reason: string }) => reason)).toEqual(
      ['timestamp', 'ended_at', 'started_at', 'started_at'].map((field) => `${field} ${rest}`),
    );
  });

  test('rejects a task that contradicts what is known, and counts one that only repeats it as a duplicate', async () => {
    const known = {
      kind: 'task',
      correlation_id: 'known',
      agent_id: 'zoe',
      task_type: 'known',
      state: 'ended',
      outcome: 'ok',
      started_at: '2026-11-20T10:00:00Z',
      ended_at: '2026-11-20T10:00:05Z',
    };
    const open = { ...known, state: 'active', outcome: null, ended_at: null };
    const running = { ...open, correlation_id: 'running' };
    const lines = [
      known,
      { ...known, ended_at: '2026-11-20T10:00:06Z' },
      { ...known, outcome: 'error' },
      { ...known, task_type: 'other' },
      { ...known, agent_id: 'other' },
      { ...known, started_at: '2026-11-20T10:00:01Z' },
      known,
      open,
      running,
      { ...running, state: 'ended', outcome: 'ok', started_at: '2026-11-20T09:00:00Z', ended_at: known.ended_at },
      { ...running, state: 'ended', outcome: 'ok', ended_at: known.ended_at },
    ];
    const { body } = await importLines(target, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(body).toMatchObject({ imported: 2, updated: 1, duplicates: 2, rejected_count: 6 });
    expect(body.rejected.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 5, 6, 10]);
    expect(body.rejected[0].reason).toMatch(
      /^correlation_id is known for a task of another agent, project, type, start, end or outcome/,
    );
    const { task } = (await supertest(target.app).get('/tasks/running')).body;
    expect([task.started_at, task.ended_at, task.duration_seconds]).toEqual([
      '2026-11-20T10:00:00.000000+00:00',
      '2026-11-20T10:00:05.000000+00:00',
      5,
    ]);
  });

  test('lists a running task once, with or without its events', async () => {
    const task = {
      kind: 'task',
      agent_id: 'runner',
      task_type: 'run',
      state: 'active',
      started_at: '2026-11-20T10:00:00Z',
      metadata: { of: 'task' },
    };
    const event = { ...EVENT, agent_id: 'runner', event_type: 'task_start', task_type: 'run', correlation_id: 'with' };
    const lines = [
      { ...task, correlation_id: 'without' },
      { ...task, correlation_id: 'with', started_at: '2026-11-20T11:00:00Z' },
      { ...event, id: 'first start', timestamp: '2026-11-20T11:00:00Z' },
      { ...event, id: 'second start', timestamp: '2026-11-20T11:00:01Z' },
    ];
    expect((await importLines(target, lines.map((line) => JSON.stringify(line)).join('\n'))).body.imported).toBe(4);
    const { active_tasks } = (await supertest(target.app).get('/events/active?agent_id=runner')).body;
    expect(active_tasks).toMatchObject([
      { id: 'first start', correlation_id: 'with' },
      {
        id: 'without',
        event_id: 'without',
        event_type: 'task_start',
        task_type: 'run',
        correlation_id: 'without',
        timestamp: '2026-11-20T10:00:00.000000+00:00',
        metadata: { of: 'task' },
        elapsed_seconds: expect.any(Number),
      },
    ]);
  });

  test('lists running tasks up to a size', async () => {
    const metadata = 'x'.repeat(60_000);
    const lines = Array.from({ length: 40 }, (_, index) => ({
      kind: 'task',
      correlation_id: `big ${index}`,
      agent_id: 'big',
      task_type: 'big',
      state: 'active',
      started_at: `2026-11-20T10:00:${10 + index}Z`,
      metadata: index < 20 ? metadata : null,
    }));
    const starts = lines.map(({ correlation_id, started_at }, index) => ({
      ...EVENT,
      id: `start of ${correlation_id}`,
      agent_id: 'big',
      event_type: 'task_start',
      correlation_id,
      timestamp: started_at,
      metadata: index < 20 ? null : metadata,
    }));
    await importLines(target, [...lines, ...starts].map((line) => JSON.stringify(line)).join('\n'));
    const { active_tasks } = (await supertest(target.app).get('/events/active?agent_id=big')).body;
    // 1 MiB is passed with the 18th of the newest, which carry 60,002 bytes each.
    expect(active_tasks.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 18 }, (_, index) => `start of big ${39 - index}`),
    );
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

  test('tells who sends JSON where lines are wanted that lines are wanted', async () => {
    const { status, body } = await supertest(target.app).post('/import').send({ events: [] });
    expect(status).toBe(415);
    expect(body.detail).toMatch(
      /^The Content-Type is missing, or this path does not take it: .* application\/x-ndjson for lines\.$/,
    );
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
    const { importData } = transferHandlers({ clock: target.clock, readLine, transfer, feed });
    const req = Object.assign(broken, { get: () => undefined });
    const redaction = { line: async (fields: unknown) => fields };
    const done = importData({ req, caller: { project: null }, redaction } as never);
    const lines = `${JSON.stringify(EVENT)}\n`.repeat(fails ? 401 : 200);
    broken.write(lines, () => broken.destroy());
    await Promise.resolve(done).catch(() => {});
    expect(changes).toEqual([{ kind: 'reset' }]);
  });

  test('writes few lines with much metadata at once', async () => {
    const batches: number[] = [];
    const transfer: TransferStore = {
      async *export() {},
      import: async (items) => {
        batches.push(items.length);
        return items.map(() => 'imported' as const);
      },
    };
    const { importData } = transferHandlers({ clock: target.clock, readLine, transfer, feed: new ChangeFeed() });
    const long = `${JSON.stringify({ ...EVENT, metadata: { note: 'x'.repeat(60_000) } })}\n`;
    const req = Object.assign(new PassThrough(), { get: () => undefined });
    req.end(long.repeat(40) + `${JSON.stringify(EVENT)}\n`.repeat(210));
    const redaction = { line: async (fields: unknown) => fields };
    await importData({ req, caller: { project: null }, redaction, recordWrite: () => {} } as never);
    // 1 MiB are 18 of the long ones; short ones are 200.
    expect(batches).toEqual([18, 18, 200, 14]);
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
