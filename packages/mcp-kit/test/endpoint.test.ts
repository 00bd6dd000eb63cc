import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { callTool, connectMcp, ERAS } from './mcp-client.ts';
import { startSampleService } from './sample-service.ts';

type Sample = Awaited<ReturnType<typeof startSampleService>>;

/** Put together here, so that it stands in no file. */
const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(url: string, message: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.each(ERAS)('a tool that is an operation (%s)', (era) => {
  let service: Sample;
  let client: Client;

  beforeAll(async () => {
    service = await startSampleService();
    client = await connectMcp(`${service.url}?agent_id=J%C3%B6rg`, { era, headers: { 'X-Session-ID': 's1' } });
  });
  afterAll(async () => {
    await client.close();
    await service.close();
  });

  test('has the arguments of the contract, whole and without its patterns', async () => {
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      name: 'write_note',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 8, description: 'Of the note.' },
          text: { type: 'string', minLength: 1, maxLength: 100 },
          weight: { type: 'number', minimum: 0, description: 'How heavy' },
        },
        required: ['name', 'text'],
      },
      outputSchema: { type: 'object', required: ['by'] },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(JSON.stringify(tools)).not.toMatch(/\$ref|allOf|pattern|unevaluated/);
  });

  test('calls it as who asked, in the session, under the id and the trace of the request', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const answer = await client.callTool({
      name: 'write_note',
      arguments: { name: 'a', text: 'Hello.' },
      _meta: { traceparent },
    });
    expect(answer.structuredContent).toMatchObject({ by: 'Jörg', heard: { traceparent, session: 's1' } });
    const { request_id } = (answer.structuredContent as { heard: { request_id: string } }).heard;
    const logged = service.lines.filter((line) => line.request_id === request_id);
    expect(logged.map(({ msg, route, operation }) => [msg, route ?? operation])).toEqual(
      expect.arrayContaining([
        ['audit', 'writeNote'],
        ['request', '/notes'],
        ['request', '/mcp'],
      ]),
    );
    const trace_id = '0af7651916cd43dd8448eb211c80319c';
    expect(logged.find(({ route }) => route === '/notes')).toMatchObject({ trace_id });
    expect(logged.find(({ route }) => route === '/mcp')).toMatchObject({
      mcp_method: 'tools/call',
      tool: 'write_note',
      agent: 'Jörg',
    });
  });

  test('finds each argument its place: path, query, header', async () => {
    await callTool(client, 'write_note', { name: 'b', text: 'Two.' });
    const read = await callTool(client, 'read_note', { name: 'b', line: 2, version: '"7"' });
    expect(read).toMatchObject({
      isError: false,
      text: 'Two.',
      data: { version: '"7"', heard: { line: 2, if_match: '"7"' } },
    });
  });

  test.each([null, ''])('takes %j for what is left out', async (nothing) => {
    expect((await callTool(client, 'write_note', { name: 'c', text: 'x', weight: nothing })).isError).toBe(false);
    const read = await callTool(client, 'read_note', { name: 'c', line: nothing, version: nothing });
    expect(read).toMatchObject({ isError: false, data: { heard: { line: null, if_match: null } } });
    const unsaid = await callTool(client, 'write_note', { name: 'c', text: nothing });
    expect(unsaid).toMatchObject({ isError: true, text: expect.stringMatching(/^text /) });
  });

  test.each([
    [
      'write_note',
      { name: 'Not Lower', text: '' },
      /^name must have at most 8 characters.*text must have at least 1 character\b/,
    ],
    ['write_note', { text: 'x' }, /^name is required/],
    ['read_note', {}, /^name is required/],
    ['read_note', { name: '' }, /^name is required/],
    ['read_note', { name: ['a', 'b'] }, /^name must be one plain value/],
    ['read_note', { name: 'b', line: 10 }, /^line must be <= 9/],
    ['read_note', { name: 'none' }, /^There is no note none: write it\. \(unknown_note\)$/],
    ['read_note', { name: '../mcp' }, /unknown_note/],
    ['read_note', { name: '\ud800' }, /unknown_note/],
    [
      'read_note',
      { name: 'a', agent_id: 'bob' },
      /^agent_id is unknown: read_note takes name, line, version\. \(invalid_request\)$/,
    ],
    [
      'write_note',
      { name: 'a', question: 'x' },
      /^text is missing and question is unknown: write_note takes name, text, weight/,
    ],
    ['write_note', { name: 'a', text: null, ['q'.repeat(33)]: 1 }, /^text is missing and another argument is unknown/],
    [
      'read_note',
      { name: 'a', a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
      /^a, b, c, d, e, another argument are unknown/,
    ],
    ['read_note', { name: 'bug' }, /internal_error/],
  ])('says what is wrong and what to do: %s %j', async (name, given, said) => {
    const answer = await callTool(client, name, given as Record<string, unknown>);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(said);
    expect(answer.text).not.toMatch(/body\/|query\/|path\/|a fault of the service/);
  });

  test('what is no tool, resource or prompt is an error that names what there is', async () => {
    await expect(client.callTool({ name: 'erase', arguments: {} })).rejects.toThrow(
      'There is no tool erase: take one of write_note, read_note',
    );
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow('There is no prompt none');
    await expect(client.getPrompt({ name: 'test_prompt_with_arguments', arguments: {} })).rejects.toThrow('needs arg1');
    await expect(client.readResource({ uri: 'note://none' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'other://a' })).rejects.toMatchObject({ code: -32602 });
  });

  test('counts calls by tool', async () => {
    const text = await service.metrics.registry.metrics();
    expect(text).toMatch(/agent_faculties_mcp_tool_calls_total\{tool="write_note",outcome="ok"\} [1-9]/);
    expect(text).toMatch(/agent_faculties_mcp_tool_calls_total\{tool="read_note",outcome="error"\} [1-9]/);
    expect(text).not.toContain('tool="erase"');
  });
});

describe('secrets', () => {
  let service: Sample;
  afterEach(() => service.close());

  test('in arguments are masked by the operation, and what cannot be called quotes none', async () => {
    service = await startSampleService();
    const client = await connectMcp(service.url);
    await callTool(client, 'write_note', { name: 'a', text: `key ${SECRET}` });
    expect(service.notes.get('a')?.text).toBe('key [REDACTED:github-token]');
    await client.close();
    for (const message of [
      { method: 'tools/call', params: { name: SECRET } },
      { method: 'tools/call', params: { name: 'read_note', arguments: { name: 'a', [SECRET]: 'x' } } },
      { method: 'resources/read', params: { uri: `note://${SECRET}` } },
      { method: 'prompts/get', params: { name: SECRET } },
      { method: SECRET },
    ]) {
      const { text } = await post(service.url, message);
      expect(text).not.toContain(SECRET);
    }
    expect(JSON.stringify(service.lines)).not.toContain(SECRET);
  });

  test('are refused where the service refuses them, and nothing is written', async () => {
    service = await startSampleService({ redact: 'block' });
    const client = await connectMcp(service.url);
    const answer = await callTool(client, 'write_note', { name: 'a', text: `key ${SECRET}` });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('(secret_found)') });
    expect(service.notes.size).toBe(0);
    await client.close();
  });
});

const FIRST_FIELDS =
  'protocolVersion must be a text, such as "2025-11-25"; body/params/capabilities must be an object, such as {}; ' +
  'body/params/clientInfo must be an object, such as {"name": "my-host", "version": "1.0"}';

describe('parameters', () => {
  let service: Sample;
  beforeAll(async () => {
    service = await startSampleService();
  });
  afterAll(() => service.close());
  const send = async (method: string, params: unknown) => {
    const { status, text } = await post(
      service.url,
      { method, params },
      { Accept: 'application/json, text/event-stream' },
    );
    return { status, answer: JSON.parse(text.replace(/^event: message\ndata: /, '')) };
  };

  // What encoders of Go and PHP write for a map without entries.
  test.each([[null], [[]]])('%j stands for none, and for no arguments', async (none) => {
    const called = await send('tools/call', { name: 'write_note', arguments: none });
    expect(called.answer.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('name is required') }],
    });
    expect((await send('tools/list', none)).answer.result.tools).toEqual(expect.arrayContaining([expect.any(Object)]));
    expect((await send('ping', none)).answer.result).toEqual({});
  });

  test.each([
    [
      'tools/call',
      { name: 'read_note', arguments: ['a'] },
      'arguments must be an object, with a field for each argument',
    ],
    [
      'tools/call',
      { name: 'read_note', arguments: 'a' },
      'arguments must be an object, with a field for each argument',
    ],
    ['tools/call', { name: 5 }, 'name must be a text'],
    ['tools/call', null, 'name must be a text'],
    ['prompts/get', {}, 'name must be a text'],
    ['resources/read', { name: 'a' }, 'uri must be a text'],
    ['tools/list', { cursor: 5 }, 'cursor must be a text'],
    ['tools/call', { name: 'read_note', task: 3 }, 'task must be an object'],
    ['prompts/get', { name: 'a', arguments: { b: 1 } }, 'arguments/b must be a text'],
    [
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: { roots: 5 }, clientInfo: { name: 'a', version: '1', icons: 3 } },
      'capabilities/roots must be an object; body/params/clientInfo/icons must be a list',
    ],
    ...[undefined, {}, null].map((params) => ['initialize', params, FIRST_FIELDS] as const),
  ])('of another form are told in words: %s %j', async (method, params, said) => {
    const { status, answer } = await send(method, params);
    const error = {
      code: -32602,
      message: `body/params/${said}.`,
      data: expect.objectContaining({ code: 'invalid_input' }),
    };
    expect([status, answer]).toEqual([200, { jsonrpc: '2.0', id: 1, error }]);
  });
});

test('parameters of another form are told in words in the revision of 2026 too, which has no initialize', async () => {
  const service = await startSampleService();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
  };
  const send = async (method: string, params: object) => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
    return JSON.parse((await post(service.url, { method, params: { ...params, _meta } }, headers)).text).error;
  };
  expect(await send('tools/list', { cursor: 5 })).toMatchObject({
    code: -32602,
    message: 'body/params/cursor must be a text.',
  });
  expect((await send('initialize', {})).code).toBe(-32601);
  await service.close();
});

test('a message to the address without /mcp is told where to go', async () => {
  const service = await startSampleService();
  const { status, text } = await post(service.url.replace(/mcp$/, ''), { method: 'initialize', params: {} });
  expect([status, JSON.parse(text).detail]).toEqual([404, expect.stringContaining('hosts of MCP ask at /mcp.')]);
  await service.close();
});

test('an argument that is too long is told to the model, and a parameter of another method to the host', async () => {
  const service = await startSampleService({ bodyLimitBytes: 1024 * 1024 });
  const client = await connectMcp(service.url);
  const long = 'x'.repeat(200_001);
  const tooLong = 'has more than 200000 characters: send it in parts. (invalid_input)';
  for (const [tool, given, said] of [
    ['write_note', { name: 'a', text: long }, `text ${tooLong}`],
    ['read_note', { name: long }, `name ${tooLong}`],
  ] as const)
    expect(await callTool(client, tool, given)).toMatchObject({ isError: true, text: said });
  const named = { name: 'test_prompt_with_arguments', arguments: { arg1: long, arg2: 'b' } };
  await expect(client.getPrompt(named)).rejects.toMatchObject({ code: -32602 });
  await client.close();
  await service.close();
});

describe('roles', () => {
  let service: Sample;
  beforeEach(async () => {
    service = await startSampleService({ trusted: true });
  });
  afterEach(() => service.close());

  test('a tool is offered to and done for the roles alone that may do what it calls', async () => {
    const headers = { 'X-Agent-ID': 'ann', 'X-Role': 'agent-ro' };
    const reader = await connectMcp(service.url, { headers });
    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('write_note');
    const refused = await callTool(reader, 'write_note', { name: 'a', text: 'x' });
    expect(refused.text).toMatch(/^The role of this key is agent-ro, and write_note takes agent-rw/);
    expect(service.notes.size).toBe(0);
    const writer = await connectMcp(service.url, { headers: { ...headers, 'X-Role': 'agent-rw' } });
    expect((await callTool(writer, 'write_note', { name: 'a', text: 'x' })).isError).toBe(false);
    await reader.close();
    await writer.close();
  });

  test.each([[undefined], ['root'], ['']])('who has the role %j may nothing', async (role) => {
    const headers = { 'X-Agent-ID': 'ann', ...(role !== undefined && { 'X-Role': role }) };
    const listed = await post(service.url, { method: 'tools/list' }, headers);
    expect(listed.text).toContain('"tools":[]');
    const call = { method: 'tools/call', params: { name: 'read_note', arguments: { name: 'a' } } };
    expect((await post(service.url, call, headers)).text).toContain('role_forbids');
  });

  test('who comes past the gateway is 401, and another agent is 403', async () => {
    expect((await post(service.url, { method: 'ping' })).status).toBe(401);
    const headers = { 'X-Agent-ID': 'ann', 'X-Role': 'system-admin' };
    expect((await post(`${service.url}?agent_id=bob`, { method: 'ping' }, headers)).status).toBe(403);
  });
});

test('a client that listens for changes is let go when the service stops', async () => {
  const service = await startSampleService();
  const client = await connectMcp(service.url);
  const subscription = await client.listen({ toolsListChanged: true });
  service.endStreams();
  expect(await subscription.closed).toBeDefined();
  await client.close();
  await service.close();
});

describe('what is no message', () => {
  let service: Sample;
  beforeAll(async () => {
    service = await startSampleService();
  });
  afterAll(() => service.close());

  const send = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body };
    const answer = await fetch(service.url, sent as RequestInit);
    return { status: answer.status, type: answer.headers.get('Content-Type'), body: JSON.parse(await answer.text()) };
  };
  const ping = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping', params });

  // Codes: JSON-RPC 2.0, 5.1, and -32000 as the SDK has it for what HTTP refuses.
  test.each([
    ['what is no JSON', '{"jsonrpc": "2.0", ', {}, 400, -32700, null, 'malformed_json'],
    ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, -32700, null, 'malformed_json'],
    ['a batch', `[${ping({})}, ${ping({})}]`, {}, 400, -32600, null, 'invalid_request'],
    ['an empty batch', '[]', {}, 400, -32600, null, 'invalid_request'],
    ['a number out of range', ping({ n: 0 }).replace('0}', '1e999}'), {}, 200, -32602, 'p', 'invalid_request'],
    ['an integer not kept', ping({ n: 0 }).replace('0}', '9007199254740993}'), {}, 200, -32602, 'p', 'invalid_request'],
    ['too many fields', ping({ _meta: Array.from({ length: 5_001 }, () => 0) }), {}, 400, -32600, 'p', 'invalid_input'],
    ['too much', ping({ text: 'x'.repeat(70_000) }), {}, 413, -32000, null, 'payload_too_large'],
    ['another type', ping({}), { 'Content-Type': 'text/plain' }, 415, -32000, null, 'unsupported_media_type'],
    ['another encoding', ping({}), { 'Content-Encoding': 'x' }, 415, -32000, null, 'unsupported_media_type'],
  ])('is answered with an error of JSON-RPC: %s', async (_name, sent, headers, status, code, id, named) => {
    const answer = await send(sent, headers as Record<string, string>);
    expect(answer).toMatchObject({ status, type: expect.stringMatching(/^application\/json/) });
    const data = expect.objectContaining({ code: named, request_id: expect.stringMatching(/./) });
    expect(answer.body).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(/\.$/), data } });
  });

  test('says of a batch what to do', async () => {
    const { body } = await send(`[${ping({})}]`);
    expect(body.error.message).toMatch(/^The body is a list: send one JSON-RPC message in each request\./);
  });

  test.each([
    ['of the SDK', JSON.stringify({ hello: 'world' })],
    ['without a body', ''],
  ])('is 400 with an error of JSON-RPC: %s', async (_name, sent) => {
    const { status, body } = await send(sent);
    expect([status, body]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32600, message: expect.any(String) }) },
    ]);
  });

  test('a page of another site is told by a problem document, and so is a wrong query, and a wrong body elsewhere', async () => {
    expect(await send(ping({}), { Origin: 'https://evil.test' })).toMatchObject({
      status: 403,
      type: expect.stringMatching(/^application\/problem\+json/),
    });
    const address = await fetch(`${service.url}?x=1`, { method: 'POST', headers: JSON_TYPE, body: ping({}) });
    expect([address.status, await address.json()]).toEqual([422, expect.objectContaining({ code: 'invalid_request' })]);
    const elsewhere = await fetch(service.url.replace(/mcp$/, 'notes'), {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{',
    });
    expect([elsewhere.status, elsewhere.headers.get('Content-Type')]).toEqual([
      400,
      expect.stringMatching(/^application\/problem\+json/),
    ]);
  });

  test('GET and DELETE, which sessions were for, are 405', async () => {
    for (const method of ['GET', 'DELETE']) expect((await fetch(service.url, { method })).status).toBe(405);
  });

  test('another name of this machine is 421', async () => {
    const { request } = await import('node:http');
    const { hostname, port, pathname } = new URL(service.url);
    const status = await new Promise((resolve) => {
      const options = { hostname, port, path: pathname, method: 'POST', headers: { Host: 'evil.test' } };
      request(options, ({ statusCode }) => resolve(statusCode)).end('{}');
    });
    expect(status).toBe(421);
  });
});
