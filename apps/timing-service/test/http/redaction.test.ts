import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { startTestService, type TestService } from '../start-service.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const PASSWORD = 'k7Qx2Zp9Lm4T';
const TYPE = `deploy ${TOKEN}`;
const MASKED_TYPE = 'deploy [REDACTED:github-token]';

let service: TestService;
beforeEach(() => {
  service = startTestService({ logLevel: 'debug' });
});
afterEach(() => service.close());

/** All that is on disk and in the log, as text. */
function kept(): string {
  const files = ['', '-wal', '-shm'].map((ending) => service.path + ending).filter(existsSync);
  const texts = files.map((path) => readFileSync(path, 'latin1'));
  return [...texts, JSON.stringify([service.lines, service.audits])].join('\n');
}

const post = (path: string, body: object) => supertest(service.app).post(path).send(body);

describe('secrets', () => {
  test('in a task type are masked alike at its start, at its end and in what is asked of it', async () => {
    const started = await post('/events/task-start', { task_type: TYPE }).expect(200);
    expect(started.body).toMatchObject({
      task: { task_type: MASKED_TYPE },
      redacted: [{ type: 'github-token', count: 1 }],
    });
    service.clock.advance(5_000);
    await post('/events/task-end', { task_type: TYPE }).expect(200);
    const { body } = await supertest(service.app)
      .get(`/stats/durations/${encodeURIComponent(TYPE)}`)
      .expect(200);
    expect(body.summary).toMatchObject({ task_type: MASKED_TYPE, count: 1 });
    expect(kept()).not.toContain(TOKEN);
  });

  test('are nowhere on disk and in the log, wherever they stood', async () => {
    await post('/events', { event_type: `x ${TOKEN}`, metadata: { deep: [{ DB_PASSWORD: PASSWORD }] } }).expect(200);
    await post('/events', { event_type: 'x', metadata: `the password is ${PASSWORD}` }).expect(200);
    await post(`/stopwatch/${TOKEN}/start`, {}).expect(200);
    await post(`/stopwatch/${TOKEN}/stop`, {}).expect(200);
    await supertest(service.app).get(`/events?task_type=${TOKEN}`).expect(200);
    await supertest(service.app).get(`/nothing/${TOKEN}?token=${PASSWORD}`).expect(404);
    const answers = await supertest(service.app).get('/export').expect(200);
    expect(answers.text).toContain('[REDACTED:password]');
    expect(kept() + answers.text).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
  });

  test('in an import are masked, counted, and the same when it is sent again', async () => {
    const line = {
      kind: 'task',
      correlation_id: 'c-1',
      agent_id: 'ann',
      task_type: TYPE,
      state: 'ended',
      outcome: 'ok',
      started_at: '2026-01-02T03:04:05Z',
      ended_at: '2026-01-02T03:04:06Z',
      metadata: { password: PASSWORD },
    };
    const send = (fields: object) =>
      supertest(service.app)
        .post('/import')
        .type('application/x-ndjson')
        .send(`${JSON.stringify(fields)}\n`);
    const { body } = await send(line).expect(200);
    expect(body).toMatchObject({ imported: 1, redacted: [{ type: 'github-token' }, { type: 'password' }] });
    expect((await send(line).expect(200)).body).toMatchObject({ duplicates: 1 });
    const refused = await send({ ...line, correlation_id: TOKEN }).expect(200);
    expect(refused.body.rejected[0].reason).toBe('correlation_id holds a secret (github-token)');
    expect(kept()).not.toMatch(new RegExp(`${TOKEN}|${PASSWORD}`));
  });

  test('in a correlation id are refused, because two tasks would become one', async () => {
    const { body } = await post('/events/task-start', { task_type: 'x', correlation_id: TOKEN }).expect(422);
    expect(body.code).toBe('secret_in_identifier');
  });
});
