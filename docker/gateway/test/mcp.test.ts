import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ContractSchemas } from '../../../packages/mcp-kit/src/index.ts';
import { callTool, connectMcp, ERAS, type Era } from '../../../packages/mcp-kit/test/mcp-client.ts';
import { loadSpec } from '../../../packages/service-kit/src/http.ts';
import { hasNginx, type RealGateway, ROLES, type Role, startGateway } from './real-gateway.ts';
import { type RealServices, startRealServices } from './real-services.ts';
import { includes, roleTable } from './role-table.ts';

/** What each tool calls: the role of the last of them in the table is the least that it takes. */
const CALLS = {
  memory: {
    remember: ['ingest'],
    recall: ['recall'],
    agenda: ['getAgenda'],
    get: ['getMemory'],
    correct: ['updateMemory'],
    forget: ['invalidateMemory'],
    contradictions: ['listContradictions'],
    judge: ['resolveContradiction'],
  },
  timing: {
    start: ['getSummary', 'startTask'],
    end: ['endTask'],
    expect: ['getSummary', 'listTaskTypes', 'recommendTimeout'],
    check: ['getTask', 'getSummary', 'recommendTimeout', 'checkTimeout'],
    compare: ['compareApproaches'],
    now: ['getNow', 'getElapsed', 'listActiveTasks'],
  },
} as const;
type Service = keyof typeof CALLS;

function roleOf(service: Service, operationId: string): Role {
  const spec = loadSpec(new URL(`../../../apps/${service}-service/openapi.yaml`, import.meta.url));
  const { method, path } = new ContractSchemas(spec).operation(operationId);
  const row = roleTable().find(
    (one) => one.service === service && one.path === path && one.method === method.toUpperCase(),
  );
  return row?.role as Role;
}

const describeGateway = hasNginx() ? describe : describe.skip;

describeGateway('MCP through the gateway', () => {
  let services: RealServices;
  let gateway: RealGateway;
  const keys = new Map<Role, string>();

  beforeAll(async () => {
    services = await startRealServices();
    gateway = await startGateway({ memoryUpstream: services.memoryAddress, timingUpstream: services.timingAddress });
    for (const role of ROLES) keys.set(role, await gateway.createKey(`${role}-agent`, role));
  });
  afterAll(async () => {
    await gateway.stop();
    await services.close();
  });

  const urlOf = (service: Service) =>
    `http://127.0.0.1:${gateway.plainPort}${service === 'timing' ? '/timing' : ''}/mcp`;
  const connect = (service: Service, role: Role, era: Era): ReturnType<typeof connectMcp> =>
    connectMcp(urlOf(service), {
      era,
      headers: { Authorization: `Bearer ${keys.get(role)}`, 'X-Agent-ID': 'mallory' },
    });

  describe.each(ERAS)('%s', (era) => {
    test.each(ROLES)('%s is offered the tools whose operations it may use, and no other', async (role) => {
      for (const service of ['memory', 'timing'] as const) {
        const client = await connect(service, role, era);
        const { tools } = await client.listTools();
        const allowed = Object.entries(CALLS[service])
          .filter(([, operations]: [string, readonly string[]]) =>
            operations.every((operation) => includes(role, roleOf(service, operation))),
          )
          .map(([name]) => name);
        expect(tools.map(({ name }) => name)).toEqual(allowed);
        await client.close();
      }
    });

    test('a reader writes nothing, by whatever tool', async () => {
      const reader = await connect('memory', 'agent-ro', era);
      for (const [name, given] of [
        ['remember', { content: 'A reader was here.' }],
        ['correct', { id: 'x', gist: 'A reader was here.' }],
        ['judge', { id: 'x', dismiss: true }],
      ] as const) {
        const refused = await callTool(reader, name, given);
        expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('(role_forbids)') });
      }
      expect((await callTool(reader, 'recall', { query: 'reader' })).text).not.toContain('A reader was here');
      await reader.close();
      const timer = await connect('timing', 'agent-ro', era);
      expect((await callTool(timer, 'start', { task_type: 'build' })).isError).toBe(true);
      expect((await callTool(timer, 'now')).data).toMatchObject({ active_tasks: [] });
      await timer.close();
    });

    test('the key says who asks, whatever a header says', async () => {
      const writer = await connect('memory', 'agent-rw', era);
      const content = `The lighthouse of ${era} is green.`;
      const { data } = await callTool(writer, 'remember', { content, scope: 'PRIVATE' });
      expect(data).toMatchObject({ memory: { agent_id: 'agent-rw-agent' } });
      const admin = await connect('memory', 'system-admin', era);
      const { id } = (data as { memory: { id: string } }).memory;
      expect((await callTool(admin, 'get', { id })).isError).toBe(true);
      const timer = await connect('timing', 'agent-rw', era);
      const started = await callTool(timer, 'start', { task_type: `build ${era}` });
      expect(started.data).toMatchObject({ task: { agent_id: 'agent-rw-agent' } });
      for (const client of [writer, admin, timer]) await client.close();
    });
  });

  test('without a key nothing is said', async () => {
    for (const service of ['memory', 'timing'] as const) {
      const answer = await fetch(urlOf(service), { method: 'POST', body: '{}' });
      expect(answer.status).toBe(401);
    }
  });
});
