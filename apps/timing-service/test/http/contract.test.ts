import { openContract } from '@agent-faculties/service-kit/http';
import { type OperationExample, walkContract } from '@agent-faculties/testing/suites';
import { afterAll, beforeAll, test } from '@jest/globals';
import supertest from 'supertest';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import { rowCounts, runTasks, startTestService, type TestService } from '../start-service.ts';

const EVENT_LINE = JSON.stringify({
  kind: 'event',
  id: '0199aa00000070008000000000000001',
  agent_id: 'ann',
  event_type: 'deploy',
  timestamp: '2026-11-20T10:00:00.000001+00:00',
});

const EXAMPLES: Record<string, OperationExample> = {
  receiveHook: {
    request: [
      'post',
      '/hooks/claude-code',
      { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: 'When is the deploy window?' },
    ],
    fault: ['get', '/hooks/claude-code', 405, 'method_not_allowed'],
  },
  receiveTraces: {
    request: ['post', '/v1/traces', { resourceSpans: [] }],
    fault: ['post', '/v1/traces', 422, 'invalid_request', { resourceSpans: 1 }],
  },
  listHooks: { request: ['get', '/hooks'], fault: ['get', '/hooks?x=1', 422, 'invalid_request'] },
  getPrompt: { request: ['get', '/prompt?mode=rest'], fault: ['get', '/prompt?mode=x', 422, 'invalid_request'] },
  getHealth: { request: ['get', '/health'], fault: ['get', '/health?x=1', 422, 'invalid_request'] },
  getLiveness: { request: ['get', '/health/live'], fault: ['post', '/health/live', 405, 'method_not_allowed'] },
  getReadiness: { request: ['get', '/health/ready'], fault: ['delete', '/health/ready', 405, 'method_not_allowed'] },
  getMetrics: { request: ['get', '/metrics'], fault: ['post', '/metrics', 405, 'method_not_allowed'] },
  getDashboard: { request: ['get', '/dashboard'], fault: ['post', '/dashboard', 405, 'method_not_allowed'] },
  listAgents: { request: ['get', '/agents'], fault: ['get', '/agents?agent_id=*', 422, 'invalid_identity'] },
  estimateDuration: {
    request: ['get', '/stats/estimate/build?estimated_seconds=5'],
    fault: ['get', '/stats/estimate/build?estimated_seconds=0', 422, 'invalid_request'],
  },
  listProjects: { request: ['get', '/projects'], fault: ['get', '/projects?project=%20x', 422, 'invalid_identity'] },
  getNow: { request: ['get', '/clock/now'], fault: ['delete', '/clock/now', 405, 'method_not_allowed'] },
  getElapsed: {
    request: ['get', '/clock/elapsed?since=2026-11-21T09:30:00+00:00'],
    fault: ['get', '/clock/elapsed', 422, 'invalid_request'],
  },
  startStopwatch: {
    request: ['post', '/stopwatch/tea/start'],
    fault: ['post', '/stopwatch/tea/start?agent_id=*', 422, 'invalid_identity'],
  },
  stopStopwatch: {
    request: ['post', '/stopwatch/ready/stop'],
    fault: ['post', '/stopwatch/nobody/stop', 404, 'unknown_stopwatch'],
  },
  getStopwatch: {
    request: ['get', '/stopwatch/ready'],
    fault: ['get', '/stopwatch/nobody', 404, 'unknown_stopwatch'],
  },
  listStopwatches: {
    request: ['get', '/stopwatches'],
    fault: ['get', '/stopwatches?agent_id=*', 422, 'invalid_identity'],
  },
  deleteStopwatch: {
    request: ['delete', '/stopwatch/ready'],
    fault: ['delete', '/stopwatch/nobody', 404, 'unknown_stopwatch'],
  },
  recordEvent: {
    request: ['post', '/events', { event_type: 'deploy', metadata: { commit: '4f2a9c1' } }],
    fault: ['post', '/events', 422, 'invalid_request', { event_type: '' }],
  },
  listEvents: { request: ['get', '/events'], fault: ['get', '/events?limit=0', 422, 'invalid_request'] },
  startTask: {
    request: ['post', '/events/task-start', { task_type: 'build', estimated_seconds: 60, correlation_id: 'mine' }],
    fault: [
      'post',
      '/events/task-start',
      409,
      'correlation_id_in_use',
      { task_type: 'other', correlation_id: 'known' },
    ],
  },
  endTask: {
    request: ['post', '/events/task-end', { task_type: 'open', correlation_id: 'known', outcome: 'error' }],
    fault: ['post', '/events/task-end', 404, 'no_active_task', { task_type: 'nothing' }],
  },
  listActiveTasks: {
    request: ['get', '/events/active'],
    fault: ['get', '/events/active?task_type=', 422, 'invalid_request'],
  },
  streamEvents: {
    request: ['get', '/events/stream'],
    fault: ['get', '/events/stream?last_event_id=x', 422, 'invalid_request'],
  },
  getEvent: { request: ['get', '/events/{id}'], fault: ['get', '/events/none', 404, 'unknown_event'] },
  listTasks: {
    request: ['get', '/tasks?state=ended&limit=2'],
    fault: ['get', '/tasks?state=lost', 422, 'invalid_request'],
  },
  getTask: { request: ['get', '/tasks/known'], fault: ['get', '/tasks/none', 404, 'unknown_correlation_id'] },
  listSummaries: {
    request: ['get', '/stats/durations'],
    fault: ['get', '/stats/durations?since=x', 422, 'invalid_request'],
  },
  getSummary: {
    request: ['get', '/stats/durations/test%20run'],
    fault: ['get', '/stats/durations/none', 404, 'no_completed_tasks'],
  },
  listTaskTypes: {
    request: ['get', '/stats/task-types'],
    fault: ['get', '/stats/task-types?x=1', 422, 'invalid_request'],
  },
  recommendTimeout: {
    request: ['get', '/stats/recommend-timeout/test%20run'],
    fault: ['get', '/stats/recommend-timeout/test%20run?safety_margin=0.9', 422, 'invalid_request'],
  },
  checkTimeout: {
    request: ['get', '/stats/check-timeout/test%20run?elapsed_seconds=2&timeout_seconds=10'],
    fault: ['get', '/stats/check-timeout/test%20run?elapsed_seconds=2', 422, 'invalid_request'],
  },
  compareApproaches: {
    request: [
      'post',
      '/stats/compare-approaches',
      { approaches: [{ name: 'all', steps: [{ task_type: 'test run' }, { task_type: 'new', estimated_seconds: 3 }] }] },
    ],
    fault: ['post', '/stats/compare-approaches', 422, 'invalid_request', { approaches: [{ name: 'a', steps: [] }] }],
  },
  getDistribution: {
    request: ['get', '/stats/distribution/test%20run'],
    fault: ['get', '/stats/distribution/none', 404, 'no_completed_tasks'],
  },
  getTrend: {
    request: ['get', '/stats/trend/test%20run'],
    fault: ['get', '/stats/trend/test%20run?limit=1', 422, 'invalid_request'],
  },
  getTimeSpent: {
    request: ['get', '/stats/time-spent?group_by=day&then_by=task_type&time_zone=Europe/Berlin'],
    fault: ['get', '/stats/time-spent?group_by=week', 422, 'invalid_request'],
  },
  exportData: { request: ['get', '/export'], fault: ['get', '/export?x=1', 422, 'invalid_request'] },
  importData: {
    request: ['post', '/import', `${EVENT_LINE}\n`],
    fault: ['post', '/import', 415, 'unsupported_media_type', { kind: 'event' }],
  },
  postMcp: {
    request: ['post', '/mcp?tools=opentime', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    fault: ['post', '/mcp?tools=all', 422, 'invalid_request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
};

let service: TestService;
let eventId: string;

beforeAll(async () => {
  service = startTestService();
  await runTasks(service, 'test run', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  await supertest(service.app).post('/stopwatch/ready/start');
  await supertest(service.app).post('/events/task-start').send({ task_type: 'open', correlation_id: 'known' });
  eventId = (await supertest(service.app).post('/events').send({ event_type: 'x' })).body.event.id;
});
afterAll(() => service.close());

walkContract({
  contract: CONTRACT,
  examples: EXAMPLES,
  app: () => service.app,
  urlOf: (url) => url.replace('{id}', eventId),
  state: async () => [rowCounts(service), (await supertest(service.app).get('/export')).text],
  endless: {
    streamEvents: (request) => {
      request.buffer(false).parse((res, done) => {
        res.once('data', () => {
          service.streams.endAll();
          done(null, '');
        });
      });
    },
  },
  nothingAt: ['/events/', '/Events', '/stats', '/stopwatch', '/dashboard/assets/%2e%2e/app.ts'],
});

test('the contract is a document of OpenAPI', async () => {
  const { warmUp } = openContract(CONTRACT, { validateResponses: false, validateContract: true });
  await warmUp(async () => {});
});
