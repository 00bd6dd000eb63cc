// The middleware and the tools with the version of `ai` that is installed here.
import { deepStrictEqual, match } from 'node:assert/strict';
import { facultyTools } from '@agent-faculties/adapters';
import { aiSdkTools, memoryMiddleware } from '@agent-faculties/adapters/ai-sdk';
import { memoryClient } from '@agent-faculties/client';
import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai';

const { MEMORY_URL: url, TIMING_URL: timingUrl } = process.env;
const FACT = 'The release train leaves on Thursday at noon.';
const QUESTION = 'When does the release train leave?';

const mocks = await import('ai/test');
/** Each version of the interface of models has a mock of its own. */
const version = Math.max(...Object.keys(mocks).flatMap((name) => /^MockLanguageModelV(\d)$/.exec(name)?.[1] ?? []));
const Mock = mocks[`MockLanguageModelV${version}`];
const usage =
  version === 2
    ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    : { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

function scripted(...answers) {
  const next = () => {
    const content = answers.shift();
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return { content, finishReason: version === 2 ? unified : { unified, raw: undefined }, usage, warnings: [] };
  };
  return new Mock({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next();
      const chunks = content.flatMap(({ text }) => [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: text },
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage },
      ]);
      return { stream: mocks.simulateReadableStream({ chunks }) };
    },
  });
}

const said = (text) => [{ type: 'text', text }];
const faculties = await facultyTools({ memoryUrl: url, timingUrl, agentId: 'tools' });
const agentId = `ai-v${version}`;
const memory = memoryClient({ url, agentId });
const model = scripted(
  said('Noted.'),
  [{ type: 'tool-call', toolCallId: '1', toolName: 'timing_now', input: '{}' }],
  [{ type: 'tool-call', toolCallId: '2', toolName: 'memory_get', input: '{"id":"none"}' }],
  said('On Thursday.'),
  said('At noon.'),
);
const remembering = wrapLanguageModel({
  model,
  middleware: memoryMiddleware(memory, { recall: { scope: 'PRIVATE' } }),
});
await generateText({ model: remembering, prompt: FACT });
const tools = aiSdkTools(faculties);
const { text, steps } = await generateText({ model: remembering, prompt: QUESTION, tools, stopWhen: stepCountIs(5) });
deepStrictEqual([text, steps.length], ['On Thursday.', 3]);
const last = JSON.stringify(model.doGenerateCalls.at(-1).prompt);
match(last, /<remembered .*Thursday at noon/);
match(last, /It is 20\d\d-/);
match(last, /unknown_memory/);
const streamed = streamText({ model: remembering, prompt: 'At what time on Thursday does it leave?' });
deepStrictEqual(await streamed.text, 'At noon.');
const { memories } = await memory.listMemories({ agent_id: agentId, scope: 'PRIVATE' });
deepStrictEqual(
  memories
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content)
    .sort(),
  ['At noon.', 'Noted.', 'On Thursday.'],
);
console.log(`ai with models of version ${version} on Node ${process.versions.node}`);
