import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { faultyServer, problem } from '../../client/test/faulty-server.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import { type FacultyTools, facultyTools, McpError, type OpenAiToolCall } from '../src/index.ts';

let services: LiveServices;
let faculties: FacultyTools;

beforeAll(async () => {
  services = await startLiveServices();
  faculties = await facultyTools({ memoryUrl: services.memoryUrl, timingUrl: services.timingUrl, agentId: 'jürgen' });
});
afterAll(() => services.close());

describe('the tools', () => {
  test('are those that the services have, under names that say whose they are', () => {
    expect(faculties.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'memory_remember',
        'memory_recall',
        'memory_get',
        'timing_start',
        'timing_end',
        'timing_now',
      ]),
    );
    expect(faculties.has('timing_now')).toBe(true);
    expect(faculties.has('now')).toBe(false);
  });

  test('have no keyword that a provider does not know, and no name that one refuses', () => {
    expect(JSON.stringify(faculties.tools)).not.toMatch(/"(x-|\$schema)/);
    for (const { name, description, parameters } of faculties.tools) {
      // OpenAI and Anthropic: ^[a-zA-Z0-9_-]{1,64}$; Gemini: begins with a letter or underscore.
      expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      expect(description.length).toBeGreaterThan(20);
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
  });

  test('come in the form of each provider', () => {
    const [first] = faculties.tools;
    expect(faculties.openAi()[0]).toEqual({ type: 'function', function: first });
    expect(faculties.openAiResponses()[0]).toEqual({ type: 'function', ...first, strict: false });
    expect(faculties.anthropic()[0]).toEqual({
      name: first?.name,
      description: first?.description,
      input_schema: first?.parameters,
    });
    expect(faculties.gemini()).toEqual([
      {
        functionDeclarations: expect.arrayContaining([
          { name: first?.name, description: first?.description, parametersJsonSchema: first?.parameters },
        ]),
      },
    ]);
  });

  test('and its answers have the types of the SDK of Anthropic', async () => {
    const tools: Anthropic.ToolUnion[] = faculties.anthropic();
    const content: Anthropic.ToolResultBlockParam[] = await faculties.answerAnthropic(
      [] satisfies Anthropic.ContentBlock[],
    );
    expect([tools.length > 0, content]).toEqual([true, []]);
  });

  test('can be some of them, and one service alone', async () => {
    const { tools } = await facultyTools({ memoryUrl: services.memoryUrl, timingUrl: null, only: ['memory_recall'] });
    expect(tools.map(({ name }) => name)).toEqual(['memory_recall']);
    await expect(
      facultyTools({ memoryUrl: services.memoryUrl, timingUrl: null, only: ['timing_now'] }),
    ).rejects.toThrow('There is no tool timing_now: there are memory_remember, ');
    const away = facultyTools({ memoryUrl: 'http://127.0.0.1:65535', timingUrl: null });
    await expect(away).rejects.toBeInstanceOf(McpError);
    await expect(away).rejects.toThrow('/mcp cannot be reached: check the address and whether the service runs.');
  });

  test('are none where the addresses are exchanged', async () => {
    const { memoryUrl, timingUrl } = services;
    await expect(facultyTools({ memoryUrl: timingUrl, timingUrl: memoryUrl })).rejects.toThrow(
      'memoryUrl and timingUrl may be exchanged.',
    );
    await expect(facultyTools({ memoryUrl: null, timingUrl: memoryUrl })).rejects.toThrow(
      `${memoryUrl} is not timing-service`,
    );
  });
});

describe('the calls of a model', () => {
  const fact = { content: 'The release train leaves on Thursday.', source: 'user', name: 'Dana' };

  test('are answered in the form of each provider, others left alone', async () => {
    const [kept] = await faculties.answerAnthropic([
      { type: 'text' },
      { type: 'tool_use', id: 'a1', name: 'memory_remember', input: fact },
      { type: 'tool_use', id: 'a2', name: 'get_weather', input: {} },
    ]);
    expect(kept).toEqual({ type: 'tool_result', tool_use_id: 'a1', content: expect.any(String) });
    const question = JSON.stringify({ query: 'When does the release train leave?' });
    expect(
      await faculties.answerOpenAi([
        { id: 'o1', function: { name: 'memory_recall', arguments: question } },
        { id: 'o2', function: { name: 'mine', arguments: '' } },
      ]),
    ).toEqual([
      { role: 'tool', tool_call_id: 'o1', content: expect.stringMatching(/Dana \(told by jürgen\).*Thursday/) },
    ]);
    expect(await faculties.answerOpenAi(null)).toEqual([]);
    expect(
      await faculties.answerOpenAi([{ id: 'o3', type: 'custom', custom: { name: 'mine' } } as OpenAiToolCall]),
    ).toEqual([]);
    expect(await faculties.answerGemini(undefined)).toEqual([]);
    expect(
      await faculties.answerOpenAiResponses([
        { type: 'message' },
        {
          type: 'function_call',
          call_id: 'r1',
          name: 'timing_start',
          arguments: '{"task_type":"build","correlation_id":"c"}',
        },
        {
          type: 'function_call',
          call_id: 'r2',
          name: 'timing_end',
          arguments: '{"task_type":"build","correlation_id":"c"}',
        },
      ]),
    ).toEqual([
      { type: 'function_call_output', call_id: 'r1', output: expect.stringContaining('Started: build') },
      { type: 'function_call_output', call_id: 'r2', output: expect.stringContaining('build took') },
    ]);
    expect(await faculties.answerGemini([{}, { functionCall: { id: 'g1', name: 'timing_now', args: {} } }])).toEqual([
      {
        functionResponse: {
          id: 'g1',
          name: 'timing_now',
          response: { output: expect.stringContaining('It is 2026-11-21T09:30:00') },
        },
      },
    ]);
  });

  test('give data too', async () => {
    const { data, isError } = await faculties.run('timing_now', undefined);
    expect([data, isError]).toEqual([expect.objectContaining({ now: '2026-11-21T09:30:00.123456+00:00' }), false]);
  });

  test.each<[string, string, unknown, RegExp]>([
    [
      'a name that there is not',
      'memory_forget_all',
      {},
      /^There is no tool memory_forget_all: there are memory_remember, /,
    ],
    ['arguments that are no JSON', 'memory_recall', '{"query"', /must be a JSON object/],
    ['arguments that are a list', 'memory_recall', [], /must be a JSON object/],
    ['arguments that do not fit', 'memory_recall', { q: 'x' }, /query/],
    ['a memory that is not there', 'memory_get', { id: 'none' }, /unknown_memory/],
  ])('are told what to do for %s, and nothing is thrown', async (_, name, given, words) => {
    expect(await faculties.run(name, given)).toEqual({ text: expect.stringMatching(words), data: null, isError: true });
  });

  test('hold what was said with any line break in it', async () => {
    await faculties.run('memory_remember', { content: 'The crane\u2028data: comes\u0085on Friday.' });
    expect(await faculties.run('memory_recall', { query: 'When does the crane come?' })).toMatchObject({
      text: expect.stringContaining('on Friday'),
      isError: false,
    });
  });

  test('are told that a service is away or answers otherwise', async () => {
    const server = await faultyServer();
    const listed = {
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          tools: ['expect', 'now'].map((name) => ({ name, description: 'x', inputSchema: { type: 'object' } })),
        },
      },
    };
    server.will(listed);
    const tools = await facultyTools({ memoryUrl: null, timingUrl: server.url, key: 'k', project: 'zürich' });
    expect(server.seen[0]).toMatchObject({
      url: '/mcp',
      headers: { authorization: 'Bearer k', 'x-project': expect.any(String) },
    });
    expect(Buffer.from(String(server.seen[0]?.headers['x-project']), 'latin1').toString()).toBe('zürich');
    const asked = async () => (await tools.run('timing_now', {})).text;
    server.will(problem(403, 'forbidden'));
    expect(await asked()).toBe(`${server.url}/mcp answered 403: Do this.`);
    server.will({ body: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Broken.' } } });
    expect(await asked()).toBe('Broken.');
    server.will({ body: '<html>' });
    expect(await asked()).toMatch(/does not answer as one of the services/);
    server.will('cut');
    expect(await asked()).toMatch(/cannot be reached: go on without it/);
    await server.close();
    expect(await tools.answerAnthropic([{ type: 'tool_use', id: 'a', name: 'timing_now' }])).toMatchObject([
      { is_error: true },
    ]);
  });

  test('end with their signal', async () => {
    const reason = new Error('enough');
    await expect(faculties.run('timing_now', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
