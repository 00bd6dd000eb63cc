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
    const answer = await request(app).post('/').set({ 'X-Agent-ID': 'a', 'X-Project': 'p' }).send({ session_id: 's' });
    expect(answer.body).toEqual({ agentId: 'a', sessionId: 's', project: 'p' });
  });

  test.each(['X-Agent-ID', 'X-Session-ID', 'X-Project'])('refuses %s that is sent twice', async (header) => {
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
