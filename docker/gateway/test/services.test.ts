import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, exchange } from './exchange.ts';
import { hasNginx, type RealGateway, type Role, startGateway } from './real-gateway.ts';
import { type RealServices, startRealServices } from './real-services.ts';
import { includes, roleTable } from './role-table.ts';

const describeGateway = hasNginx() ? describe : describe.skip;

describeGateway('the gateway before the real services', () => {
  let services: RealServices;
  let gateway: RealGateway;
  /** Agents by role; bob has the role of ann. */
  const AGENTS = { ro: 'agent-ro', ann: 'agent-rw', bob: 'agent-rw', tea: 'team-admin', sys: 'system-admin' } as const;
  type Agent = keyof typeof AGENTS;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    services = await startRealServices();
    gateway = await startGateway({ memoryUpstream: services.memoryAddress, timingUpstream: services.timingAddress });
    for (const [agent, role] of Object.entries(AGENTS)) keys.set(agent, await gateway.createKey(agent, role as Role));
  });

  afterAll(async () => {
    await gateway.stop();
    await services.close();
  });

  const bearer = (agent: Agent) => ({ Authorization: `Bearer ${keys.get(agent)}` });

  function send(agent: Agent, method: string, path: string, body?: object | string, headers = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type =
      body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
    return exchange(gateway.plainPort, {
      method,
      path,
      headers: { ...bearer(agent), ...type, ...headers },
      ...(body !== undefined && { body: text }),
    });
  }

  /** A request that each operation takes; what it names need not be there. */
  const ID = '00000000-0000-7000-8000-0000000000ff';
  const REQUESTS: Readonly<Record<string, { query?: string; body?: object }>> = {
    'memory POST /recall': { body: { query: 'release' } },
    'memory POST /memory/{id}/why_not': { body: { query: 'release' } },
    'memory POST /contradictions': { body: {} },
    'memory POST /contradictions/{id}/judge': { body: { says: 'compatible', judge: 'm' } },
    'memory POST /memory/{id}/revert': { body: { version: 'none' } },
    'memory POST /memories/get': { body: { ids: [ID] } },
    'memory POST /ingest': { body: { content: 'The release is on Friday.' } },
    'memory POST /ingest_and_recall': { body: { content: 'The release is on Friday.' } },
    'memory PUT /memory/{id}': { body: { importance: 1 } },
    'memory POST /memory/{id}/invalidate': { body: { reason: 'It was cancelled.' } },
    'memory POST /contradictions/{id}/resolve': { body: { dismiss: true } },
    'memory POST /merge': { body: { memories: [] } },
    'memory POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    'timing GET /clock/elapsed': { query: '?since=2026-01-01T00:00:00Z' },
    'timing GET /stats/check-timeout/{task_type}': { query: '?elapsed_seconds=1&timeout_seconds=2' },
    'timing POST /stats/compare-approaches': { body: { approaches: [] } },
    'timing POST /events': { body: { event_type: 'deploy' } },
    'timing POST /events/task-start': { body: { task_type: 'build' } },
    'timing POST /events/task-end': { body: { task_type: 'build', correlation_id: 'none' } },
    'timing POST /import': { body: {} },
    'timing POST /v1/traces': { body: {} },
    'timing POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  };
  const rows = roleTable().filter(
    ({ role, path }) => role !== 'none' && path !== '/events/stream' && !path.endsWith('*'),
  );

  test.each(rows.map((row) => [`${row.service} ${row.method} ${row.path}`, row] as const))(
    '%s: the role decides here, all else the service',
    async (name, { service, method, path, role }) => {
      const { query = '', body } = REQUESTS[name] ?? {};
      const at = `${service === 'timing' ? '/timing' : ''}${path.replace(/\{[a-z_]+\}/, ID)}${query}`;
      const type = path === '/import' ? { 'Content-Type': 'application/x-ndjson' } : {};
      for (const agent of ['ro', 'ann', 'tea', 'sys'] as const) {
        const answer = await send(agent, method, at, body, type);
        const isOurs = answer.body?.code === 'role_forbids';
        expect([agent, isOurs]).toEqual([agent, !includes(AGENTS[agent], role as Role)]);
        // Things that are not there are 404, 409 or empty; nothing is misunderstood on its way.
        if (!isOurs) expect([200, 404, 409]).toContain(answer.status);
        expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
      }
    },
  );

  test('the key decides who speaks', async () => {
    const told = await send(
      'ann',
      'POST',
      '/ingest',
      { content: 'I am at the dentist on Monday.', scope: 'PRIVATE' },
      { 'X-Agent-ID': 'bob' },
    );
    expect(told.body.memory.agent_id).toBe('ann');
    const { id } = told.body.memory;
    for (const claim of [
      send('bob', 'POST', '/recall', { query: 'dentist', agent_id: 'ann' }),
      send('bob', 'POST', '/recall?agent_id=ann', { query: 'dentist' }),
      send('bob', 'GET', `/memory/${id}?agent_id=ann`),
      send('sys', 'DELETE', `/memory/${id}?agent_id=ann`),
      send('sys', 'POST', '/merge', { memories: [], agent_id: 'ann' }),
    ]) {
      const answer = await claim;
      expect([answer.status, answer.body.code]).toEqual([403, 'foreign_agent']);
      expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    }
    for (const agent of ['bob', 'tea', 'sys'] as const) {
      expect((await send(agent, 'GET', `/memory/${id}`, undefined, { 'X-Agent-ID': 'ann' })).status).toBe(404);
      expect((await send(agent, 'GET', '/memories?agent_id=ann&q=dentist')).body.memories).toEqual([]);
    }
    expect((await send('ann', 'GET', `/memory/${id}`)).status).toBe(200);
  });

  test('an ETag goes there and back, and a wrong one is refused by the service', async () => {
    const { body } = await send('ann', 'POST', '/ingest', { content: 'The build takes nine minutes.' });
    const path = `/memory/${body.memory.id}`;
    const { headers } = await send('tea', 'GET', path);
    const ok = await send('tea', 'PUT', path, { tags: ['build'] }, { 'If-Match': headers.etag });
    expect(ok.status).toBe(200);
    const stale = await send('tea', 'PUT', path, { tags: ['x'] }, { 'If-Match': headers.etag });
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
  });

  test('times are recorded for the agent of the key, pooled figures are for all, single tasks of others for administrators', async () => {
    const started = await send('ann', 'POST', '/timing/events/task-start', { task_type: 'tool:a/b' });
    const { correlation_id } = started.body;
    await send('ann', 'POST', '/timing/events/task-end', { task_type: 'tool:a/b', correlation_id });
    const pooled = await send('bob', 'GET', '/timing/stats/durations/tool%3Aa%2Fb?agent_id=*');
    expect([pooled.status, pooled.body.summary.count]).toEqual([200, 1]);
    for (const [agent, query, status] of [
      ['bob', 'agent_id=*', 403],
      ['bob', 'agent_id=ann', 403],
      ['tea', 'agent_id=*', 200],
      ['tea', 'agent_id=ann', 200],
    ] as const) {
      const answer = await send(agent, 'GET', `/timing/tasks?${query}`);
      expect([agent, query, answer.status]).toEqual([agent, query, status]);
      if (status === 200)
        expect(answer.body.tasks.some((task: { agent_id: string }) => task.agent_id === 'ann')).toBe(true);
    }
    const asOther = await send('sys', 'POST', '/timing/events?agent_id=ann', { event_type: 'deploy' });
    expect([asOther.status, asOther.body.code]).toEqual([403, 'foreign_agent']);
  });

  test('a key for one project is in it, whatever its request says in a header, and in no other', async () => {
    const headers = { Authorization: `Bearer ${await gateway.createKey('mia', 'system-admin', ['shop'])}` };
    const ask = (method: string, path: string, body?: object, more = {}) =>
      send('ann', method, path, body, { ...headers, ...more });
    const started = await ask('POST', '/timing/events/task-start', { task_type: 'sell', correlation_id: 'mia-1' });
    expect(started.body.task).toMatchObject({ agent_id: 'mia', project: 'shop' });
    const claimed = { 'X-Project': 'blog', 'X-Allowed-Projects': 'blog' };
    const again = await ask('POST', '/timing/events', { event_type: 'deploy' }, claimed);
    expect(again.body.event.project).toBe('shop');
    for (const answer of [
      await ask('GET', '/timing/tasks?project=blog'),
      await ask('GET', '/timing/tasks?project=*'),
      await ask('POST', '/timing/events', { event_type: 'deploy', project: 'blog' }),
      await ask('POST', '/timing/import?project=blog', undefined, { 'Content-Type': 'application/x-ndjson' }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'foreign_project']);
      expect(answer.headers['content-type']).toContain('application/problem+json');
    }
    const other = await send('ann', 'POST', '/timing/events/task-start', {
      task_type: 'sell',
      correlation_id: 'ann-1',
      project: 'blog',
    });
    expect(other.body.task.project).toBe('blog');
    expect((await ask('GET', '/timing/tasks/ann-1')).status).toBe(404);
    expect((await ask('GET', '/timing/export?agent_id=*')).text).not.toContain('"project":"blog"');
    // A tool of the Model Context Protocol stays in it as well.
    const tool = async (given: object) => {
      const params = { name: 'start', arguments: { task_type: 'sell', ...given } };
      return (await ask('POST', '/timing/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).text;
    };
    expect(await tool({})).toContain('"project":"shop"');
    expect(await tool({ project: 'blog' })).toContain('names another project');
  });

  test.each(['/timing/tasks', '/memories'])('a key for two projects names one of them at %s', async (path) => {
    const headers = { Authorization: `Bearer ${await gateway.createKey('noa', 'agent-rw', ['shop', 'blog'])}` };
    const status = async (project?: string) =>
      (
        await send('ann', 'GET', path, undefined, {
          ...headers,
          ...(project !== undefined && { 'X-Project': project }),
        })
      ).status;
    expect([await status('shop'), await status('blog')]).toEqual([200, 200]);
    expect([await status('other'), await status('*'), await status()]).toEqual([403, 403, 403]);
  });

  test('a key is in its space, whatever its request says, and sees nothing of others', async () => {
    const mia = { Authorization: `Bearer ${await gateway.createKey('mia', 'system-admin', [], 'team-a')}` };
    const ask = (method: string, path: string, body?: object, more = {}) =>
      send('ann', method, path, body, { ...mia, ...more });
    const said = await ask('POST', '/ingest', { content: 'The vault of team a is in the cellar.' });
    const { id } = said.body.memory;
    await ask('POST', '/timing/events/task-start', { task_type: 'dig', correlation_id: 'dig-1' });
    expect((await ask('GET', `/memory/${id}`)).status).toBe(200);
    expect((await ask('GET', `/memory/${id}?space=team-a`, undefined, { 'X-Space': 'team-a' })).status).toBe(200);
    expect((await ask('GET', '/timing/tasks/dig-1')).status).toBe(200);
    // Nobody with a key of another space, whatever their role.
    expect((await send('sys', 'GET', `/memory/${id}`)).body.code).toBe('unknown_memory');
    expect((await send('sys', 'GET', '/timing/tasks/dig-1')).status).toBe(404);
    expect((await send('sys', 'GET', '/export')).text).not.toContain('vault');
    const recall = { query: 'Where is the vault of team a?' };
    expect((await send('sys', 'POST', '/recall', recall)).text).not.toContain('cellar');
    for (const [path, headers] of [
      ['/memories?space=team-a', {}],
      ['/timing/tasks?space=team-a', {}],
      ['/health?space=team-a', {}],
      ['/memories', { 'X-Space': 'team-a' }],
      ['/timing/tasks', { 'X-Space': 'team-a' }],
    ] as const) {
      const refused = await send('sys', 'GET', path, undefined, headers);
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'foreign_space']);
      expect(refused.body.detail).toMatch(/names another space than the one of your key, which is '?default'?: /);
    }
    expect((await ask('GET', '/memories?space=default')).body.code).toBe('foreign_space');
    // A tool of the Model Context Protocol stays in it as well.
    const params = { name: 'recall', arguments: recall };
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await ask('POST', '/mcp', tool)).text).toContain('cellar');
    expect((await send('sys', 'POST', '/mcp', tool)).text).not.toContain('cellar');
  });

  test('what is exported here is taken in here, line by line, of any length', async () => {
    await send('ann', 'POST', '/ingest', { content: 'Backups are kept for 30 days.' });
    const exported = await send('tea', 'GET', '/export');
    expect(exported.headers['content-type']).toContain('application/x-ndjson');
    const lines = exported.text.split('\n').filter(Boolean).length;
    const many = exported.text.repeat(Math.ceil(1_500_000 / exported.text.length));
    const merged = await send('sys', 'POST', '/merge', many, { 'Content-Type': 'application/x-ndjson' });
    expect(merged.status).toBe(200);
    expect(merged.body.report).toMatchObject({
      added: 0,
      rejected: [],
      received: lines * (many.length / exported.text.length),
    });
    const times = await send('tea', 'GET', '/timing/export?agent_id=*');
    const again = await send('sys', 'POST', '/timing/import', times.text, { 'Content-Type': 'application/x-ndjson' });
    expect(again.body).toMatchObject({ imported: 0, rejected_count: 0 });
  });

  test.each([
    ['/timing/events/stream', '/timing/events', { event_type: 'deployed-now' }, 'event: timing'],
    ['/events/stream', '/ingest', { content: 'The deployment is done.' }, 'event: added'],
  ])('%s tells what happens as it happens', async (path, at, body, told) => {
    const stream = request({
      host: '127.0.0.1',
      port: gateway.plainPort,
      path,
      headers: bearer('bob'),
      agent: false,
    });
    stream.end();
    const [answer] = (await once(stream, 'response')) as [IncomingMessage];
    expect(answer.headers['content-type']).toContain('text/event-stream');
    const pieces = answer.setEncoding('utf8')[Symbol.asyncIterator]();
    let text = (await pieces.next()).value as string;
    expect((await send('bob', 'POST', at, body)).status).toBe(200);
    while (!text.includes(told)) {
      const piece = await pieces.next();
      expect(piece.done).toBe(false);
      text += piece.value;
    }
    stream.destroy();
  });

  test('one request id goes through all of it', async () => {
    const answer = await send('ann', 'GET', '/memory/none', undefined, { 'X-Request-ID': 'trace-1' });
    expect([answer.body.code, answer.body.request_id, answer.headers['x-request-id']]).toEqual([
      'unknown_memory',
      'trace-1',
      'trace-1',
    ]);
  });

  test('a name of its own and pages elsewhere are no matter to the services, and no other page may load an answer', async () => {
    const told = { Host: 'memory.example.org', Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await send('ann', 'POST', '/ingest', { content: 'The kettle is blue.' }, told);
    // Twice would mean nothing to a browser.
    expect([answer.status, answer.headers['cross-origin-resource-policy']]).toEqual([200, 'same-origin']);
  });
});
