import { type McpAddress, McpError, mcpCall } from './mcp-call.ts';

/** Of an object. */
export interface JsonSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

export interface FacultyToolsOptions {
  /** Default http://127.0.0.1:7832; null leaves the memory out. */
  readonly memoryUrl?: string | URL | null | undefined;
  /** Default http://127.0.0.1:8080; null leaves the timing out. */
  readonly timingUrl?: string | URL | null | undefined;
  /** The agent that asks; without it, the default of the services or the owner of the key. */
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The project that is worked in; none unless given. */
  readonly project?: string | undefined;
  /** The tenant, which no request looks beyond. */
  readonly space?: string | undefined;
  /** For a gateway in front of the services. */
  readonly key?: string | undefined;
  /** Only tools of these names, such as memory_recall. */
  readonly only?: readonly string[] | undefined;
  /** For one call of a tool. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** One tool, in no provider's form. */
export interface FunctionTool {
  /** memory_recall, timing_expect ... */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ToolResult {
  /** For the model. */
  readonly text: string;
  /** The same as data; null for an error. */
  readonly data: unknown;
  readonly isError: boolean;
}

/** A call in an answer of OpenAI's chat completions; one of a custom tool has no function. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** An item in an answer of OpenAI's responses. */
export interface OpenAiResponseItem {
  readonly type: string;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** A block in an answer of Anthropic's messages. */
export interface AnthropicBlock {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

/** A part in an answer of Gemini. */
export interface GeminiPart {
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
}

// The forms of the providers, so that their SDKs take them with their own types.
interface OpenAiTool {
  readonly type: 'function';
  readonly function: FunctionTool;
}
interface OpenAiResponsesTool extends FunctionTool {
  readonly type: 'function';
  readonly strict: false;
}
interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}
interface GeminiTool {
  readonly functionDeclarations: { name: string; description: string; parametersJsonSchema: JsonSchema }[];
}
interface OpenAiToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}
interface OpenAiResponsesOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}
interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}
interface GeminiResponsePart {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: Record<string, unknown>;
  };
}

/** Tools of both services, in the forms of the providers, and what runs the calls of a model. */
export interface FacultyTools {
  readonly tools: readonly FunctionTool[];
  /** For `tools` of chat completions. */
  readonly openAi: () => OpenAiTool[];
  /** For `tools` of responses. */
  readonly openAiResponses: () => OpenAiResponsesTool[];
  /** For `tools` of messages. */
  readonly anthropic: () => AnthropicTool[];
  /** For `config.tools`: one entry with all of them. */
  readonly gemini: () => GeminiTool[];
  /** Whether it is one of these tools, so that a program finds its own beside them. */
  readonly has: (name: string) => boolean;
  /**
   * Calls a tool. It throws for nothing but its signal: a wrong name, wrong arguments and a service that is away are results with
   * `isError`, whose text tells the model what to do.
   */
  readonly run: (name: string, given: unknown, signal?: AbortSignal) => Promise<ToolResult>;
  /** Messages of the role `tool` for those calls that are of these tools. */
  readonly answerOpenAi: (
    calls: readonly OpenAiToolCall[] | null | undefined,
    signal?: AbortSignal,
  ) => Promise<OpenAiToolMessage[]>;
  /** `function_call_output` items for those of an answer's items that call these tools. */
  readonly answerOpenAiResponses: (
    items: readonly OpenAiResponseItem[],
    signal?: AbortSignal,
  ) => Promise<OpenAiResponsesOutput[]>;
  /** `tool_result` blocks for those of an answer's blocks that call these tools. */
  readonly answerAnthropic: (blocks: readonly AnthropicBlock[], signal?: AbortSignal) => Promise<AnthropicToolResult[]>;
  /** `functionResponse` parts for those of an answer's parts that call these tools. */
  readonly answerGemini: (
    parts: readonly GeminiPart[] | null | undefined,
    signal?: AbortSignal,
  ) => Promise<GeminiResponsePart[]>;
}

const DEFAULT_URLS = { memory: 'http://127.0.0.1:7832', timing: 'http://127.0.0.1:8080' } as const;
const DEFAULT_TIMEOUT_MS = 30_000;

interface Known extends FunctionTool {
  readonly address: McpAddress;
  /** As the service calls it. */
  readonly remoteName: string;
}

/**
 * Reads which tools the services have, so that a model hears of these tools only.
 * @throws McpError when a service cannot be reached
 */
export async function facultyTools(options: FacultyToolsOptions = {}): Promise<FacultyTools> {
  const { only, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const limit = (signal?: AbortSignal) =>
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
  const lists = await Promise.all((['memory', 'timing'] as const).map((service) => toolsOf(service, options, limit())));
  const known = new Map(
    lists
      .flat()
      .filter(({ name }) => only === undefined || only.includes(name))
      .map((tool) => [tool.name, tool]),
  );
  const unknown = only?.filter((name) => !known.has(name)) ?? [];
  if (unknown.length > 0)
    throw new McpError(`There is no tool ${unknown.join(', ')}: there are ${namesOf(lists.flat())}.`);
  const tools = [...known.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));

  const run: FacultyTools['run'] = async (name, given, signal) => {
    const tool = known.get(name);
    if (!tool) return failed(`There is no tool ${name}: there are ${namesOf(tools)}.`);
    const parsed = argumentsOf(given);
    if (!parsed) return failed(`The arguments of ${name} must be a JSON object: call it again.`);
    try {
      const params = { name: tool.remoteName, arguments: parsed };
      return resultOf(await mcpCall(tool.address, 'tools/call', params, limit(signal)));
    } catch (error) {
      signal?.throwIfAborted();
      return failed(error instanceof McpError ? error.message : `${name} took too long: go on without it.`);
    }
  };
  const has = (name: string) => known.has(name);
  /** One after the other: a model may start a task and end it in one answer. */
  const each = async <Call, Answer>(calls: readonly Call[], answer: (call: Call) => Promise<Answer>) => {
    const answers: Answer[] = [];
    for (const call of calls) answers.push(await answer(call));
    return answers;
  };
  return {
    tools,
    has,
    run,
    openAi: () => tools.map((tool) => ({ type: 'function', function: tool })),
    openAiResponses: () => tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
    anthropic: () =>
      tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    gemini: () => [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
    answerOpenAi: (calls, signal) =>
      each(
        (calls ?? []).flatMap(({ id, function: called }) => (called && has(called.name) ? [{ id, ...called }] : [])),
        async ({ id, name, arguments: given }) => ({
          role: 'tool',
          tool_call_id: id,
          content: (await run(name, given, signal)).text,
        }),
      ),
    answerOpenAiResponses: (items, signal) =>
      each(
        items.filter(({ type, name }) => type === 'function_call' && has(name as string)),
        async (item) => ({
          type: 'function_call_output',
          call_id: item.call_id as string,
          output: (await run(item.name as string, item.arguments, signal)).text,
        }),
      ),
    answerAnthropic: (blocks, signal) =>
      each(
        blocks.filter(({ type, name = '' }) => type === 'tool_use' && has(name)),
        async (block) => {
          const { text, isError } = await run(block.name as string, block.input, signal);
          return {
            type: 'tool_result',
            tool_use_id: block.id as string,
            content: text,
            ...(isError && { is_error: true }),
          };
        },
      ),
    answerGemini: (parts, signal) =>
      each(
        (parts ?? []).flatMap(({ functionCall }) =>
          functionCall && has(functionCall.name ?? '') ? [functionCall] : [],
        ),
        async ({ id, name = '', args }) => {
          const { text, isError } = await run(name, args, signal);
          return {
            functionResponse: {
              ...(id !== undefined && { id }),
              name,
              response: isError ? { error: text } : { output: text },
            },
          };
        },
      ),
  };
}

async function toolsOf(
  service: 'memory' | 'timing',
  options: FacultyToolsOptions,
  signal: AbortSignal,
): Promise<Known[]> {
  const url = service === 'memory' ? options.memoryUrl : options.timingUrl;
  if (url === null) return [];
  const address = {
    url: String(url ?? DEFAULT_URLS[service]),
    headers: headersOf(options),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  };
  const { tools } = await mcpCall(address, 'tools/list', {}, signal);
  return (tools as { name: string; description: string; inputSchema: JsonSchema }[]).map((tool) => ({
    // Beside the tools of a program, `start` and `get` would say too little.
    name: `${service}_${tool.name}`,
    description: tool.description,
    parameters: withoutExtensions(tool.inputSchema),
    address,
    remoteName: tool.name,
  }));
}

function headersOf({ agentId, sessionId, project, space, key }: FacultyToolsOptions): Record<string, string> {
  // The text as bytes of UTF-8, one in each character, as fetch takes them.
  const utf8 = (value: string) => String.fromCharCode(...new TextEncoder().encode(value));
  return {
    ...(agentId !== undefined && { 'X-Agent-ID': utf8(agentId) }),
    ...(sessionId !== undefined && { 'X-Session-ID': utf8(sessionId) }),
    ...(project !== undefined && { 'X-Project': utf8(project) }),
    ...(space !== undefined && { 'X-Space': utf8(space) }),
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
}

/** Providers refuse keywords that they do not know. */
function withoutExtensions<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutExtensions) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name]) => !name.startsWith('x-') && name !== '$schema');
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutExtensions(value)])) as T;
}

/** Some providers send JSON, others a value; a tool without arguments may be called without any. */
function argumentsOf(given: unknown): Record<string, unknown> | null {
  if (given === undefined || given === null || given === '') return {};
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function resultOf({ content, structuredContent, isError }: Record<string, unknown>): ToolResult {
  const texts = (content as { type: string; text?: string }[]).flatMap(({ text }) => text ?? []);
  return {
    text: texts.join('\n'),
    data: isError === true ? null : (structuredContent ?? null),
    isError: isError === true,
  };
}

function failed(text: string): ToolResult {
  return { text, data: null, isError: true };
}

function namesOf(tools: readonly FunctionTool[]): string {
  return tools.map(({ name }) => name).join(', ');
}
