import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createMetrics } from '../../src/http.ts';
import { createSample } from '../sample-service.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const MASK = '[REDACTED:github-token]';

describe('secrets in what comes in', () => {
  test('are masked in the body before the handler sees it, at every depth', async () => {
    const { app } = createSample();
    const sent = { name: `x ${TOKEN}`, metadata: { env: [{ PASSWORD: 'hunter2' }] } };
    const { body } = await request(app).post('/things').send(sent).expect(200);
    expect(body.body).toEqual({ name: `x ${MASK}`, metadata: { env: [{ PASSWORD: '[REDACTED:password]' }] } });
  });

  test('are masked in the path and the query, as the handler and the log see them', async () => {
    const { app, lines } = createSample({ level: 'debug' });
    const path = await request(app).get(`/things/${TOKEN}`).expect(200);
    expect(path.body).toEqual({ name: MASK });
    const query = await request(app).get(`/things?q=the+token+${TOKEN}`).expect(200);
    expect(query.body.query.q).toBe(`the token ${MASK}`);
    await request(app).get(`/nothing/${TOKEN}?token=${TOKEN}`).expect(404);
    expect(lines).not.toHaveLength(0);
    expect(JSON.stringify(lines)).not.toContain(TOKEN);
  });

  test('are in no problem document and no line of the log, whatever is wrong with the request', async () => {
    const { app, lines } = createSample({ level: 'debug' });
    const answers = [
      await request(app).post('/things').send({ name: 'x', count: TOKEN }),
      await request(app)
        .post('/things')
        .send({ name: 'x', [TOKEN]: TOKEN }),
      await request(app).get(`/things?${TOKEN}=${TOKEN}&password=hunter2x`),
      await request(app).get(`/things?limit=${TOKEN}`),
      await request(app).get(`/things/%zz${TOKEN}`),
      await request(app).post('/things').type('json').send(`{"name": ${TOKEN}`),
      await request(app).get('/things').set('X-Session-ID', `${TOKEN} `.repeat(9)),
      await request(app).get('/health').set('X-Request-ID', TOKEN),
    ];
    for (const { status, text, headers } of answers) {
      expect(status).toBeLessThan(500);
      expect(text + JSON.stringify(headers)).not.toContain(TOKEN);
    }
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${TOKEN}|hunter2x`));
  });

  test('are in no line of the log for an error that quotes them', async () => {
    const { app, lines } = createSample({
      handlers: {
        getHealth: () => {
          throw new Error(`connect postgres://app:h8nter2x@db failed`);
        },
      },
    });
    const { body } = await request(app).get('/health').expect(500);
    expect(JSON.stringify([body, lines])).not.toContain('h8nter2x');
    expect(JSON.stringify(lines)).toContain('postgres://app:[REDACTED:url-password]@db');
  });

  test.each([
    ['the body', (app: never) => request(app).post('/things').send({ name: 'x', agent_id: TOKEN })],
    ['the query', (app: never) => request(app).get(`/things?agent_id=${TOKEN}`)],
    ['the header', (app: never) => request(app).get('/things').set('X-Agent-ID', TOKEN)],
  ])('are refused as an agent id in %s, because two agents would become one', async (_place, ask) => {
    const { app } = createSample();
    const { body, status } = await ask(app as never);
    expect([status, body.code]).toEqual([422, 'secret_in_identifier']);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  });

  test('are counted by type', async () => {
    const metrics = createMetrics({ processMetrics: false });
    const { app } = createSample({ options: { metrics } });
    await request(app)
      .post('/things')
      .send({ name: `${TOKEN} <private>x</private> y`, metadata: { password: 'hunter2' } });
    const text = await metrics.registry.metrics();
    expect(text).toContain('agent_faculties_redactions_total{type="github-token"} 1');
    expect(text).toContain('agent_faculties_redactions_total{type="private"} 1');
    expect(text).toContain('agent_faculties_redactions_total{type="password"} 1');
  });
});

describe('--redact block', () => {
  const blocking = () => createSample({ options: { redact: 'block' } });

  test('refuses what would be written, and says where and of what type', async () => {
    const { app } = blocking();
    const { body } = await request(app)
      .post('/things')
      .send({ name: 'x', metadata: { a: [TOKEN] } })
      .expect(422);
    expect(body).toMatchObject({
      code: 'secret_found',
      errors: [{ where: 'body/metadata/a/0', message: 'holds a secret (github-token)' }],
    });
    expect(JSON.stringify(body)).not.toContain(TOKEN);
    await request(app).post(`/things/${TOKEN}/start`).expect(422);
  });

  test('masks what only reads, and takes out private parts as ever', async () => {
    const { app } = blocking();
    const { body } = await request(app).get(`/things?q=${TOKEN}`).expect(200);
    expect(body.query.q).toBe(MASK);
    await request(app).post('/things').send({ name: 'a <private>x</private> b' }).expect(200);
  });
});

describe('--redact off', () => {
  test('keeps secrets and takes out private parts', async () => {
    const { app } = createSample({ options: { redact: 'off' } });
    const { body } = await request(app)
      .post('/things')
      .send({ name: `${TOKEN}<private>x</private>` })
      .expect(200);
    expect(body.body).toEqual({ name: TOKEN });
  });
});

describe('private parts', () => {
  test('alone in a text are an error that says so', async () => {
    const { app } = createSample();
    const { body } = await request(app).post('/things').send({ name: ' <private>x</private> ' }).expect(422);
    const message = 'holds nothing but private parts, which are not kept: send what may be known';
    const detail = `body/name ${message}. Nothing was stored.`;
    expect(body).toMatchObject({ code: 'only_private', detail, errors: [{ where: 'body/name', message }] });
  });
});

test('a text that no service takes is refused before it is searched', async () => {
  const { app } = createSample({ options: { bodyLimitBytes: 1024 ** 2 } });
  const { body } = await request(app)
    .post('/things')
    .send({ name: 'sk-'.repeat(100_000) })
    .expect(422);
  expect(body.errors[0].where).toBe('body/name');
});
