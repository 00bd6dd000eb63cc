import { readFileSync } from 'node:fs';
import { createLog, createMetrics, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { createApp } from '../src/app.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const app = createApp({
  config: { agentId: 'default', bodyLimitBytes: 1024 ** 2 },
  clock,
  ids: timeOrderedIds(clock),
  log: createLog({ name: 'memory-service', level: 'silent' }),
  metrics: createMetrics({ processMetrics: false }),
  version: '9.8.7',
  validateResponses: true,
});

describe('GET /health', () => {
  test('says that the service is up, its version and for how long', async () => {
    clock.advance(90_500);
    const answer = await request(app).get('/health');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ status: 'ok', version: '9.8.7', uptime_seconds: 90.5 });
  });

  test('shows no negative uptime after the clock was set back', async () => {
    clock.set(Date.UTC(2025, 0, 1));
    expect((await request(app).get('/health')).body.uptime_seconds).toBe(0);
  });

  test('refuses parameters that it does not know', async () => {
    const answer = await request(app).get('/health?verbose=1');
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request']);
  });
});

describe('every operation of the contract', () => {
  const contract = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));

  test.each(Object.keys(contract.paths))('%s answers GET with 200, HEAD with 200 and POST with 405', async (path) => {
    expect((await request(app).get(path)).status).toBe(200);
    expect((await request(app).head(path)).status).toBe(200);
    const post = await request(app).post(path);
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('is what /openapi.json shows', async () => {
    expect((await request(app).get('/openapi.json')).body).toEqual(contract);
  });
});

describe('a path that is not in the contract', () => {
  test.each(['/', '/memories', '/ingest', '/memory/1'])('is a 404 that says where to look: %s', async (path) => {
    const answer = await request(app).get(path).set('X-Request-ID', 'r');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      type: 'urn:agent-faculties:problem:not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path: see /docs for the paths that exist.',
      code: 'not_found',
      request_id: 'r',
    });
  });
});
