import type { FunctionTool, JsonSchema, ToolRunner } from './function-tool.ts';

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
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: FunctionTool;
}
export interface OpenAiResponsesTool extends FunctionTool {
  readonly type: 'function';
  readonly strict: false;
}
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}
export interface GeminiTool {
  readonly functionDeclarations: { name: string; description: string; parametersJsonSchema: JsonSchema }[];
}
export interface OpenAiToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}
export interface OpenAiResponsesOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}
export interface GeminiResponsePart {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: Record<string, unknown>;
  };
}

/** For chat completions. */
export function openAiTool(tool: FunctionTool): OpenAiTool {
  return { type: 'function', function: tool };
}

export function answerOpenAi(
  { has, run }: ToolRunner,
  calls: readonly OpenAiToolCall[] | null | undefined,
  signal?: AbortSignal,
): Promise<OpenAiToolMessage[]> {
  return each(
    (calls ?? []).flatMap(({ id, function: called }) => (called && has(called.name) ? [{ id, ...called }] : [])),
    async ({ id, name, arguments: given }) => ({
      role: 'tool',
      tool_call_id: id,
      content: (await run(name, given, signal)).text,
    }),
  );
}

/** For responses. */
export function openAiResponsesTool(tool: FunctionTool): OpenAiResponsesTool {
  return { type: 'function', ...tool, strict: false };
}

export function answerOpenAiResponses(
  { has, run }: ToolRunner,
  items: readonly OpenAiResponseItem[],
  signal?: AbortSignal,
): Promise<OpenAiResponsesOutput[]> {
  return each(
    items.filter(({ type, name }) => type === 'function_call' && has(name as string)),
    async (item) => ({
      type: 'function_call_output',
      call_id: item.call_id as string,
      output: (await run(item.name as string, item.arguments, signal)).text,
    }),
  );
}

export function anthropicTool({ name, description, parameters }: FunctionTool): AnthropicTool {
  return { name, description, input_schema: parameters };
}

export function answerAnthropic(
  { has, run }: ToolRunner,
  blocks: readonly AnthropicBlock[],
  signal?: AbortSignal,
): Promise<AnthropicToolResult[]> {
  return each(
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
  );
}

/** One entry with all tools. */
export function geminiTool(tools: readonly FunctionTool[]): GeminiTool {
  return {
    functionDeclarations: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parametersJsonSchema: parameters,
    })),
  };
}

export function answerGemini(
  { has, run }: ToolRunner,
  parts: readonly GeminiPart[] | null | undefined,
  signal?: AbortSignal,
): Promise<GeminiResponsePart[]> {
  return each(
    (parts ?? []).flatMap(({ functionCall }) => (functionCall && has(functionCall.name ?? '') ? [functionCall] : [])),
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
  );
}

/** One after the other: a model may start a task and end it in one answer. */
async function each<Call, Answer>(calls: readonly Call[], answer: (call: Call) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const call of calls) answers.push(await answer(call));
  return answers;
}
