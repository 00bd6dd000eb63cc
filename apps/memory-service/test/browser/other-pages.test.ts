import { describeOtherPages } from '@agent-faculties/testing/suites';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService, temporaryFolder } from '../start-service.ts';

const folder = temporaryFolder();
let service: TestService;

describeOtherPages({
  start: async () => {
    service = await startTestService({ dataDir: folder.path });
    await say(service, 'ann', { content: 'The spare key lies under the blue pot.', scope: 'PRIVATE' });
    return service.app;
  },
  stop: async () => {
    await service?.close();
    folder.remove();
    await closeFastEmbedder();
  },
  state: async () => {
    const texts = ['/export?agent_id=ann', '/consolidate', '/pruned?agent_id=ann', '/health'].map(async (path) => {
      return (await supertest(service.app).get(path)).text;
    });
    return [...(await Promise.all(texts)), service.opened.persistence.state()];
  },
  writes: ['/save', '/consolidate', '/end_of_day', '/memories/agent/ann?agent_id=ann'],
  reads: ['/health', '/memories?agent_id=ann', '/export?agent_id=ann', '/dashboard', '/metrics'],
  rebound: [
    ['GET', '/memories'],
    ['GET', '/export'],
    ['POST', '/save'],
    ['POST', '/end_of_day'],
    ['DELETE', '/memories/agent/ann'],
  ],
  ownWrite: '/save',
});
