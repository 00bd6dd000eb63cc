import { type Listening, listen } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { callTool, connectMcp, ERAS } from '../../../../packages/mcp-kit/test/mcp-client.ts';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let listening: Listening;
let url: string;

beforeAll(async () => {
  service = await startTestService({ embedder: null, logLevel: 'info' });
  listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
  url = `${listening.address.url}/mcp`;
});

afterAll(async () => {
  listening.server.closeAllConnections();
  await new Promise((resolve) => listening.server.close(resolve));
  await service.close();
});

describe.each(ERAS)('the tools of memory, with the client of the SDK (%s)', (era) => {
  let ann: Client;
  let bob: Client;

  beforeAll(async () => {
    ann = await connectMcp(url, { era, headers: { 'X-Agent-ID': 'ann', 'X-Session-ID': `ann-${era}` } });
    bob = await connectMcp(`${url}?agent_id=bob`, { era });
  });
  afterAll(async () => {
    await ann.close();
    await bob.close();
  });

  test('what one agent remembers another recalls, with ids', async () => {
    const { data, isError } = await callTool(ann, 'remember', {
      content: `The staging database moved to host quokka-${era}.`,
      source: 'user',
      name: 'Dana',
      tags: ['staging'],
    });
    expect(isError).toBe(false);
    const { memory } = data as { memory: { id: string } };
    expect(data).toMatchObject({ duplicate: false, memory: { agent_id: 'ann', scope: 'TEAM', name: 'Dana' } });
    const found = await callTool(bob, 'recall', { query: `Where is the staging database? quokka-${era}` });
    expect(found.data).toMatchObject({
      memories: expect.arrayContaining([expect.objectContaining({ id: memory.id })]),
    });
    expect(found.text).toContain(`quokka-${era}`);
    expect(found.text).toContain(memory.id);
  });
});
