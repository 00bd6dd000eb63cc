import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { backgroundAudit, ConflictError, createLog, type LogLevel, UnavailableError } from '../../src/index.ts';
import { createSample, type Sample } from '../sample-service.ts';

const audits = ({ lines }: Pick<Sample, 'lines'>) =>
  lines.filter(({ msg }) => msg === 'audit').map(({ time, level, name, msg, ...line }) => line);
const answered = { status: 200 as const, body: { started: 'x' } };

describe('the audit of requests', () => {
  test('says who wrote what and how it went, and nothing that was said', async () => {
    const sample = createSample({
      handlers: {
        createThing: ({ recordWrite }) => {
          recordWrite('things', ['t-1']);
          return { status: 200, body: { body: null, agent_id: '', session_id: null } };
        },
      },
    });
    await request(sample.app)
      .post('/things')
      .set({ 'X-Agent-ID': 'ann', 'X-Session-ID': 's', 'X-Request-ID': 'r-1', 'X-Key-Id': 'k-1' })
      .send({ name: 'canary', metadata: { canary: 'canary' } });
    expect(audits(sample)).toEqual([
      {
        request_id: 'r-1',
        actor: 'agent',
        agent: 'ann',
        session: 's',
        key: null,
        operation: 'createThing',
        target: {},
        wrote: { things: { count: 1, ids: ['t-1'] } },
        status: 200,
        outcome: 'done',
      },
    ]);
    expect(JSON.stringify(sample.lines)).not.toContain('canary');
  });

  test('names what a refused write was meant for, and why it was refused', async () => {
    const sample = createSample({
      handlers: {
        startThing: () => {
          throw new ConflictError('No.', { code: 'in_use' });
        },
      },
    });
    await request(sample.app).post('/things/tea/start');
    expect(audits(sample)).toMatchObject([
      { operation: 'startThing', target: { name: 'tea' }, wrote: {}, status: 409, outcome: 'refused', code: 'in_use' },
    ]);
  });

  test('keeps what was written before the fault', async () => {
    const sample = createSample({
      handlers: {
        startThing: ({ recordWrite }) => {
          recordWrite('things', ['t-1', 't-2']);
          throw new UnavailableError('The disk is full.');
        },
      },
    });
    await request(sample.app).post('/things/tea/start');
    const wrote = { things: { count: 2, ids: ['t-1', 't-2'] } };
    expect(audits(sample)).toMatchObject([{ wrote, status: 503, outcome: 'failed', code: 'unavailable' }]);
  });

  test('has a line for a write that the contract refuses, once', async () => {
    const sample = createSample();
    await request(sample.app).post('/things').send({ name: 7 });
    expect(audits(sample)).toMatchObject([{ operation: 'createThing', agent: null, status: 422, outcome: 'refused' }]);
  });

  test('has one line for a write whose answer does not fit the contract: it happened', async () => {
    const outside = () => ({ status: 200, body: 'text' }) as never;
    const sample = createSample({ handlers: { startThing: outside } });
    expect((await request(sample.app).post('/things/tea/start')).status).toBe(500);
    expect(audits(sample)).toMatchObject([{ status: 200, outcome: 'done' }]);
  });

  test('has none for a read', async () => {
    const sample = createSample();
    await request(sample.app).get('/things');
    await request(sample.app).get('/things/none/at/all');
    expect(audits(sample)).toEqual([]);
  });

  test('names the first 50 ids of a kind and counts them all', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => `t-${i}`);
    const sample = createSample({
      handlers: {
        startThing: ({ recordWrite }) => {
          recordWrite('things', ids.slice(0, 45));
          recordWrite('things', ids.slice(45));
          recordWrite('others', 7);
          recordWrite('nothings', []);
          return answered;
        },
      },
    });
    await request(sample.app).post('/things/tea/start');
    expect(audits(sample)[0]?.wrote).toEqual({
      things: { count: 120, ids: ids.slice(0, 50) },
      others: { count: 7, ids: [] },
    });
  });

  test.each<[LogLevel, number]>([
    ['error', 1],
    ['silent', 0],
  ])('at level %s writes %d lines', async (level, count) => {
    const sample = createSample({ level });
    await request(sample.app).post('/things/tea/start');
    expect(sample.lines).toHaveLength(count);
  });

  test('waits for a write whose client has gone', async () => {
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let entered = () => {};
    const started = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const sample = createSample({
      handlers: {
        startThing: async ({ recordWrite, res }) => {
          entered();
          await new Promise((resolve) => res.once('close', resolve));
          recordWrite('things', ['late']);
          setImmediate(finish);
          return answered;
        },
      },
    });
    // The one that supertest makes stays open where the request is broken off.
    const server = createServer(sample.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sent = request(server).post('/things/tea/start');
    sent.then(
      () => {},
      () => {},
    );
    await started;
    sent.abort();
    await ended;
    server.close();
    expect(audits(sample)).toMatchObject([{ wrote: { things: { count: 1, ids: ['late'] } } }]);
  });
});

describe('the audit of requests behind a gateway', () => {
  const behind = () => createSample({ options: { trustedHeader: { mayName: () => true } } });

  test.each([
    ['k-1.A_b', 'k-1.A_b'],
    ['no key', null],
    ['', null],
    ['x'.repeat(65), null],
  ])('takes the key id %p as %p', async (given, key) => {
    const sample = behind();
    await request(sample.app).post('/things/tea/start').set({ 'X-Agent-ID': 'ann', 'X-Key-Id': given });
    expect(audits(sample)).toMatchObject([{ agent: 'ann', key }]);
  });

  test('names the agent of what the contract refuses', async () => {
    const sample = behind();
    await request(sample.app).post('/things').set({ 'X-Agent-ID': 'ann', 'X-Key-Id': 'k-1' }).send({ count: -1 });
    expect(audits(sample)).toMatchObject([{ agent: 'ann', key: 'k-1', outcome: 'refused' }]);
  });
});

describe('the audit of jobs', () => {
  const running = () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    return { lines, audit: backgroundAudit(createLog({ name: 'x', level: 'warn', destination })) };
  };

  test('says what was done by itself', async () => {
    const { lines, audit } = running();
    expect(
      await audit('retention', async (recordWrite) => {
        recordWrite('events', 3);
        return 'result';
      }),
    ).toBe('result');
    const wrote = { events: { count: 3, ids: [] } };
    expect(audits({ lines })).toEqual([{ actor: 'system', operation: 'retention', wrote, outcome: 'done' }]);
  });

  test('is silent when nothing was', async () => {
    const { lines, audit } = running();
    await audit('retention', async (recordWrite) => recordWrite('events', 0));
    expect(lines).toEqual([]);
  });

  test('tells a run that stood back for another from one that failed', async () => {
    const { lines, audit } = running();
    const other = new ConflictError('Another runs.', { code: 'consolidation_running' });
    await expect(audit('end_of_day', () => Promise.reject(other))).rejects.toBe(other);
    expect(audits({ lines })).toMatchObject([{ wrote: {}, outcome: 'refused', code: 'consolidation_running' }]);
  });

  test('keeps what was done before a fault, and hands that on', async () => {
    const { lines, audit } = running();
    const fault = new UnavailableError('The disk is full.', { code: 'storage_unavailable' });
    const work = audit('end_of_day', async (recordWrite) => {
      recordWrite('pruned', ['m-1']);
      throw fault;
    });
    await expect(work).rejects.toBe(fault);
    expect(audits({ lines })).toMatchObject([
      { actor: 'system', wrote: { pruned: { count: 1 } }, outcome: 'failed', code: 'storage_unavailable' },
    ]);
  });
});
