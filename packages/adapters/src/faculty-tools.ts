import type { FunctionTool, JsonSchema, RunTool, ToolResult } from './function-tool.ts';
import { type McpAddress, McpError, mcpCall } from './mcp-call.ts';
import {
  type AnthropicBlock,
  type AnthropicTool,
  type AnthropicToolResult,
  answerAnthropic,
  answerGemini,
  answerOpenAi,
  answerOpenAiResponses,
  anthropicTool,
  type GeminiPart,
  type GeminiResponsePart,
  type GeminiTool,
  geminiTool,
  type OpenAiResponseItem,
  type OpenAiResponsesOutput,
  type OpenAiResponsesTool,
  type OpenAiTool,
  type OpenAiToolCall,
  type OpenAiToolMessage,
  openAiResponsesTool,
  openAiTool,
} from './provider-forms.ts';

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
  readonly run: RunTool;
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
/** A tool by which a service is known: its gateway offers it to every role. */
const MARKS = { memory: 'recall', timing: 'expect' } as const;

interface Known extends FunctionTool {
  readonly address: McpAddress;
  /** As the service calls it. */
  readonly remoteName: string;
}

/**
 * Reads which tools the services have, so that a model hears of these tools only.
 * @throws McpError when a service cannot be reached, or something else answers at its address
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

  const run: RunTool = async (name, given, signal) => {
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
  const runner = { has: (name: string) => known.has(name), run };
  return {
    tools,
    ...runner,
    openAi: () => tools.map(openAiTool),
    openAiResponses: () => tools.map(openAiResponsesTool),
    anthropic: () => tools.map(anthropicTool),
    gemini: () => [geminiTool(tools)],
    answerOpenAi: (calls, signal) => answerOpenAi(runner, calls, signal),
    answerOpenAiResponses: (items, signal) => answerOpenAiResponses(runner, items, signal),
    answerAnthropic: (blocks, signal) => answerAnthropic(runner, blocks, signal),
    answerGemini: (parts, signal) => answerGemini(runner, parts, signal),
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
  const listed = await mcpCall(address, 'tools/list', {}, signal);
  const tools = listed.tools as { name: string; description: string; inputSchema: JsonSchema }[];
  if (!tools.some(({ name }) => name === MARKS[service])) {
    const about = `${address.url} is not ${service}-service, which has a tool ${MARKS[service]}`;
    throw new McpError(`${about}: memoryUrl and timingUrl may be exchanged.`);
  }
  return tools.map((tool) => ({
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
