import type { MemoryClient, MemorySchemas } from '@agent-faculties/client';
import { dynamicTool, jsonSchema, type LanguageModelMiddleware, type ToolSet } from 'ai';
import type { FacultyTools } from './faculty-tools.ts';

type RecallFields = Pick<
  MemorySchemas['schemas']['MessageAndRecall'],
  'top_k' | 'max_context_chars' | 'min_trust' | 'scope' | 'tags' | 'name'
>;

export interface MemoryMiddlewareOptions {
  /** Where the context goes: before the text of the user's last message (default), or to the system message. */
  readonly place?: 'user' | 'system' | undefined;
  /** Further fields of the question that is stored and recalled for. */
  readonly recall?: RecallFields | undefined;
  /** false stores nothing. Default true: the user's message and the answer. */
  readonly store?: boolean | undefined;
  /** For one request to memory-service. Default 5,000: a person hardly notices the wait. */
  readonly timeoutMs?: number | undefined;
  /** Gets the errors that a call of the model survives; default console.warn. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
type Message = Params['prompt'][number];
type UserMessage = Extract<Message, { role: 'user' }>;

const LIMIT_MS = 5_000;
/** Questions whose context is kept for the steps that follow: conversations at one time. */
const MOST_QUESTIONS = 200;

/** The tools of both services for `generateText`, `streamText` and agents. A call that fails tells the model what to do. */
export function aiSdkTools(faculties: FacultyTools): ToolSet {
  const tools = faculties.tools.map(({ name, description, parameters }) => [
    name,
    dynamicTool({
      description,
      inputSchema: jsonSchema(parameters),
      execute: async (input, { abortSignal }) => {
        const { text, isError } = await faculties.run(name, input, abortSignal);
        if (isError) throw new Error(text);
        return text;
      },
    }),
  ]);
  return Object.fromEntries(tools) as ToolSet;
}

/**
 * For `wrapLanguageModel`: puts what is known about the user's last message before it, and stores the message and the answer to it.
 * A turn with tools is one question, whatever its number of steps. Without memory-service the model is called as it is.
 */
export function memoryMiddleware(
  client: Pick<MemoryClient, 'ingest' | 'recall' | 'ingestAndRecall'>,
  options: MemoryMiddlewareOptions = {},
): LanguageModelMiddleware {
  const { place = 'user', recall, store = true, timeoutMs = LIMIT_MS, onProblem = warn } = options;
  /** By question, what was recalled for it; the oldest first. */
  const contexts = new Map<string, string>();

  const orNothing = async <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      onProblem(error);
      return null;
    }
  };

  const contextFor = async (prompt: Params['prompt'], asked: number, signal: AbortSignal | undefined) => {
    const content = textOf((prompt[asked] as UserMessage).content);
    if (content.trim() === '') return '';
    const question = JSON.stringify([asked, content]);
    const isFirstStep = asked === prompt.length - 1;
    const known = contexts.get(question);
    if (!isFirstStep && known !== undefined) return known;
    const call = { timeoutMs, signal };
    const { name, scope, tags, ...asking } = recall ?? {};
    const answer = await orNothing(signal, () =>
      isFirstStep && store
        ? client.ingestAndRecall({ ...recall, role: 'user', content }, call)
        : client.recall({ ...asking, query: content }, call),
    );
    const context = answer?.context ?? '';
    contexts.delete(question);
    contexts.set(question, context);
    if (contexts.size > MOST_QUESTIONS) contexts.delete(contexts.keys().next().value as string);
    return context;
  };

  const keep = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    const content = texts.join('');
    if (!store || content.trim() === '') return;
    const { scope, tags } = recall ?? {};
    const message = { role: 'assistant' as const, content, ...(scope && { scope }), ...(tags && { tags }) };
    await orNothing(signal, () => client.ingest(message, { timeoutMs, signal }));
  };

  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const asked = params.prompt.findLastIndex(({ role }) => role === 'user');
      if (asked === -1) return params;
      const context = await contextFor(params.prompt, asked, params.abortSignal);
      return context === '' ? params : { ...params, prompt: withContext(params.prompt, { asked, place, context }) };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      // What is said along with a call of a tool is not the answer yet.
      const isAnswer = !result.content.some(({ type }) => type === 'tool-call');
      const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      if (isAnswer) await keep(texts, params.abortSignal);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      const texts: string[] = [];
      let isAnswer = true;
      type Part = typeof stream extends ReadableStream<infer P> ? P : never;
      const listening = new TransformStream<Part, Part>({
        transform: (part, controller) => {
          if (part.type === 'text-delta') texts.push(part.delta);
          if (part.type === 'tool-call' || part.type === 'error') isAnswer = false;
          controller.enqueue(part);
        },
        flush: async () => {
          if (isAnswer) await keep(texts, params.abortSignal);
        },
      });
      return { stream: stream.pipeThrough(listening), ...rest };
    },
  };
}

function warn(error: unknown): void {
  console.warn(String(error));
}

function textOf(content: UserMessage['content']): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function withContext(
  prompt: Params['prompt'],
  { asked, place, context }: { asked: number; place: 'user' | 'system'; context: string },
): Params['prompt'] {
  if (place === 'user') {
    const message = prompt[asked] as UserMessage;
    return prompt.with(asked, { ...message, content: [{ type: 'text', text: context }, ...message.content] });
  }
  const [first, ...others] = prompt;
  // One system message, at the beginning: some providers refuse another.
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${context}` }, ...others]
    : [{ role: 'system', content: context }, ...prompt];
}
