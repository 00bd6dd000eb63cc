import { describeOtherPages } from '@agent-faculties/testing/suites';
import supertest from 'supertest';
import { rowCounts, startTestService, type TestService } from '../start-service.ts';

let service: TestService;

describeOtherPages({
  start: async () => {
    service = startTestService();
    await supertest(service.app).post('/stopwatch/tea/start').set('X-Agent-ID', 'ann');
    return service.app;
  },
  stop: async () => service?.close(),
  state: async () => [rowCounts(service), (await supertest(service.app).get('/export')).text],
  writes: ['/stopwatch/mine/start', '/stopwatch/tea/stop?agent_id=ann', '/events/task-start'],
  reads: ['/health', '/export', '/dashboard', '/openapi.json', '/metrics'],
  rebound: [
    ['GET', '/export'],
    ['GET', '/stopwatch/tea'],
    ['POST', '/stopwatch/mine/start'],
    ['DELETE', '/stopwatch/tea'],
  ],
  ownWrite: '/stopwatch/own/start',
});
