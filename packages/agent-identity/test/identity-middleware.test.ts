import { describe, expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { identityMiddleware } from '../src/index.ts';

const app = express();
app.use(express.json(), identityMiddleware({ defaultAgentId: 'default' }));
app.use((req, res) => {
  res.json(req.caller);
});
app.use(((error, _req, res, _next) => {
  res.status(422).json({ field: error.field, message: error.message });
}) as ErrorRequestHandler);

describe('identityMiddleware', () => {
  test('sets the caller from a request', async () => {
    const answer = await request(app)
      .post('/')
      .set({ 'X-Agent-ID': 'a', 'X-Project': 'p', 'X-Space': 't' })
      .send({ session_id: 's' });
    expect(answer.body).toEqual({ agentId: 'a', sessionId: 's', project: 'p', space: 't' });
  });

  test.each(['X-Agent-ID', 'X-Session-ID', 'X-Project', 'X-Space'])('refuses %s that is sent twice', async (header) => {
    const answer = await request(app)
      .get('/')
      .set(header, ['a', 'b'] as never);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      field: `header ${header}`,
      message: `header ${header} is given more than once: send it once.`,
    });
  });

  test('accepts one header with a comma in it', async () => {
    const answer = await request(app).get('/').set('X-Agent-ID', 'a, b');
    expect(answer.body.agentId).toBe('a, b');
  });
});

describe('identityMiddleware of a service behind a gateway', () => {
  const behind = express();
  behind.use(identityMiddleware({ defaultAgentId: 'default', trusted: () => null }));
  behind.use((req, res) => {
    res.json(req.caller);
  });
  behind.use(((error, _req, res, _next) => {
    res.status(403).json({ field: error.field });
  }) as ErrorRequestHandler);

  test('keeps a request that needs no caller in the space of its key', async () => {
    const ask = (space: string) => request(behind).get(`/?space=${space}`).set('X-Space', 'team-a');
    expect((await ask('team-a')).body).toMatchObject({ agentId: 'default', space: 'team-a' });
    const refused = await ask('team-b');
    expect([refused.status, refused.body]).toEqual([403, { field: 'query space' }]);
  });
});
