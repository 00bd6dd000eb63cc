import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { emptyStore } from '../../../apps/memory-service/test/start-service.ts';
import { type ChatMessage, type MemoryClient, memoryClient } from '../src/index.ts';
import { type LiveServices, startLiveServices } from './live-services.ts';

let services: LiveServices;
let memory: MemoryClient;
let problems: unknown[];

beforeAll(async () => {
  services = await startLiveServices();
});
beforeEach(async () => {
  problems = [];
  memory = memoryClient({
    url: services.memoryUrl,
    agentId: 'coder',
    sessionId: 's',
    onProblem: (error) => problems.push(error),
  });
  await emptyStore(services.memory);
  await memory.ingest(
    { role: 'user', name: 'Dana', content: 'The staging database is db-7, and it is wiped every Sunday night.' },
    { agentId: 'planner' },
  );
});
afterAll(() => services.close());

const QUESTION = 'When is the staging database wiped?';
const contents = async () => {
  const { memories } = await memory.listMemories();
  return memories.map(({ role, content }) => [role, content]);
};

describe('around', () => {
  test('puts what is known before the question, and stores the question and the answer', async () => {
    const history = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: QUESTION },
    ];
    const reply = await memory.around(history, (messages, { context, memories }) => {
      expect(context).toMatch(/^<remembered .*db-7.*<\/remembered>$/s);
      expect(memories[0]?.name).toBe('Dana');
      expect(messages).toEqual([history[0], { role: 'system', content: context }, history[1]]);
      return 'Every Sunday night.';
    });
    expect(reply).toBe('Every Sunday night.');
    expect(history).toHaveLength(2);
    expect(await contents()).toEqual([
      ['assistant', 'Every Sunday night.'],
      ['user', QUESTION],
      ['user', expect.stringContaining('db-7')],
    ]);
  });

  test('refuses a place that there is not, and calls nothing', async () => {
    const place = 'top' as 'user';
    const asked = memory.around([{ role: 'user', content: QUESTION }], () => Promise.reject(new Error('called')), {
      place,
    });
    await expect(asked).rejects.toThrow(new TypeError("place must be 'system' or 'user', and is \"top\"."));
  });

  test('can put it into the message of the user, text or parts', async () => {
    const texts: unknown[] = [];
    const ask = (content: unknown) =>
      memory.around([{ role: 'user', content }], ([message]) => void texts.push(message?.content), { place: 'user' });
    await ask(QUESTION);
    await ask([
      { type: 'text', text: QUESTION },
      { type: 'image', data: '...' },
    ]);
    expect(texts[0]).toMatch(new RegExp(`^<remembered .*</remembered>\n\n${QUESTION.replace('?', '\\?')}$`, 's'));
    expect(texts[1]).toEqual([
      { type: 'text', text: expect.stringContaining('db-7') },
      { type: 'text', text: QUESTION },
      { type: 'image', data: '...' },
    ]);
  });

  test.each<[string, unknown]>([
    ['Vercel AI SDK and Gemini', { text: 'Sundays.' }],
    ['Anthropic', { content: [{ type: 'text', text: 'Sundays.' }] }],
    ['OpenAI responses', { output_text: 'Sundays.' }],
    ['OpenAI chat completions', { choices: [{ index: 0, message: { role: 'assistant', content: 'Sundays.' } }] }],
    [
      'OpenAI responses over HTTP',
      {
        output: [
          { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'The user asks for a day.' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sundays.' }] },
        ],
        text: { format: { type: 'text' } },
      },
    ],
    [
      'Gemini over HTTP',
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'A day?', thought: true }, { text: 'Sundays.' }] } }],
      },
    ],
    [
      'Vercel AI SDK without structured output',
      {
        text: 'Sundays.',
        get output(): never {
          throw new Error('No output specified');
        },
      },
    ],
    ['a chat message', { role: 'assistant', content: 'Sundays.' }],
  ])('finds the text in an answer of %s', async (_, answer) => {
    expect(await memory.around([{ role: 'user', content: QUESTION }], () => answer)).toBe(answer);
    expect((await contents())[0]).toEqual(['assistant', 'Sundays.']);
  });

  test('stores what textOf says, and nothing for null', async () => {
    const ask = (textOf: () => string | null) =>
      memory.around([{ role: 'user', content: QUESTION }], () => 1, { textOf });
    await ask(() => null);
    expect(await contents()).toHaveLength(2);
    await ask(() => 'Spoken.');
    expect((await contents())[0]).toEqual(['assistant', 'Spoken.']);
  });

  test('stores nothing of a completion that only calls tools, nor of one that was blocked', async () => {
    for (const answer of [
      { choices: [{ message: { content: null } }] },
      { output: [{ type: 'function_call', name: 'search', arguments: '{}' }] },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'search' } }] } }] },
      { candidates: [{ finishReason: 'SAFETY' }] },
      { promptFeedback: { blockReason: 'SAFETY' } },
    ])
      await memory.around([{ role: 'user', content: QUESTION }], () => answer);
    expect(await contents()).toHaveLength(2);
  });

  test('asks the model all the same where the service is away', async () => {
    const away = memoryClient({
      url: 'http://127.0.0.1:65535',
      onProblem: (error) => problems.push(error),
      runtime: { sleep: async () => {} },
    });
    const messages: readonly ChatMessage[] = [{ role: 'user', content: QUESTION }];
    expect(await away.around(messages, (given) => given)).toEqual(messages);
    expect(problems).toEqual([expect.objectContaining({ name: 'ConnectionError' })]);
    await away.around(messages, () => 'An answer.');
    expect(problems).toHaveLength(3);
  });

  test('throws on what the model throws; what was asked stays known', async () => {
    const fault = new Error('overloaded');
    const call = memory.around([{ role: 'user', content: QUESTION }], () => {
      throw fault;
    });
    await expect(call).rejects.toBe(fault);
    expect(await contents()).toHaveLength(2);
  });

  test('sends nothing where nobody asks', async () => {
    expect(await memory.around([{ role: 'system', content: 'Be short.' }], () => '')).toBe('');
    expect(await contents()).toHaveLength(1);
  });

  test('waits no longer for the memory where the limit of the call is undefined', async () => {
    const limits: number[] = [];
    const timeout = (milliseconds: number) => {
      limits.push(milliseconds);
      return new AbortController().signal;
    };
    const watched = memoryClient({ url: services.memoryUrl, runtime: { timeout } });
    await watched.around([{ role: 'user', content: QUESTION }], () => 'On Sundays.', { timeoutMs: undefined });
    expect(limits).toEqual([5_000, 5_000]);
  });
});
