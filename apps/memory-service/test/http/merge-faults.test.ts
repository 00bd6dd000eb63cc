import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, startTestService, type TestService } from '../start-service.ts';
import { id, mergingInto, ndjson, reasons, wire } from './merging.ts';

let remote: TestService;
beforeEach(async () => {
  remote = await startTestService();
});
afterEach(() => remote.close());
afterAll(closeFastEmbedder);

const { merge, read, stream, total } = mergingInto(() => remote);

describe('each record is judged by itself', () => {
  test('and what is wrong with it is said', async () => {
    const broken: [string, Record<string, unknown>, string][] = [
      ['an id that is none', { id: '../etc' }, 'id must be a UUID in lower case'],
      ['no content', { content: undefined }, 'content is required'],
      ['blank content', { content: ' \n ' }, 'content is blank: send words'],
      ['long content', { content: 'x'.repeat(200_001) }, 'content has more than 200000 characters'],
      ['a long name', { name: 'x'.repeat(129) }, 'name must be 1 to 128 characters'],
      ['control characters in an agent', { agent_id: 'a\u0000b' }, 'agent_id must be 1 to 128 characters'],
      ['all agents', { agent_id: '*' }, "agent_id must name one agent: '*' means all agents"],
      ['an agent with blanks', { agent_id: ' ann' }, 'agent_id begins or ends with a blank'],
      ['control characters in a session', { session_id: 'a\nb' }, 'session_id must be 1 to 128 characters'],
      ['control characters in a tag', { tags: ['a\u0007'] }, 'tags/0 must be 1 to 128 characters'],
      ['too many tags', { tags: Array.from({ length: 65 }, (_, i) => `t${i}`) }, 'tags must be a list of at most 64'],
      ['an unknown scope', { scope: 'PUBLIC' }, 'scope must be one of TEAM, SHARED, PRIVATE'],
      ['an unknown kind', { kind: 'dream' }, 'kind must be one of episodic, semantic'],
      ['an unknown role', { role: 'ghost' }, 'role must be one of user, assistant, system'],
      ['importance beyond 1', { importance: 1.1 }, 'importance must be a number from 0 to 1'],
      ['no instant', { created_at: 'yesterday' }, "created_at: 'yesterday' is not an instant"],
      ['no created_at', { created_at: undefined }, 'created_at is required'],
      ['a day that does not exist', { created_at: '2026-02-31' }, "created_at: '2026-02-31' is not an instant"],
      ['the future', { created_at: '2026-11-23T00:00:00Z' }, 'created_at lies more than a day ahead'],
      ['a change in the future', { updated_at: '2099-01-01T00:00:00Z' }, 'updated_at lies more than a day ahead'],
      ['before 1970', { created_at: '1969-12-31T23:59:59Z' }, 'created_at lies before 1970'],
      ['half a recall', { recall_count: 0.5 }, 'recall_count must be a whole number'],
      ['negative recalls', { recall_count: -1 }, 'recall_count must be a whole number from 0 to'],
      ['entities that are none', { entities: ['Kestrel'] }, 'entities/0 must be an object'],
      ['an unknown source', { sources: ['x'] }, 'sources/0 must be a UUID in lower case'],
      [
        'an end before the beginning',
        { valid_from: '2026-12-01T00:00:00Z', valid_until: '2026-11-01T00:00:00Z' },
        'valid_until must be later than valid_from',
      ],
      ['an odd successor', { superseded_by: 7 }, 'superseded_by must be a UUID in lower case'],
      ['metadata that is a list', { metadata: [] }, 'metadata must be an object'],
      ['large metadata', { metadata: { x: 'x'.repeat(65_536) } }, 'metadata has 65544 bytes as JSON'],
      ['a gist that is none', { gist: 7 }, 'gist must be a text'],
    ];
    const records = broken.flatMap(([, changes], i) => [wire(2 * i, changes), wire(2 * i + 1)]);
    const { report } = (await stream(ndjson(...records))).body;
    expect(report).toMatchObject({ received: 2 * broken.length, added: broken.length, rejected_count: broken.length });
    for (const [i, [what, , reason]] of broken.entries()) {
      const { index, reason: told } = report.rejected[i];
      expect([what, index, told.slice(0, reason.length)]).toEqual([what, 2 * i, reason]);
    }
    expect(await total('ann')).toBe(broken.length);
  });

  test('lines that are cut, no JSON, no object, no UTF-8 or too deep', async () => {
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(wire(1))}\n{"id": nonsense}\n[1]\n7\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(`${JSON.stringify({ ...wire(2), metadata: JSON.parse('['.repeat(100) + ']'.repeat(100)) })}\n`),
      Buffer.from(JSON.stringify(wire(3)).slice(0, 100)),
    ]);
    const answer = await stream(body);
    expect(reasons(answer.body.report)).toEqual([
      [1, 'is not JSON'],
      [2, 'is not a JSON object'],
      [3, 'is not a JSON object'],
      [4, 'is not UTF-8'],
      [5, 'is nested deeper than 64 levels'],
      [6, 'is not JSON'],
    ]);
    expect(answer.body.report).toMatchObject({ received: 7, added: 1 });
  });

  test('a line beyond 4 MiB is rejected, and the next one taken', async () => {
    const report = (await stream(ndjson(wire(1, { metadata: { x: 'x'.repeat(5 * 1024 ** 2) } }), wire(2)))).body.report;
    expect(reasons(report)).toEqual([[0, 'has more than 4194304 bytes']]);
    expect(report.added).toBe(1);
  });

  test('an entry of a JSON body that is no object', async () => {
    expect(reasons(await merge([null, 'x', [wire(1)], wire(2)]))).toEqual([
      [0, 'is not a JSON object'],
      [1, 'is not a JSON object'],
      [2, 'is not a JSON object'],
    ]);
  });

  test('what is missing is made as for a new message, and unknown fields are left out', async () => {
    await merge(
      [{ id: id(1), content: 'Kestrel 2.4 ships on Friday.', created_at: '2026-11-20T09:30:00Z', score: 1 }],
      'eve',
    );
    expect((await read(id(1), 'eve')).body.memory).toMatchObject({
      gist: 'Kestrel 2.4 ships on Friday.',
      agent_id: 'eve',
      scope: 'TEAM',
      kind: 'episodic',
      session_id: null,
      tags: [],
      entities: [{ name: '2.4', type: 'version' }],
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
    });
  });

  test('what is beyond the limit of the server', async () => {
    await remote.close();
    remote = await startTestService({ config: { maxMemories: 2 } });
    const report = await merge([wire(1), wire(2), wire(3), wire(1)]);
    expect(report).toMatchObject({ added: 2, duplicates: 1, rejected: [{ index: 2 }] });
    expect(report.rejected[0].reason).toBe(
      'the server holds as many memories as it may: delete some, or raise --max-memories',
    );
  });
});

describe('a request that is none', () => {
  test.each<[string, () => supertest.Test, number, string]>([
    [
      'another content type',
      () => supertest(remote.app).post('/merge').type('text/csv').send('id'),
      415,
      'unsupported_media_type',
    ],
    ['no memories', () => supertest(remote.app).post('/merge').send({}), 422, 'invalid_request'],
    [
      'unknown fields',
      () => supertest(remote.app).post('/merge').send({ memories: [], force: true }),
      422,
      'invalid_request',
    ],
    [
      'all agents',
      () => supertest(remote.app).post('/merge?agent_id=*').send({ memories: [] }),
      422,
      'invalid_identity',
    ],
    [
      'gzip',
      () => supertest(remote.app).post('/merge').type('application/x-ndjson').set('Content-Encoding', 'gzip').send('x'),
      415,
      'unsupported_media_type',
    ],
    [
      'an odd dry_run',
      () => supertest(remote.app).post('/merge?dry_run=maybe').send({ memories: [] }),
      422,
      'invalid_request',
    ],
  ])('%s', async (_, send, status, code) => {
    const answer = await send();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.detail).toMatch(/\.(?: A body that fits: \{.*\})?$/);
  });

  test('an empty one takes in nothing', async () => {
    expect((await stream('')).body.report).toMatchObject({ received: 0, added: 0 });
    expect(await merge([])).toMatchObject({ received: 0 });
  });
});
