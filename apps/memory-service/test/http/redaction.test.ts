import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import {
  ask,
  say,
  startTestService,
  type TestService,
  type TestServiceOptions,
  temporaryFolder,
} from '../start-service.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const PASSWORD = 'k7Qx2Zp9Lm4T';
const ID = '0193a0000000700080000000000000aa';
const SAID = `Deploy with ${TOKEN}; the password is ${PASSWORD}.`;
const MASKED = 'Deploy with [REDACTED:github-token]; the password is [REDACTED:password].';

let folder: ReturnType<typeof temporaryFolder>;
let service: TestService;

const start = async (options: TestServiceOptions = {}) => {
  service = await startTestService({
    embedder: null,
    dataDir: join(folder.path, 'data'),
    logLevel: 'debug',
    ...options,
  });
};
beforeEach(async () => {
  folder = temporaryFolder();
  await start();
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

/** All that is on disk and in the log, as text. */
function stored(): string {
  const files = readdirSync(folder.path, { recursive: true }).map((path) => join(folder.path, String(path)));
  const texts = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1'));
  return [...texts, JSON.stringify(service.lines)].join('\n');
}

const merge = (line: object) =>
  supertest(service.app)
    .post('/merge')
    .type('application/x-ndjson')
    .send(`${JSON.stringify(line)}\n`);

describe('a message with secrets', () => {
  test('is kept masked, and its answer counts them', async () => {
    const { body } = await supertest(service.app).post('/ingest').send({ content: SAID }).expect(200);
    expect(body.memory).toMatchObject({ content: MASKED, gist: MASKED });
    expect(body.memory.entities).toEqual([]);
    expect(body.redacted).toEqual([
      { type: 'github-token', count: 1 },
      { type: 'password', count: 1 },
    ]);
    expect(await ask(service, 'default', `which password: ${PASSWORD}?`)).toMatchObject({
      memories: [{ content: MASKED }],
    });
  });

  test('leaves nothing on disk and in the log, wherever the secret stands, before a save and after it', async () => {
    const { memory } = await say(service, 'ann', {
      content: SAID,
      tags: [TOKEN],
      name: `ann ${TOKEN}`,
      session_id: TOKEN,
      metadata: { env: [{ DB_PASSWORD: PASSWORD }], [TOKEN]: 1 },
      scope: 'PRIVATE',
    });
    const { body } = await supertest(service.app)
      .put(`/memory/${memory.id}`)
      .set('X-Agent-ID', 'ann')
      .send({ gist: `As ever: ${SAID}`, tags: [`token ${TOKEN}`] })
      .expect(200);
    expect(body.redacted).toEqual([
      { type: 'github-token', count: 2 },
      { type: 'password', count: 1 },
    ]);
    await merge({ id: ID, content: SAID, created_at: '2026-01-02T03:04:05Z' }).expect(200);
    await supertest(service.app).get(`/memories?q=${TOKEN}`).expect(200);
    await supertest(service.app).get(`/memory/${TOKEN}`).expect(404);
    expect(stored()).toContain('[REDACTED:github-token]');
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
    await supertest(service.app).post('/save').expect(200);
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
  });

  test('sent twice is one message', async () => {
    expect((await say(service, 'ann', SAID)).duplicate).toBe(false);
    expect((await say(service, 'ann', SAID)).duplicate).toBe(true);
    const once = { content: SAID, idempotency_key: 'k-1', session_id: 's' };
    const first = await say(service, 'ann', once);
    expect(await say(service, 'ann', once)).toMatchObject({ duplicate: true, memory: { id: first.memory.id } });
  });

  test('is refused with an idempotency key that is a secret', async () => {
    const { body } = await supertest(service.app)
      .post('/ingest')
      .send({ content: 'x', idempotency_key: TOKEN })
      .expect(422);
    expect(body).toMatchObject({ code: 'secret_in_identifier', errors: [{ where: 'body/idempotency_key' }] });
  });
});

describe('private parts of a message', () => {
  test('are never kept', async () => {
    const { body } = await supertest(service.app)
      .post('/ingest')
      .send({ content: 'Lunch at noon. <private>It is about the merger.</private> Bring a pen.' })
      .expect(200);
    expect(body.memory.content).toBe('Lunch at noon. Bring a pen.');
    expect(body.redacted).toEqual([{ type: 'private', count: 1 }]);
    expect(stored()).not.toContain('merger');
  });

  test('alone are refused, and nothing is kept', async () => {
    const { body } = await supertest(service.app)
      .post('/ingest')
      .send({ content: '<private>merger</private>' })
      .expect(422);
    expect(body.code).toBe('only_private');
    expect(stored()).not.toContain('merger');
  });
});

describe('/merge', () => {
  /** A line from the export of a service that keeps secrets. */
  const exported = {
    id: ID,
    content: SAID,
    gist: SAID,
    gist_edited: false,
    entities: [{ name: PASSWORD, type: 'identifier' }],
    created_at: '2026-01-02T03:04:05Z',
  };

  test('masks a line, makes what was made of its text anew, and counts', async () => {
    const { body } = await merge(exported).expect(200);
    expect(body).toMatchObject({ report: { added: 1 }, redacted: [{ type: 'github-token' }, { type: 'password' }] });
    const { body: found } = await supertest(service.app).get(`/memory/${ID}`).expect(200);
    expect(found.memory).toMatchObject({ content: MASKED, gist: MASKED, entities: [] });
  });

  test('masks the records of a JSON body, whose vectors are made anew', async () => {
    const vectors = [['AAAA']];
    const { body } = await supertest(service.app)
      .post('/merge')
      .send({ memories: [exported], embedding_model: 'other', vectors })
      .expect(200);
    expect(body.report.added).toBe(1);
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
  });

  test('with --redact block rejects the record and says why, and takes the others', async () => {
    await service.close();
    await start({ config: { redact: 'block' } });
    const plain = { ...exported, id: `${ID.slice(0, -1)}b`, content: 'Plain.', gist: 'Plain.', entities: [] };
    const { body } = await supertest(service.app)
      .post('/merge')
      .send({ memories: [exported, plain] })
      .expect(200);
    expect(body.report).toMatchObject({ added: 1, rejected_count: 1 });
    expect(body.report.rejected[0].reason).toMatch(/^content holds a secret \(github-token, password\)/);
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
  });
});

test('--redact block refuses a message and keeps nothing of it', async () => {
  await service.close();
  await start({ config: { redact: 'block' } });
  const { body } = await supertest(service.app).post('/ingest').send({ content: SAID }).expect(422);
  expect(body).toMatchObject({ code: 'secret_found', errors: [{ where: 'body/content' }] });
  expect(stored() + JSON.stringify(body)).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
});

test('--redact off keeps what was said', async () => {
  await service.close();
  await start({ config: { redact: 'off' } });
  const { memory } = await say(service, 'ann', SAID);
  expect(memory.content).toBe(SAID);
});
