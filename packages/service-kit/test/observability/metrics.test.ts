import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createMetrics, listen } from '../../src/http.ts';
import { metric, parseExposition } from '../exposition.ts';
import { createSample, type Sample } from '../sample-service.ts';

const scrape = async ({ app }: Pick<Sample, 'app'>) => parseExposition((await request(app).get('/metrics')).text);

describe('/metrics', () => {
  test('counts each request once, by the template of its path and never by the path', async () => {
    const sample = createSample();
    for (const name of ['a', 'b', 'c']) await request(sample.app).get(`/things/${name}`);
    await request(sample.app).post('/things').send({ name: 7 });
    await request(sample.app).get('/secret/path');
    await request(sample.app).get('/health/live');
    const families = await scrape(sample);
    const count = 'http_request_duration_seconds_count';
    expect(metric(families, count, { method: 'GET', route: '/things/{name}', status: '200' })).toBe(3);
    expect(metric(families, count, { method: 'POST', route: '/things', status: '422' })).toBe(1);
    expect(metric(families, count, { route: 'unmatched', status: '404' })).toBe(1);
    expect(metric(families, count, { route: '/health/live' })).toBe(1);
    expect(metric(families, count)).toBe(6);
    expect(metric(families, 'http_requests_in_flight')).toBe(1);
    const names = new Set(
      [...families.values()]
        .flatMap(({ samples }) => [...samples.values()].flat())
        .flatMap(({ labels }) => labels.route ?? []),
    );
    expect([...names].filter((name) => name.includes('secret'))).toEqual([]);
  });

  test('tells a client that went away from an answer of 200', async () => {
    let entered = () => {};
    const isIn = new Promise<void>((resolve) => {
      entered = resolve;
    });
    let left = () => {};
    const isOut = new Promise<void>((resolve) => {
      left = resolve;
    });
    const sample = createSample({
      handlers: {
        getHealth: async ({ res }) => {
          entered();
          await once(res, 'close');
          left();
          return undefined;
        },
      },
    });
    const { server, address } = await listen(sample.app, { host: '127.0.0.1', port: 0 });
    const socket = connect({ host: address.host, port: address.port });
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await isIn;
    expect(metric(await scrape(sample), 'http_requests_in_flight')).toBe(2);
    socket.destroy();
    await isOut;
    const families = await scrape(sample);
    expect(metric(families, 'http_request_duration_seconds_count', { route: '/health', status: '499' })).toBe(1);
    expect(metric(families, 'http_requests_in_flight')).toBe(1);
    server.close();
  });

  test('says what runs, how late the event loop is and what memory it takes', async () => {
    const metrics = createMetrics({ build: { service: 'x-service', version: '1.2.3' } });
    const families = parseExposition(await metrics.registry.metrics());
    const labels = { service: 'x-service', version: '1.2.3', node_version: process.version };
    expect(metric(families, 'agent_faculties_build_info', labels)).toBe(1);
    expect(metric(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(metric(families, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect([...families.keys()]).toContain('nodejs_eventloop_lag_p99_seconds');
    // As promtool asks for: the suffix of counters belongs to counters.
    const misnamed = [...families].filter(([name, { type }]) => name.endsWith('_total') !== (type === 'counter'));
    expect(misnamed.map(([name]) => name)).toEqual([]);
    metrics.registry.clear();
  });
});

describe('the reader of expositions in these tests', () => {
  test.each([
    ['x 1\n', 'outside its family'],
    ['# TYPE x gauge\nx 1\n', 'TYPE without HELP'],
    ['# HELP x y\n# TYPE x gauge\nx 1\nx 2\n', 'a sample twice'],
    ['# HELP x y\n# TYPE x gauge\nx{a=b} 1\n', 'broken labels'],
    ['# HELP x y\n# TYPE x gauge\nx 1,5\n', 'no number'],
    ['# HELP x y\n# TYPE x gauge\nx 1', 'no end'],
    ['# HELP x y\n# TYPE x histogram\nx_bucket{le="1"} 2\nx_bucket{le="+Inf"} 1\nx_count 1\nx_sum 1\n', 'shrink'],
  ])('refuses %p', (text, why) => {
    expect(() => parseExposition(text)).toThrow(why);
  });
});
