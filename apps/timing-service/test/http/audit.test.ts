import { breakUploadOff, contractOperations, readContract } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import { startTestService, type TestService } from '../start-service.ts';

/** Every field that takes words holds this word. Ids and names of stopwatches do not, because audit lines name them. */
const WORD = 'zqcanary';

interface Case {
  readonly request: readonly ['post' | 'delete', string, (object | string)?];
  /** Kinds of what is written. */
  readonly wrote: readonly string[];
}

const METADATA = { [WORD]: [WORD] };

/** In this order: the later ones need what the earlier ones write. */
const WRITES: Record<string, Case> = {
  startStopwatch: { request: ['post', '/stopwatch/tea/start'], wrote: ['stopwatches'] },
  stopStopwatch: { request: ['post', '/stopwatch/tea/stop'], wrote: ['stopwatches'] },
  deleteStopwatch: { request: ['delete', '/stopwatch/tea'], wrote: ['stopwatches'] },
  recordEvent: {
    request: ['post', '/events', { event_type: WORD, task_type: WORD, metadata: METADATA, correlation_id: 'c-1' }],
    wrote: ['events'],
  },
  startTask: {
    request: ['post', '/events/task-start', { task_type: WORD, metadata: METADATA, correlation_id: 'c-2' }],
    wrote: ['events', 'tasks'],
  },
  endTask: {
    request: ['post', '/events/task-end', { task_type: WORD, metadata: METADATA, correlation_id: 'c-2' }],
    wrote: ['events', 'tasks'],
  },
  receiveHook: {
    request: [
      'post',
      '/hooks/claude-code',
      { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: `The ${WORD} of a prompt.` },
    ],
    wrote: ['tasks'],
  },
  receiveTraces: {
    request: [
      'post',
      '/v1/traces',
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: '5b8efff798038103d269b633813fc60c',
                    spanId: 'eee19b7ec3c1b174',
                    startTimeUnixNano: '1795253400000000000',
                    endTimeUnixNano: '1795253401000000000',
                    attributes: [{ key: 'gen_ai.tool.name', value: { stringValue: WORD } }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    wrote: ['tasks'],
  },
  importData: {
    request: [
      'post',
      '/import',
      [
        JSON.stringify({
          kind: 'event',
          id: '0199aa00000070008000000000000001',
          agent_id: 'ann',
          event_type: WORD,
          task_type: WORD,
          metadata: METADATA,
          timestamp: '2026-11-20T10:00:00Z',
        }),
        JSON.stringify({ kind: 'event', event_type: WORD }),
        `{"kind": "${WORD}`,
      ].join('\n'),
    ],
    wrote: ['events'],
  },
};

const operations = contractOperations(readContract(CONTRACT));

describe('the log', () => {
  let service: TestService;
  beforeAll(() => {
    service = startTestService({ logLevel: 'trace' });
  });
  afterAll(() => service.close());

  const send = ([method, url, body]: Case['request']) => {
    const request = supertest(service.app)[method](url).set({ 'X-Agent-ID': 'ann', 'X-Request-ID': 'r-1' });
    return typeof body === 'string' ? request.type('application/x-ndjson').send(body) : request.send(body);
  };

  test('has an audit line for every operation of the contract that writes', () => {
    const writing = operations.filter(({ readsOnly }) => !readsOnly);
    expect(Object.keys(WRITES).sort()).toEqual(writing.map(({ operationId }) => operationId).sort());
    const reading = operations.filter(({ method, readsOnly }) => readsOnly && method !== 'get');
    expect(reading.map(({ operationId }) => operationId)).toEqual(['compareApproaches', 'postMcp']);
  });

  test.each(Object.entries(WRITES))('of %s says who wrote what', async (operation, { request, wrote }) => {
    service.audits.length = 0;
    const answer = await send(request);
    expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
      status: 200,
      text: '',
    });
    expect(service.audits).toMatchObject([
      { operation, actor: 'agent', agent: 'ann', request_id: 'r-1', status: 200, outcome: 'done' },
    ]);
    expect(Object.keys(service.audits[0]?.wrote as object).sort()).toEqual(wrote);
  });

  test('tells a repeated end from the first', async () => {
    service.audits.length = 0;
    await send(WRITES.endTask?.request as Case['request']);
    expect(service.audits).toMatchObject([{ operation: 'endTask', wrote: { replayed: { count: 1 } } }]);
  });

  test('says what the jobs did', async () => {
    const own = startTestService({ config: { abandonAfterSeconds: 1, retentionDays: 1 } });
    await supertest(own.app).post('/events/task-start').send({ task_type: WORD, correlation_id: 'forgotten' });
    await supertest(own.app).post('/events').send({ event_type: WORD });
    own.audits.length = 0;
    own.clock.advance(2 * 86_400_000);
    for (const job of own.jobs) await job.run();
    const [abandonment, retention, ...others] = own.audits;
    expect(abandonment).toMatchObject({ actor: 'system', operation: 'abandonment', outcome: 'done' });
    expect(abandonment?.wrote).toEqual({ tasks: { count: 1, ids: ['forgotten'] } });
    expect(retention).toMatchObject({ actor: 'system', operation: 'retention', outcome: 'done' });
    expect(retention?.wrote).toMatchObject({ events: { ids: [] } });
    expect(others).toEqual([]);
    own.close();
  });

  test('holds no word of what was said, not of a refused request nor of one that failed', async () => {
    await send(['post', '/events', { event_type: WORD, [WORD]: WORD, metadata: METADATA }]);
    await send(['post', '/events/task-end', { task_type: WORD, correlation_id: 'none' }]);
    await send(['post', '/stats/compare-approaches', { approaches: [{ name: WORD, steps: [{ task_type: WORD }] }] }]);
    await supertest(service.app).post('/events').type('application/json').send(`{"${WORD}": ${WORD}`);
    await supertest(service.app).get('/events').query({ task_type: WORD, event_type: WORD });
    const { $client } = service.database.db;
    $client.exec("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END");
    const failed = await send(['post', '/events', { event_type: WORD, task_type: WORD, metadata: METADATA }]);
    expect(failed.status).toBe(500);
    const log = [...service.lines, ...service.audits].map((line) => JSON.stringify(line));
    expect(log.some((line) => line.includes('request failed'))).toBe(true);
    expect(log.filter((line) => line.includes(WORD))).toEqual([]);
  });
});

test('an import that breaks off is audited as broken off, with what came and what was written', async () => {
  const service = startTestService({ logLevel: 'info' });
  const event = (number: number) => ({
    kind: 'event',
    id: `0199aa0000007000800000000000000${number}`,
    agent_id: 'ann',
    event_type: 'note',
    timestamp: '2026-11-20T10:00:00Z',
  });
  const lines = [event(1), event(2), { kind: 'nothing' }];
  expect(await breakUploadOff(service.app, { path: '/import', lines, until: () => service.audits[0] })).toMatchObject({
    operation: 'importData',
    wrote: { events: { count: 2, ids: [event(1).id, event(2).id] } },
    outcome: 'broken_off',
    code: 'broken_off',
    lines: 3,
  });
  expect((await supertest(service.app).get('/events?agent_id=ann')).body.events).toHaveLength(2);
  service.close();
});
