import { type Listening, listen } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { callTool, connectMcp } from '../../../../packages/mcp-kit/test/mcp-client.ts';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let listening: Listening;
let client: Client;

beforeAll(async () => {
  service = startTestService();
  listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
  client = await connectMcp(`${listening.address.url}/mcp?tools=opentime&agent_id=ann`);
});

afterAll(async () => {
  await client.close();
  listening.server.closeAllConnections();
  await new Promise((resolve) => listening.server.close(resolve));
  service.close();
});

/** As the MCP server of OpenTime 0.2 names them, with its arguments; a ? marks those that may be left out. */
const OPENTIME: Readonly<Record<string, string>> = {
  clock_now: '',
  clock_elapsed_since: 'timestamp',
  stopwatch_start: 'name',
  stopwatch_read: 'name',
  stopwatch_stop: 'name',
  stopwatch_delete: 'name',
  stopwatch_list: '',
  event_record: 'event_type task_type? metadata?',
  event_task_start: 'task_type metadata?',
  event_task_end: 'task_type correlation_id? metadata?',
  event_list: 'event_type? task_type? since? limit?',
  event_get: 'event_id',
  event_active_tasks: 'task_type?',
  stats_duration: 'task_type',
  stats_list_task_types: '',
  stats_all: '',
  stats_recommend_timeout: 'task_type percentile? safety_margin?',
  stats_check_timeout: 'task_type elapsed_seconds timeout_seconds',
  stats_compare_approaches: 'approaches',
};

test('are the nineteen of OpenTime with its arguments, and take no other as required', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(OPENTIME).sort());
  for (const { name, inputSchema } of tools) {
    const { properties = {}, required = [] } = inputSchema;
    const wanted = (OPENTIME[name] as string).split(' ').filter(Boolean);
    for (const argument of wanted) expect(Object.keys(properties)).toContain(argument.replace('?', ''));
    expect([...required].sort()).toEqual(wanted.filter((argument) => !argument.endsWith('?')).sort());
  }
});

test('work together as they do there', async () => {
  expect((await callTool(client, 'clock_now')).data).toMatchObject({ unix: expect.any(Number) });
  const elapsed = await callTool(client, 'clock_elapsed_since', { timestamp: '2026-11-21T09:29:00Z' });
  expect(elapsed.data).toMatchObject({ elapsed_seconds: expect.closeTo(60.123, 2) });
  await callTool(client, 'stopwatch_start', { name: 'all' });
  const { correlation_id } = (await callTool(client, 'event_task_start', { task_type: 'build' })).data as {
    correlation_id: string;
  };
  service.clock.advance(5_000);
  const active = await callTool(client, 'event_active_tasks');
  expect(active.data).toMatchObject({ active_tasks: [{ task_type: 'build', elapsed_seconds: 5 }] });
  const ended = await callTool(client, 'event_task_end', { task_type: 'build', correlation_id });
  expect(ended.data).toMatchObject({ duration_seconds: 5 });
  expect((await callTool(client, 'stopwatch_stop', { name: 'all' })).data).toMatchObject({ elapsed_seconds: 5 });
  expect((await callTool(client, 'stopwatch_read', { name: 'all' })).data).toMatchObject({ is_running: false });
  expect((await callTool(client, 'stopwatch_list')).data).toMatchObject({ stopwatches: [{ name: 'all' }] });
  expect((await callTool(client, 'stopwatch_delete', { name: 'all' })).data).toEqual({ deleted: 'all' });
  const { event } = (await callTool(client, 'event_record', { event_type: 'deploy' })).data as {
    event: { id: string };
  };
  expect((await callTool(client, 'event_get', { event_id: event.id })).data).toMatchObject({ event: { id: event.id } });
  expect((await callTool(client, 'event_list', { limit: 1 })).data).toMatchObject({ events: [{ id: event.id }] });
  expect((await callTool(client, 'stats_list_task_types')).data).toEqual({ task_types: ['build'] });
  expect((await callTool(client, 'stats_all')).data).toMatchObject({ summaries: [{ task_type: 'build', count: 1 }] });
  expect((await callTool(client, 'stats_duration', { task_type: 'build' })).data).toMatchObject({
    summary: { count: 1 },
  });
  const advice = await callTool(client, 'stats_recommend_timeout', { task_type: 'build', safety_margin: 2 });
  expect(advice.data).toMatchObject({ recommendation: { recommended_seconds: 10 } });
  const risk = await callTool(client, 'stats_check_timeout', {
    task_type: 'build',
    elapsed_seconds: 1,
    timeout_seconds: 9,
  });
  expect(risk.data).toMatchObject({ risk: { time_remaining: 8 } });
  const approaches = [{ name: 'one', steps: [{ task_type: 'build' }] }];
  for (const given of [approaches, JSON.stringify(approaches)]) {
    const compared = await callTool(client, 'stats_compare_approaches', { approaches: given });
    expect(compared.data).toMatchObject({ approaches: [{ name: 'one', mean_seconds: expect.any(Number) }] });
  }
});

test('no history is null with a message, and a wrong argument an error', async () => {
  for (const [name, field, more] of [
    ['stats_duration', 'summary', {}],
    ['stats_recommend_timeout', 'recommendation', {}],
    ['stats_check_timeout', 'risk', { elapsed_seconds: 1, timeout_seconds: 2 }],
  ] as const) {
    const { data, isError } = await callTool(client, name, { task_type: 'never done', ...more });
    expect([isError, data]).toEqual([false, { [field]: null, message: expect.stringContaining('never done') }]);
  }
  const wrong = await callTool(client, 'stats_compare_approaches', { approaches: '[{' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('is not JSON') });
  const missing = await callTool(client, 'stopwatch_read', {});
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('name is required') });
});
