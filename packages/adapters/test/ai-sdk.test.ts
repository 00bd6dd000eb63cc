import { memoryClient } from '@agent-faculties/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateText, type LanguageModel, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { faultyServer, problem } from '../../client/test/faulty-server.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import { aiSdkTools, type MemoryMiddlewareOptions, memoryMiddleware } from '../src/ai-sdk.ts';
import { facultyTools } from '../src/index.ts';

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Content = Generated['content'];
type Part = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

let services: LiveServices;
let agents = 0;
beforeAll(async () => {
  services = await startLiveServices();
});
afterAll(() => services.close());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that says these things, one a call. */
function scripted(...answers: Content[]): MockLanguageModelV3 {
  let turn = 0;
  const answer = () => {
    const content = answers[turn++] ?? [];
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] } as Generated;
  };
  return new MockLanguageModelV3({
    doGenerate: async () => answer(),
    doStream: async () => {
      const { content, finishReason } = answer();
      const chunks = content.flatMap((part, index): Part[] => {
        const id = String(index);
        if (part.type !== 'text') return [part as Part];
        const [half, rest] = [part.text.slice(0, 5), part.text.slice(5)];
        return [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: half },
          { type: 'text-delta', id, delta: rest },
          { type: 'text-end', id },
        ];
      });
      return { stream: simulateReadableStream<Part>({ chunks: [...chunks, { type: 'finish', finishReason, usage }] }) };
    },
  });
}

/** An agent of its own, whose memories are PRIVATE, so that one test hears nothing of another. */
function setUp(model: MockLanguageModelV3, options: MemoryMiddlewareOptions = {}) {
  const client = memoryClient({ url: services.memoryUrl, agentId: `sdk-${++agents}` });
  const recall = { scope: 'PRIVATE' as const, ...options.recall };
  const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(client, { ...options, recall }) });
  const said = async () =>
    (await client.listMemories({ scope: 'PRIVATE' })).memories.map(({ role, content }) => `${role}: ${content}`).sort();
  return { client, wrapped, said };
}

const fact = 'The release train leaves on Thursday at noon.';
const question = 'When does the release train leave?';
const text = (words: string) => [{ type: 'text' as const, text: words }];
const ask = (model: LanguageModel, prompt = question) => generateText({ model, prompt });

describe('the middleware', () => {
  test('puts what is known before the question, and keeps the question and the answer', async () => {
    const model = scripted(text('Noted.'), text('On Thursday.'));
    const { wrapped, said } = setUp(model);
    await ask(wrapped, fact);
    expect((await ask(wrapped)).text).toBe('On Thursday.');
    const [first, second] = model.doGenerateCalls.map(({ prompt }) => prompt);
    expect(first).toEqual([{ role: 'user', content: text(fact), providerOptions: undefined }]);
    expect(second).toEqual([
      expect.objectContaining({
        role: 'user',
        content: [
          { type: 'text', text: expect.stringMatching(/^<remembered [\s\S]*Thursday at noon\.[\s\S]*<\/remembered>$/) },
          ...text(question),
        ],
      }),
    ]);
    expect(await said()).toEqual([
      'assistant: Noted.',
      'assistant: On Thursday.',
      `user: ${fact}`,
      `user: ${question}`,
    ]);
  });

  test('does the same for a stream, which comes as it is', async () => {
    const model = scripted(text('Noted.'), text('It leaves on Thursday.'));
    const { wrapped, said } = setUp(model);
    await ask(wrapped, fact);
    const { textStream } = streamText({ model: wrapped, prompt: question });
    const deltas: string[] = [];
    for await (const delta of textStream) deltas.push(delta);
    expect(deltas).toEqual(['It le', 'aves on Thursday.']);
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('Thursday at noon');
    expect(await said()).toContain('assistant: It leaves on Thursday.');
  });

  test('puts it to the system message where that is wanted', async () => {
    const model = scripted(text('Noted.'), text('a'), text('b'));
    const { wrapped } = setUp(model, { place: 'system' });
    await ask(wrapped, fact);
    await ask(wrapped);
    await generateText({ model: wrapped, system: 'Be short.', prompt: question });
    const [, without, with_] = model.doGenerateCalls.map(({ prompt }) => prompt);
    expect(without?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(without?.[0]?.content).toMatch(/^<remembered /);
    expect(with_?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(with_?.[0]?.content).toMatch(/^Be short\.\n\n<remembered /);
  });

  test('takes a turn with tools for one question, and keeps its last answer alone', async () => {
    const faculties = await facultyTools({
      memoryUrl: services.memoryUrl,
      timingUrl: services.timingUrl,
      agentId: 'tools',
    });
    const call = (toolName: string, input: object) => ({
      type: 'tool-call' as const,
      toolCallId: toolName,
      toolName,
      input: JSON.stringify(input),
    });
    const model = scripted(
      text('Noted.'),
      [...text('Let me see.'), call('timing_now', {})],
      [call('memory_get', { id: 'none' })],
      text('On Thursday.'),
    );
    const { wrapped, said, client } = setUp(model);
    await ask(wrapped, fact);
    const { steps } = await generateText({
      model: wrapped,
      prompt: question,
      tools: aiSdkTools(faculties),
      stopWhen: stepCountIs(5),
    });
    expect(steps.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ['text', 'tool-call', 'tool-result'],
      ['tool-call', 'tool-error'],
      ['text'],
    ]);
    expect(JSON.stringify(steps[0]?.toolResults)).toContain('It is 2026-11-21T09:30:00');
    expect(JSON.stringify(model.doGenerateCalls[3]?.prompt)).toMatch(/error-text.*unknown_memory/);
    // Each step had the context, and one of them stored the question.
    for (const { prompt } of model.doGenerateCalls.slice(1))
      expect(JSON.stringify(prompt)).toContain('Thursday at noon');
    expect(model.doGenerateCalls[1]?.tools?.map(({ name }) => name)).toContain('memory_recall');
    expect(await said()).toEqual([
      'assistant: Noted.',
      'assistant: On Thursday.',
      `user: ${fact}`,
      `user: ${question}`,
    ]);
    const {
      memories: [asked],
    } = await client.listMemories({ scope: 'PRIVATE', q: question });
    expect(asked?.recall_count).toBe(0);
  });

  test('only reads where it is told not to store', async () => {
    const model = scripted(text('a'));
    const { wrapped, said, client } = setUp(model, { store: false });
    await client.ingest({ role: 'user', content: fact, scope: 'PRIVATE' });
    await ask(wrapped);
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('Thursday at noon');
    expect(await said()).toEqual([`user: ${fact}`]);
  });

  test('leaves the model alone where memory-service is away, and says so', async () => {
    const server = await faultyServer();
    server.will(problem(500, 'internal'), problem(500, 'internal'));
    const problems: unknown[] = [];
    const client = memoryClient({ url: server.url, maxRetries: 0 });
    const middleware = memoryMiddleware(client, { onProblem: (error) => problems.push(error) });
    const model = scripted(text('Hello.'), text('Streamed.'));
    const wrapped = wrapLanguageModel({ model, middleware });
    expect((await ask(wrapped)).text).toBe('Hello.');
    await server.close();
    expect(await streamText({ model: wrapped, prompt: question }).text).toBe('Streamed.');
    expect(problems.map(String)).toEqual([
      expect.stringMatching(/500/),
      expect.stringMatching(/500/),
      expect.stringMatching(/cannot be reached/),
      expect.stringMatching(/cannot be reached/),
    ]);
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).not.toContain('remembered');
  });
});
