import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { type LiveServices, startLiveServices } from '../../../client/test/live-services.ts';
import { freePort } from '../../../testing/src/index.ts';
import { run } from '../run-cli.ts';
import { BridgeTransport } from './bridge-transport.ts';

/** Nothing listens there: no program is given this port by chance. */
const NOBODY = 'http://127.0.0.1:65535';
let services: LiveServices;

beforeAll(async () => {
  services = await startLiveServices();
});
afterAll(() => services.close());

function clientOf(era: 'legacy' | '2026-07-28'): Client {
  const mode = era === 'legacy' ? era : { pin: era };
  return new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode } });
}

async function listenOn(port: number, app: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe.each(['legacy', '2026-07-28'] as const)('agent-faculties mcp, with the client of the SDK (%s)', (era) => {
  test('passes on who asks, and writes nothing but the protocol', async () => {
    const env = { MEMORY_URL: services.memoryUrl, AGENT_ID: 'Jörg', CLAUDE_CODE_SESSION_ID: 'session-7' };
    const transport = new BridgeTransport(['mcp', 'memory'], { env });
    const client = clientOf(era);
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('remember');
    const content = `The bridge of ${era} is made of rope.`;
    const { structuredContent } = await client.callTool({ name: 'remember', arguments: { content } });
    const { memory } = structuredContent as { memory: { id: string } };
    const read = await client.readResource({ uri: `memory://memories/${memory.id}` });
    expect(JSON.parse((read.contents.at(0) as { text: string }).text)).toMatchObject({
      gist: content,
      agent_id: 'Jörg',
      session_id: 'session-7',
    });
    await client.close();
    expect(await transport.ended).toMatchObject({ code: 0, err: '' });
    for (const line of transport.lines) expect(line).toMatch(/^\{"?.*"jsonrpc":"2\.0".*\}\n$/);
  });

  test('offers the tools of OpenTime where they are asked for', async () => {
    const transport = new BridgeTransport(['mcp', 'timing', '--tools', 'opentime', '--url', services.timingUrl]);
    const client = clientOf(era);
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(19);
    await client.close();
  });

  test('goes on when the service was started anew, and waits for it', async () => {
    const port = await freePort();
    let server = await listenOn(port, services.memory.app);
    let waits = 0;
    const pause = async () => {
      if (++waits === 2) server = await listenOn(port, services.memory.app);
    };
    const transport = new BridgeTransport(['mcp', 'memory', '--url', `http://127.0.0.1:${port}`], { pause });
    const client = clientOf(era);
    await client.connect(transport);
    await close(server);
    const { tools } = await client.listTools({}, { cacheMode: 'refresh' } as never);
    expect(tools.length).toBeGreaterThan(0);
    expect(waits).toBe(2);
    await client.close();
    await close(server);
  });

  test('waits in vain once, and then for a service that has answered again', async () => {
    let isThere = true;
    const asked: Promise<Response>[] = [];
    const fetch: typeof globalThis.fetch = (...request) => {
      if (!isThere)
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
      const answer = globalThis.fetch(...request);
      asked.push(answer);
      return answer;
    };
    let waits = 0;
    const pause = async () => void waits++;
    const transport = new BridgeTransport(['mcp', 'memory', '--url', services.memoryUrl], { fetch, pause });
    const client = clientOf(era);
    await client.connect(transport);
    const list = async () => await client.listTools({}, { cacheMode: 'refresh' } as never);
    const waited = async () => {
      waits = 0;
      await expect(list()).rejects.toThrow('memory-service does not answer');
      return waits;
    };
    await Promise.all(asked);
    isThere = false;
    expect([await waited(), await waited()]).toEqual([40, 0]);
    isThere = true;
    expect((await list()).tools.length).toBeGreaterThan(0);
    isThere = false;
    expect(await waited()).toBe(40);
    await client.close();
  });

  test('refuses the other service, whose tools a host would take for those of this one', async () => {
    const transport = new BridgeTransport(['mcp', 'timing', '--url', services.memoryUrl]);
    await expect(clientOf(era).connect(transport)).rejects.toThrow();
    await transport.close();
    expect((await transport.ended).err).toContain(
      `At ${services.memoryUrl}/mcp answers memory-service and not timing-service: say where it is with --url.`,
    );
  });

  test('says so where something else answers', async () => {
    const other = await listenOn(0, (_, res) => void res.writeHead(501).end('<html>Unsupported method</html>'));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const transport = new BridgeTransport(['mcp', 'memory', '--url', url]);
    await expect(clientOf(era).connect(transport)).rejects.toThrow();
    await transport.close();
    expect((await transport.ended).err).toContain(
      `What answers at ${url}/mcp (501) speaks no MCP: say with --url where the service is.`,
    );
    await close(other);
  });

  test('says what to do where no service answers', async () => {
    const transport = new BridgeTransport(['mcp', 'memory', '--url', NOBODY]);
    await transport.start();
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.send({ jsonrpc: '2.0', id: 'a', method: 'tools/list' });
    expect(await answered).toMatchObject({
      id: 'a',
      error: { code: -32603, message: expect.stringContaining('agent-faculties start') },
    });
    await transport.close();
    expect((await transport.ended).err).toContain('tools/list: memory-service does not answer');
  });
});

describe('agent-faculties mcp', () => {
  test('sends its key, and gives the words of a refusal back', async () => {
    const heard: unknown[] = [];
    const server = await listenOn(0, (req, res) => {
      heard.push(req.headers.authorization, req.headers['mcp-method'], req.headers['mcp-name'], req.url);
      res.writeHead(403, { 'Content-Type': 'application/problem+json' });
      res.end(JSON.stringify({ status: 403, detail: 'The role of this key is agent-ro.' }));
    });
    const { port } = server.address() as AddressInfo;
    const env = { AGENT_FACULTIES_KEY: 'k'.repeat(64) };
    const transport = new BridgeTransport(['mcp', 'timing', '--url', `http://127.0.0.1:${port}/timing/`], { env });
    await transport.start();
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'Zeit ü', _meta } });
    expect(await answered).toMatchObject({ id: 1, error: { message: 'The role of this key is agent-ro.' } });
    expect(heard).toEqual([`Bearer ${'k'.repeat(64)}`, 'tools/call', '=?base64?WmVpdCDDvA==?=', '/timing/mcp']);
    await transport.close();
    await close(server);
  });

  test.each([
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'The certificate of https://memory.example.org is not trusted (why), and nothing was sent',
    ],
    ['ENOTFOUND', 'memory-service does not answer at https://memory.example.org'],
    ['ECONNRESET', 'was lost (why). What was asked may have been done'],
  ])('says of %s whether anything was sent', async (code, words) => {
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('why'), { code }) });
    };
    const transport = new BridgeTransport(['mcp', 'memory', '--url', 'https://memory.example.org'], {
      fetch,
      pause: async () => {},
    });
    await transport.start();
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await answered).toMatchObject({ error: { message: expect.stringContaining(words) } });
    await transport.close();
  });

  test('says of a port that fetch refuses what to do', async () => {
    // 6000 is a blocked port of the standard: https://fetch.spec.whatwg.org/#port-blocking
    const transport = new BridgeTransport(['mcp', 'memory', '--url', 'http://127.0.0.1:6000']);
    await transport.start();
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await answered).toMatchObject({
      error: {
        message:
          'fetch refuses port 6000, as browsers do (bad port), and nothing was sent: give memory-service another one.',
      },
    });
    await transport.close();
  });

  test('gives a refusal that names no message to the message that was sent', async () => {
    const fetch = async () =>
      Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Too large.' } }, { status: 413 });
    const transport = new BridgeTransport(['mcp', 'memory', '--url', NOBODY], { fetch });
    await transport.start();
    transport.write('{"jsonrpc":"2.0","id":7,"method":"ping"}\n{"jsonrpc":"2.0","method":"notifications/x"}\n');
    await transport.close();
    expect(transport.lines.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'Too large.' } },
    ]);
  });

  test('answers what is no JSON, and leaves out what nobody asked', async () => {
    const transport = new BridgeTransport(['mcp', 'memory', '--url', services.memoryUrl]);
    await transport.start();
    transport.write('{"half\n\n"text"\n{"jsonrpc":"2.0","id":7,"result":{}}\n');
    await transport.close();
    expect(transport.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    ]);
  });

  test('answers what is no message: a list of them, or one without a method', async () => {
    const transport = new BridgeTransport(['mcp', 'memory', '--url', NOBODY]);
    await transport.start();
    transport.write('[{"jsonrpc":"2.0","id":7,"method":"ping"}]\n{"jsonrpc":"2.0","id":8}\n');
    await transport.close();
    expect(transport.lines.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining('one JSON-RPC message') } },
      { jsonrpc: '2.0', id: 8, error: { code: -32600, message: 'This message has no method.' } },
    ]);
  });

  test('finishes what is under way when its input ends', async () => {
    const limits: (AbortSignal | undefined)[] = [];
    const pause = (_: number, signal?: AbortSignal) => {
      limits.push(signal);
      return new Promise<void>(() => {});
    };
    const transport = new BridgeTransport(['mcp', 'memory', '--url', services.memoryUrl], { pause });
    await transport.start();
    const params = { name: 'remember', arguments: { content: 'Said at the very end.' } };
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await transport.close();
    // The time limit ends too: its timer would keep the process alive.
    expect(limits.map((signal) => signal?.aborted)).toEqual([true]);
    expect(JSON.parse(transport.lines.at(-1) as string)).toMatchObject({ id: 1, result: expect.anything() });
  });

  test.each([
    [['mcp'], 'Say which: mcp memory, or mcp timing.'],
    [['mcp', 'memory', '--tools', 'opentime'], '--tools is for timing'],
    [['mcp', 'timing', '--tools', 'all'], 'core or opentime'],
    [
      ['mcp', 'memory', '--url', 'http://127.0.0.1:65535', '--data', 'x'],
      'Write --url for a service that runs, or --data',
    ],
    [['mcp', 'memory', '--url', 'here'], '--url="here" is not an address'],
  ])('refuses %j', async (argv, message) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
