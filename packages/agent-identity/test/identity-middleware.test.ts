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
    const answer = await request(app).post('/').set('X-Agent-ID', 'a').send({ session_id: 's' });
    expect(answer.body).toEqual({ agentId: 'a', sessionId: 's' });
  });

  test('refuses a header that is sent twice', async () => {
    const answer = await request(app)
      .get('/')
      .set('X-Agent-ID', ['a', 'b'] as never);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      field: 'header X-Agent-ID',
      message: 'header X-Agent-ID is given more than once: send it once.',
    });
  });

  test('accepts one header with a comma in it', async () => {
    const answer = await request(app).get('/').set('X-Agent-ID', 'a, b');
    expect(answer.body.agentId).toBe('a, b');
  });
});
