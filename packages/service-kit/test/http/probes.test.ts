import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Degradation } from '../../src/http.ts';
import { UnavailableError } from '../../src/index.ts';
import { createSample } from '../sample-service.ts';

const FULL: Degradation = { code: 'storage_unavailable', detail: 'The disk is full: make room.' };

describe('/health/ready', () => {
  test('answers ready while nothing is amiss', async () => {
    const answer = await request(createSample().app).get('/health/ready');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ready', reasons: [] }]);
    expect(answer.headers).not.toHaveProperty('retry-after');
  });

  test('answers 200 and says what the service goes on without', async () => {
    const { app } = createSample({ options: { degradations: () => [FULL] } });
    const answer = await request(app).get('/health/ready');
    expect([answer.status, answer.body]).toEqual([200, { status: 'degraded', reasons: [FULL] }]);
  });

  test('answers 503 when the service cannot serve, and says when to ask again', async () => {
    const degradations = () => {
      throw new UnavailableError('The database cannot be read.', { code: 'database_unavailable' });
    };
    const answer = await request(createSample({ options: { degradations } }).app).get('/health/ready');
    expect([answer.status, answer.type, answer.headers['retry-after']]).toEqual([503, 'application/problem+json', '5']);
    expect(answer.body).toMatchObject({ code: 'database_unavailable', detail: 'The database cannot be read.' });
  });

  test('answers 503 from the first moment of a stop, whatever else there is to say, while requests go on', async () => {
    const { app } = createSample({ options: { degradations: () => [FULL] } });
    app.drain();
    const answer = await request(app).get('/health/ready');
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'stopping', '5']);
    expect((await request(app).get('/health/live')).status).toBe(200);
    expect((await request(app).get('/things/a')).status).toBe(200);
  });
});

describe('the probes', () => {
  test('ask nothing of the service to say that it lives', async () => {
    const degradations = () => {
      throw new Error('must not be asked');
    };
    const answer = await request(createSample({ options: { degradations } }).app).get('/health/live');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  });

  test.each(['/health/live', '/health/ready'])('answer HEAD at %s, and other methods with 405', async (path) => {
    const { app } = createSample();
    expect((await request(app).head(path)).status).toBe(200);
    const answer = await request(app).post(path);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('are logged at level debug alone, as /metrics is', async () => {
    const probe = async (level: 'info' | 'debug') => {
      const { app, lines } = createSample({ level });
      for (const path of ['/health/live', '/health/ready', '/metrics']) await request(app).get(path);
      return lines.map(({ level, route }) => `${level} ${route}`);
    };
    expect(await probe('info')).toEqual([]);
    expect(await probe('debug')).toEqual(['debug /health/live', 'debug /health/ready', 'debug /metrics']);
  });
});
