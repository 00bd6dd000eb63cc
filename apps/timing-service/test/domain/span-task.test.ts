import { describe, expect, test } from '@jest/globals';
import { type Span, taskOfSpan, taskTypeOfSpan } from '../../src/domain/span-task.ts';

const SPAN: Span = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: 'eee19b7ec3c1b173',
  name: 'execute_tool Read',
  startedMs: 1_795_253_400_123.456,
  endedMs: 1_795_253_402_623.457,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Read' },
  failure: null,
};

describe('the task type of a span', () => {
  test.each([
    [
      'a tool, by the semantic conventions',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Read' },
      'tool:Read',
    ],
    [
      'a call over MCP',
      { 'gen_ai.tool.name': 'mcp__memory__recall', 'mcp.method.name': 'tools/call' },
      'tool:mcp__memory__recall',
    ],
    ['a tool of OpenInference', { 'tool.name': 'web search' }, 'tool:web_search'],
    ['a tool of the AI SDK', { 'ai.toolCall.name': 'weather' }, 'tool:weather'],
    ['a tool of Claude Code', { tool_name: 'Bash' }, 'tool:Bash'],
    ['a model', { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'claude-opus-5' }, 'chat claude-opus-5'],
    ['an embedding', { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'bge/m3' }, 'embeddings bge/m3'],
    ['a model without an operation', { 'gen_ai.request.model': 'gpt-4o' }, 'chat gpt-4o'],
    ['a model of OpenInference', { 'llm.model_name': 'qwen3' }, 'chat qwen3'],
    [
      'an agent',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner', 'gen_ai.request.model': 'm' },
      'invoke_agent planner',
    ],
    [
      'an agent of another script',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': '规划 组' },
      'invoke_agent 规划_组',
    ],
    ['a tool of another script', { 'gen_ai.tool.name': 'Zoe\u0308\u200b sucht' }, 'tool:Zoë_sucht'],
    ['an agent without a name', { 'gen_ai.operation.name': 'invoke_agent' }, 'invoke_agent'],
  ])('%s', (_what, attributes, expected) => {
    expect(taskTypeOfSpan({ attributes })).toBe(expected);
  });

  test.each([[{}], [{ 'gen_ai.agent.name': 'planner' }], [{ 'session.id': 's' }], [{ 'gen_ai.tool.name': '' }]])(
    'is none for work that no agent did: %j',
    (attributes) => expect(taskTypeOfSpan({ attributes })).toBeNull(),
  );

  test('fits into 128 characters, whatever the names are', () => {
    // The second is a letter beyond the basic plane, of which a cut must not leave half.
    for (const long of ['x'.repeat(200), '\u{20000}'.repeat(200)])
      for (const attributes of [
        { 'gen_ai.tool.name': long },
        { 'gen_ai.operation.name': long, 'gen_ai.request.model': long },
      ])
        expect(taskTypeOfSpan({ attributes })).toMatch(/^\P{Cs}{1,128}$/u);
  });
});

describe('the task of a span', () => {
  test('has its times to the microsecond, and is known by its ids', () => {
    expect(
      taskOfSpan(
        { ...SPAN, attributes: { ...SPAN.attributes, 'session.id': 's-1' } },
        { agentId: 'ann', project: null },
      ),
    ).toEqual({
      correlationId: 'otlp-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174',
      agentId: 'ann',
      project: null,
      taskType: 'tool:Read',
      state: 'ended',
      outcome: 'ok',
      startedMs: 1_795_253_400_123.456,
      endedMs: 1_795_253_402_623.457,
      abandonedMs: null,
      durationSeconds: 2.500001,
      estimatedSeconds: null,
      metadata: {
        trace_id: '5b8efff798038103d269b633813fc60c',
        span_id: 'eee19b7ec3c1b174',
        parent_span_id: 'eee19b7ec3c1b173',
        span: 'execute_tool Read',
        session: 's-1',
      },
      endEventId: null,
    });
  });

  test.each([
    ['ok', null, undefined],
    ['error', '', undefined],
    ['error', 'File not found', 'Error'],
    ['error', '', '_OTHER'],
    ['timeout', '', 'TimeoutError'],
    ['timeout', '', 'ETIMEDOUT'],
    ['timeout', '', 'DEADLINE_EXCEEDED'],
    ['timeout', '', '504'],
    ['timeout', 'Command timed out after 2m 0s', undefined],
    // As opentelemetry-sdk 1.45 for Python tells of an exception, without an attribute.
    ['timeout', 'TimeoutError: the index did not answer', undefined],
    ['timeout', 'ReadTimeout: ', undefined],
    ['error', 'ValueError: TimeoutError: x', undefined],
    ['error', 'Timeouts are not allowed here', undefined],
    ['cancelled', '', 'AbortError'],
    ['cancelled', 'interrupted by the user', undefined],
    ['error', null, '500'],
  ])('has the outcome %s for the message %j and the error type %j', (outcome, message, type) => {
    const failure = message === null ? null : { message };
    const attributes = { ...SPAN.attributes, ...(type !== undefined && { 'error.type': type }) };
    expect(taskOfSpan({ ...SPAN, failure, attributes }, { agentId: 'ann', project: null }).outcome).toBe(outcome);
  });
});
