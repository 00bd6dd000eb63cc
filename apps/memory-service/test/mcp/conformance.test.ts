import { type Listening, listen } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONFORMANCE_LIMIT_MS, REVISIONS, runConformance } from '../../../../packages/mcp-kit/test/conformance/run.ts';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let listening: Listening;

beforeAll(async () => {
  service = await startTestService({ embedder: null });
  listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  listening.server.closeAllConnections();
  await new Promise((resolve) => listening.server.close(resolve));
  await service.close();
});

test.each(REVISIONS)(
  'conforms to the revision %s in all that it offers, DNS rebinding and headers among it',
  async (revision) => {
    const { code, said } = await runConformance(`${listening.address.url}/mcp`, { revision });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  },
  CONFORMANCE_LIMIT_MS,
);
