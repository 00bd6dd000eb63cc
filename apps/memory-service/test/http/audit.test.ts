import { breakUploadOff, contractOperations, readContract } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import {
  closeFastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

/** Every field that takes words holds this word. Ids do not, because audit lines name ids. */
const WORD = 'zqcanary';
const WORDS = { tags: [WORD], metadata: { [WORD]: [WORD] } };

interface Case {
  readonly request: readonly ['post' | 'put' | 'delete', string, object?];
  /** Kinds of what is written. */
  readonly wrote: readonly string[];
}

/** Sent in this order, because the last ones delete. `{id}` is a memory of ann. */
const WRITES: Record<string, Case> = {
  ingest: {
    request: ['post', '/ingest', { content: `The ${WORD} hums.`, name: WORD, idempotency_key: WORD, ...WORDS }],
    wrote: ['memories'],
  },
  ingestAndRecall: {
    request: ['post', '/ingest_and_recall', { content: `A ${WORD} sings.`, query: WORD, name: WORD, ...WORDS }],
    wrote: ['memories'],
  },
  updateMemory: { request: ['put', '/memory/{id}', { gist: `${WORD} at rest.`, ...WORDS }], wrote: ['memories'] },
  invalidateMemory: {
    request: ['post', '/memory/{id}/invalidate', { reason: `The ${WORD} was cancelled.` }],
    wrote: ['memories'],
  },
  judgeContradiction: {
    request: ['post', '/contradictions/{doubtful}/judge', { says: 'compatible', judge: 'a-model' }],
    wrote: ['contradictions'],
  },
  resolveContradiction: {
    request: ['post', '/contradictions/{contradiction}/resolve', { dismiss: true, note: WORD }],
    wrote: ['contradictions'],
  },
  merge: {
    request: [
      'post',
      '/merge',
      {
        agent_id: 'ann',
        memories: [
          {
            id: '0193a000000070008000000000000001',
            content: `The ${WORD} came from elsewhere.`,
            created_at: '2026-11-20T10:00:00Z',
            ...WORDS,
          },
          { id: WORD, content: WORD },
        ],
      },
    ],
    wrote: ['memories'],
  },
  receiveHook: {
    request: [
      'post',
      '/hooks/claude-code',
      { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: `The ${WORD} of a prompt.` },
    ],
    wrote: ['memories'],
  },
  consolidate: { request: ['post', '/consolidate', {}], wrote: ['deduplicated', 'semantic_created'] },
  revertMemory: {
    request: ['post', '/memory/{id}/revert', { version: START_MS.toString(36), reason: WORD }],
    wrote: ['memories'],
  },
  undoConsolidation: {
    request: ['post', '/consolidate/{run}/undo'],
    wrote: ['set_apart', 'semantic_removed'],
  },
  // What an undo has taken back is derived anew.
  endOfDay: { request: ['post', '/end_of_day', {}], wrote: ['semantic_created'] },
  restorePruned: { request: ['post', '/pruned/restore', { ids: [WORD] }], wrote: [] },
  save: { request: ['post', '/save'], wrote: [] },
  deleteMemory: { request: ['delete', '/memory/{id}'], wrote: ['memories'] },
  deleteAgentMemories: { request: ['delete', '/memories/agent/ann'], wrote: ['memories'] },
};

const operations = contractOperations(readContract(CONTRACT));

describe('the log', () => {
  const folder = temporaryFolder();
  let service: TestService;
  let id: string;
  let contradiction: string;
  let doubtful: string;

  beforeAll(async () => {
    service = await startTestService({ logLevel: 'trace', dataDir: folder.path });
    id = (await say(service, 'ann', `The ${WORD} of ann.`)).memory.id;
    for (const agent of ['cid', 'dee']) await say(service, agent, { content: `The ${WORD} kettle is blue.` });
    await say(service, 'cid', `The ${WORD} kettle holds 2 litres.`);
    await say(service, 'dee', `The ${WORD} kettle holds 3 litres.`);
    await say(service, 'cid', `The backups of ${WORD} run every night.`);
    await say(service, 'dee', `The backups of ${WORD} no longer run.`);
    const { body } = await supertest(service.app).post('/contradictions').send({});
    contradiction = body.contradictions[0].id;
    doubtful = (await supertest(service.app).get('/contradictions/doubtful')).body.pairs[0].id;
  });
  afterAll(async () => {
    await service.close();
    folder.remove();
    await closeFastEmbedder();
  });

  const audits = () => service.lines.filter(({ msg }) => msg === 'audit');
  const send = ([method, url, body]: Case['request']) =>
    supertest(service.app)
      [method](
        url
          .replace('{id}', id)
          .replace('{contradiction}', contradiction)
          .replace('{doubtful}', doubtful)
          .replace('{run}', service.opened.runLog.last?.id ?? 'none'),
      )
      .set({ 'X-Agent-ID': 'ann', 'X-Request-ID': 'r-1' })
      .send(body);

  test('has an audit line for every operation of the contract that writes', () => {
    const writing = operations.filter(({ readsOnly }) => !readsOnly);
    expect(Object.keys(WRITES).sort()).toEqual(writing.map(({ operationId }) => operationId).sort());
    const reading = operations.filter(({ method, readsOnly }) => readsOnly && method !== 'get');
    expect(reading.map(({ operationId }) => operationId)).toEqual([
      'recall',
      'getMemories',
      'explainAbsence',
      'listContradictions',
      'postMcp',
    ]);
  });

  test('names the contradictions that were found beside the requests', () => {
    const [found] = audits().filter(({ operation }) => operation === 'compare');
    expect(found).toMatchObject({ actor: 'system', outcome: 'done' });
    const ids = expect.arrayContaining([contradiction, doubtful]);
    expect(found?.wrote).toEqual({ contradictions: { count: 2, ids } });
  });

  test.each(Object.entries(WRITES))('of %s says who wrote what', async (operation, { request, wrote }) => {
    const before = audits().length;
    const answer = await send(request);
    expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
      status: 200,
      text: '',
    });
    const lines = audits()
      .slice(before)
      .filter(({ actor }) => actor === 'agent');
    expect(lines).toMatchObject([{ operation, agent: 'ann', request_id: 'r-1', status: 200, outcome: 'done' }]);
    expect(Object.keys(lines[0]?.wrote as object)).toEqual(wrote);
  });

  test('names the memory that a refused write was meant for', async () => {
    await send(['delete', '/memory/not-there']);
    expect(audits().at(-1)).toMatchObject({
      operation: 'deleteMemory',
      target: { id: 'not-there' },
      wrote: {},
      status: 404,
      outcome: 'refused',
      code: 'unknown_memory',
    });
  });

  test('says of words that are known which memory they became one with', async () => {
    const first = await say(service, 'ann', 'Said twice.');
    await say(service, 'ann', 'Said twice.');
    expect(audits().at(-1)?.wrote).toEqual({ duplicates: { count: 1, ids: [first.memory.id] } });
  });

  test('says what a night did, by the system', async () => {
    const archive = temporaryFolder();
    const night = await startTestService({
      logLevel: 'info',
      dataDir: archive.path,
      // In a zone whose clock shows no hour twice: there no next minute may come for an hour.
      config: { consolidateCron: '* * * * *', consolidateTimezone: 'UTC' },
    });
    for (const agent of ['cid', 'dee']) await say(night, agent, { content: `The ${WORD} door is red.` });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime'] });
    night.jobs.start();
    const ended = () => night.lines.find(({ operation }) => operation === 'end_of_day');
    await jest.advanceTimersByTimeAsync(61_000);
    jest.useRealTimers();
    while (!ended()) await new Promise(setImmediate);
    expect(ended()).toMatchObject({ actor: 'system', wrote: { deduplicated: { count: 1 } }, outcome: 'done' });
    expect(night.lines.filter((line) => JSON.stringify(line).includes(WORD))).toEqual([]);
    await night.close();
    archive.remove();
  });

  test('holds no word of what was said, not of a refused request nor of one that failed', async () => {
    const { app } = service;
    await send(['post', '/ingest', { content: WORD, [WORD]: WORD }]);
    await send(['post', '/recall', { query: WORD, tags: [WORD], explain: true }]);
    await send(['post', '/contradictions', { threshold: 0.3 }]);
    await supertest(app).post('/ingest').type('application/json').send(`{"content": ${WORD}`);
    await supertest(app).post('/merge').type('application/x-ndjson').send(`{"content": "${WORD}"}\n{"${WORD}`);
    for (const path of ['/memories', '/export', '/pruned']) await supertest(app).get(path).query({ q: WORD });
    const log = service.lines.map((line) => JSON.stringify(line));
    expect(log.length).toBeGreaterThan(30);
    expect(log.filter((line) => line.includes(WORD))).toEqual([]);
  });
});

test('a merge that breaks off is audited as broken off, with what came and what was written', async () => {
  const service = await startTestService({ logLevel: 'info', embedder: null });
  const memory = (number: number) => ({
    id: `0193a00000007000800000000000000${number}`,
    content: `Fact ${number} came from elsewhere.`,
    created_at: '2026-11-20T10:00:00Z',
  });
  const lines = [memory(1), memory(2), { id: 'none' }];
  const until = () => service.lines.find(({ msg }) => msg === 'audit');
  expect(await breakUploadOff(service.app, { path: '/merge', lines, until })).toMatchObject({
    operation: 'merge',
    wrote: { memories: { count: 2, ids: [memory(1).id, memory(2).id] } },
    outcome: 'broken_off',
    code: 'broken_off',
    lines: 3,
  });
  expect((await supertest(service.app).get('/memories')).body.total).toBe(2);
  await service.close();
});
