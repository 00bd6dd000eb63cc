import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import request from 'supertest';
import { noSuchPath } from '../../src/contract/contract-violation.ts';
import { loadSpec } from '../../src/http.ts';
import { warmUpValidator } from '../../src/validator-workarounds/validator-warm-up.ts';
import { createSample } from '../sample-service.ts';

const spec = loadSpec(new URL('../sample-service.openapi.yaml', import.meta.url));

describe('warming up', () => {
  test('shows the validation each operation once, and with a body a small and a large one', async () => {
    const shown: string[] = [];
    const validation: RequestHandler = (req, _res, next) => {
      const { bodyValues = 0 } = req as { bodyValues?: number };
      const size = bodyValues > 1_000 ? ' large' : '';
      shown.push(`${req.method} ${req.originalUrl} ${req.headers['content-type']}${size}`);
      next(noSuchPath('x'));
    };
    await warmUpValidator({ spec, validation, nextStep: nextTurn });
    expect(shown).toEqual([
      'GET /health application/json',
      'GET /things application/json',
      'POST /things application/json',
      'POST /things application/json large',
      'GET /things/x application/json',
      'GET /things/active application/json',
      'POST /things/x/start application/json',
      'GET /levels/x application/json',
      'PUT /levels/x application/json',
      'PUT /levels/x application/json large',
    ]);
  });

  test('fails when the validation fails by itself', async () => {
    const broken: RequestHandler = (_req, _res, next) => next(new Error('the contract cannot be compiled'));
    await expect(warmUpValidator({ spec, validation: broken, nextStep: nextTurn })).rejects.toThrow(
      'the contract cannot be compiled',
    );
  });

  test('calls no handler, does what else is to be done beforehand, and leaves the service as it was', async () => {
    let calls = 0;
    const getHealth = () => {
      calls++;
      return { status: 200 as const, body: { status: 'ok' } };
    };
    const warmed: string[] = [];
    const warmUps = ['first', 'second'].map((name) => async () => void warmed.push(name));
    const { app, lines } = createSample({ handlers: { getHealth }, options: { warmUps } });
    await app.warmUp();
    expect(warmed).toEqual(['first', 'second']);
    expect([calls, lines]).toEqual([0, []]);
    expect((await request(app).get('/health')).status).toBe(200);
    expect((await request(app).post('/things').send({ name: 'x', count: -1 })).body.errors).toEqual([
      { where: 'body/count', message: 'must be >= 0' },
    ]);
  });

  test('waits while a request is being answered', async () => {
    const done: string[] = [];
    let answer: (() => void) | undefined;
    const getHealth = async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      done.push('answered');
      return { status: 200 as const, body: { status: 'ok' } };
    };
    const warmUps = [async () => void done.push('warm')];
    const { app } = createSample({ handlers: { getHealth }, options: { warmUps } });
    const health = request(app).get('/health').then();
    while (!answer) await nextTurn();
    const warm = app.warmUp();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    answer();
    await Promise.all([health, warm]);
    expect(done).toEqual(['answered', 'warm']);
  });
});
