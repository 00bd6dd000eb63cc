import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import { runTasks, startTestService, type TestService } from '../start-service.ts';

describe('/metrics', () => {
  let service: TestService;
  beforeAll(() => {
    service = startTestService({ config: { abandonAfterSeconds: 1 } });
  });
  afterAll(() => service.close());

  const scrape = async () => parseExposition((await supertest(service.app).get('/metrics')).text);

  test('says what was recorded, what runs and how long things took', async () => {
    const { app, clock, jobs } = service;
    await runTasks(service, 'secret task', [2, 20]);
    await runTasks(service, 'secret task', [200], { outcome: 'timeout' });
    for (const correlation_id of ['a', 'b', 'c'])
      await supertest(app).post('/events/task-start').send({ task_type: 'secret task', correlation_id });
    await supertest(app).post('/events').send({ event_type: 'secret event' });
    const end = { task_type: 'secret task', correlation_id: 'a' };
    for (let times = 0; times < 2; times++) await supertest(app).post('/events/task-end').send(end);
    await supertest(app).get('/stats/durations/secret%20task');

    const before = await scrape();
    const events = (kind: string) => metric(before, 'timing_events_total', { kind });
    expect([events('task_start'), events('task_end'), events('other')]).toEqual([6, 4, 1]);
    expect(metric(before, 'timing_active_tasks')).toBe(2);
    expect(metric(before, 'timing_task_duration_seconds_count', { outcome: 'ok' })).toBe(3);
    expect(metric(before, 'timing_task_duration_seconds_sum', { outcome: 'timeout' })).toBe(200);
    expect(metric(before, 'timing_task_duration_seconds_bucket', { outcome: 'ok', le: '5' })).toBe(2);
    expect(metric(before, 'timing_sample_loads_total')).toBeGreaterThanOrEqual(1);
    expect(metric(before, 'timing_samples')).toBeGreaterThanOrEqual(1);
    expect(metric(before, 'timing_sample_bytes')).toBeGreaterThan(0);
    expect(metric(before, 'timing_database_bytes')).toBeGreaterThan(0);
    expect(metric(before, 'timing_write_ahead_log_bytes')).toBeGreaterThan(0);
    expect(metric(before, 'timing_storage_writable')).toBe(1);
    expect(metric(before, 'timing_event_streams')).toBe(0);
    expect(metric(before, 'timing_tasks_abandoned_total')).toBe(0);

    clock.advance(100 * 86_400_000);
    for (const job of jobs) await job.run();
    const after = await scrape();
    expect(metric(after, 'timing_tasks_abandoned_total')).toBe(2);
    expect(metric(after, 'timing_active_tasks')).toBe(0);
  });

  test('says that the database refuses writes', async () => {
    const { $client } = service.database.db;
    $client.pragma('query_only = 1');
    await supertest(service.app).post('/events').send({ event_type: 'x' });
    expect(metric(await scrape(), 'timing_storage_writable')).toBe(0);
    $client.pragma('query_only = 0');
    await supertest(service.app).post('/events').send({ event_type: 'x' });
    expect(metric(await scrape(), 'timing_storage_writable')).toBe(1);
  });

  test('names no agent, task type or event type', async () => {
    await supertest(service.app).post('/events').send({ event_type: 'secret event', agent_id: 'secret-agent' });
    await supertest(service.app).get('/events').query({ agent_id: 'secret-agent' });
    expect((await supertest(service.app).get('/metrics')).text).not.toContain('secret');
  });
});
