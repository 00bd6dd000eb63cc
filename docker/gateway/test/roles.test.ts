import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadSpec, operationsOf } from '../../../packages/service-kit/src/http.ts';
import { type Answer, exchange } from './exchange.ts';
import { hasNginx, type RealGateway, ROLES, type Role, startGateway } from './real-gateway.ts';
import { type RecordingUpstream, startUpstream } from './recording-upstream.ts';
import { includes, pathOf, roleTable } from './role-table.ts';

const table = roleTable();
const rowsOf = (service: string) => table.filter((row) => row.service === service);
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the table of roles', () => {
  /** Outside the contract, and for the gateway's own network alone. */
  const PROBES = ['GET /health/live', 'GET /health/ready'];
  /** In the contract of the memory service only, and answered by both. */
  const SHARED = ['GET /docs', 'GET /openapi.json', 'GET /metrics'];

  test.each(['memory', 'timing'])(
    'has each operation of the contract of the %s service once, and no other',
    (service) => {
      const spec = loadSpec(new URL(`../../../apps/${service}-service/openapi.yaml`, import.meta.url));
      const operations = operationsOf(spec).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
      const expected = new Set([...operations, ...SHARED].filter((operation) => !PROBES.includes(operation)));
      const files = /\/\*$/;
      const rows = rowsOf(service)
        .map(named)
        .filter((row) => !files.test(row));
      expect(rows.sort()).toEqual([...expected].sort());
    },
  );

  test('stands in docs/gateway.md as it is here, each row with a reason', () => {
    const page = readFileSync(new URL('../../../docs/gateway.md', import.meta.url), 'utf8');
    const section = page.split(/^## /m).find((part) => part.startsWith('Roles\n')) ?? '';
    const rows = [...section.matchAll(/^\| `(?<operations>[^|]+)` \| (?<role>\S+) \| (?<reason>[^|]{10,}) \|$/gm)];
    const documented = rows.flatMap(({ groups }) =>
      (groups?.operations ?? '').split('`, `').map((operation) => `${operation} ${groups?.role}`),
    );
    const here = table.map(
      (row) => `${row.method} ${row.service === 'timing' ? '/timing' : ''}${row.path} ${row.role}`,
    );
    expect(documented.sort()).toEqual(here.sort());
  });

  test('gives each role what the specification names for it', () => {
    const may = (role: Role, operation: string) => {
      const row = rowsOf('memory').find((one) => named(one) === operation);
      return row !== undefined && row.role !== 'none' && includes(role, row.role);
    };
    const NAMED: Readonly<Record<Role, readonly string[]>> = {
      'agent-rw': ['POST /ingest', 'POST /recall', 'POST /ingest_and_recall'],
      'agent-ro': ['POST /recall', 'GET /memory/{id}', 'GET /memories', 'GET /health'],
      'team-admin': ['POST /consolidate', 'POST /end_of_day', 'POST /save'],
      'system-admin': ['DELETE /memory/{id}', 'DELETE /memories/agent/{agent_id}', 'POST /merge'],
    };
    for (const role of ROLES) expect(NAMED[role].filter((operation) => !may(role, operation))).toEqual([]);
    const refused = (role: Role, others: readonly Role[]) =>
      others
        .flatMap((other) => NAMED[other])
        .filter((operation) => may(role, operation) && operation !== 'POST /recall');
    expect(refused('agent-ro', ['agent-rw', 'team-admin', 'system-admin'])).toEqual([]);
    expect(refused('agent-rw', ['team-admin', 'system-admin'])).toEqual([]);
    expect(refused('team-admin', ['system-admin'])).toEqual([]);
  });
});

const describeGateway = hasNginx() ? describe : describe.skip;

describeGateway('the gateway', () => {
  let memory: RecordingUpstream;
  let timing: RecordingUpstream;
  let gateway: RealGateway;
  const keys = new Map<Role, string>();

  beforeAll(async () => {
    [memory, timing] = await Promise.all([startUpstream(), startUpstream()]);
    gateway = await startGateway({ memoryUpstream: memory.address, timingUpstream: timing.address });
    for (const role of ROLES) keys.set(role, await gateway.createKey(`${role}-agent`, role));
    memory.take();
  });

  afterAll(async () => {
    await gateway.stop();
    await Promise.all([memory.close(), timing.close()]);
  });

  const bearer = (role: Role) => ({ Authorization: `Bearer ${keys.get(role)}` });

  function expectProblem(answer: Answer, status: number, code: string): void {
    expect([answer.status, answer.body?.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    const { type, title, detail, request_id } = answer.body;
    expect(type).toBe(`urn:agent-faculties:problem:${code}`);
    expect([typeof title, typeof detail, answer.body.status]).toEqual(['string', 'string', status]);
    expect(request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
  }

  // Failed logins are counted for each address, so each of these comes from one of its own.
  let strangers = 0;
  const stranger = () => `127.0.${1 + Math.floor(++strangers / 250)}.${1 + (strangers % 250)}`;

  describe.each(table.map((row) => [row.service, named(row), row] as const))(
    '%s service, %s',
    (_service, _name, row) => {
      const path = pathOf(row);

      test.each(ROLES)('%s', async (role) => {
        const answer = await exchange(gateway.plainPort, { method: row.method, path, headers: bearer(role) });
        const [seen, unseen] = row.service === 'memory' ? [memory, timing] : [timing, memory];
        const [passed] = seen.take();
        expect(unseen.take()).toEqual([]);
        if (row.role === 'none') {
          expectProblem(answer, 404, 'not_found');
          expect(answer.body.detail).toContain('Hosts of MCP ask at /mcp and /timing/mcp.');
        } else if (!includes(role, row.role)) {
          expectProblem(answer, 403, 'role_forbids');
          expect(answer.body.detail).toContain(`The role of this key is ${role}, and this takes ${row.role}`);
        } else {
          expect(answer.status).toBe(200);
          expect(passed).toMatchObject({ method: row.method, url: path.replace(/^\/timing/, '') });
          expect(passed?.headers).toMatchObject({ 'x-agent-id': `${role}-agent`, 'x-role': role });
          return;
        }
        expect(passed).toBeUndefined();
      });

      test('without a key, with a wrong one, and with two', async () => {
        const ask = (headers: Record<string, string | string[]>) =>
          exchange(gateway.plainPort, { method: row.method, path, headers, from: stranger() });
        const none = await ask({});
        expectProblem(none, 401, 'unauthenticated');
        expect(none.body.detail).toBe(
          'A key is needed: send it in the header Authorization: Bearer KEY. Who runs this server makes one with gateway-keys create.',
        );
        expect(none.headers['www-authenticate']).toBe('Bearer realm="agent-faculties"');
        expectProblem(await ask({ Authorization: `Bearer ${'0'.repeat(64)}` }), 401, 'unauthenticated');
        const two = [bearer('system-admin').Authorization, bearer('agent-ro').Authorization];
        expectProblem(await ask({ Authorization: two }), 400, 'malformed_http');
        expect([...memory.take(), ...timing.take()]).toEqual([]);
      });
    },
  );

  test.each([...new Set(table.map((row) => row.path))])(
    'answers what %s does not serve with 405 and Allow',
    async (path) => {
      for (const service of ['memory', 'timing'] as const) {
        const rows = rowsOf(service).filter((row) => row.path === path && row.role !== 'none');
        const [first] = rows;
        if (!first) continue;
        const allowed = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          if (allowed.includes(method)) continue;
          const answer = await exchange(gateway.plainPort, {
            method,
            path: pathOf(first),
            headers: bearer('system-admin'),
          });
          expectProblem(answer, 405, 'method_not_allowed');
          expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed);
        }
      }
      expect([...memory.take(), ...timing.take()]).toEqual([]);
    },
  );

  test('answers HEAD as GET', async () => {
    const answer = await exchange(gateway.plainPort, {
      method: 'HEAD',
      path: '/memories',
      headers: bearer('agent-ro'),
    });
    expect(answer.status).toBe(200);
    expect(memory.take()).toMatchObject([{ method: 'HEAD', url: '/memories' }]);
    const refused = await exchange(gateway.plainPort, { method: 'HEAD', path: '/export', headers: bearer('agent-ro') });
    expect(refused.status).toBe(403);
  });
});
