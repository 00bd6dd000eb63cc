import type { Core } from './core.ts';
import type { components, operations } from './memory.gen.ts';
import type { MEMORY_OPERATIONS } from './memory-operations.gen.ts';
import type { InputOf, Methods } from './methods.ts';
import type { CallOptions } from './options.ts';

type Schemas = components['schemas'];

/** A message of a chat; content is text, or parts of which some are text, as the providers have them. */
export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
  readonly name?: string | undefined;
}

export interface AroundOptions extends CallOptions {
  /** Further fields of the recall: `top_k`, `min_trust`, `max_context_chars`. */
  readonly recall?: Omit<InputOf<operations['ingestAndRecall']>, 'content' | 'role' | 'idempotency_key'> | undefined;
  /** Where the context goes: a system message before the last message of the user (default), or the start of that message. */
  readonly place?: 'system' | 'user' | undefined;
  /** The text of an answer that is stored. Default: a string, or the text in an answer of OpenAI, Anthropic, Gemini or the Vercel AI SDK. Null stores nothing. */
  readonly textOf?: ((answer: unknown) => string | null) | undefined;
}

/** What the call of the model gets besides the messages. */
export interface Recollection {
  /** The context that the messages already hold; empty where nothing is known. */
  readonly context: string;
  readonly memories: readonly Schemas['RecalledMemory'][];
}

/**
 * Recalls what is known about the last message of the user, calls `answer` with the messages and that context, and stores the
 * message and the answer. Without memory-service the model is called without a context, and `onProblem` gets the error.
 * Errors of `answer` are thrown on.
 */
export type Around = <M extends ChatMessage, R>(
  messages: readonly M[],
  answer: Answering<M, R>,
  options?: AroundOptions,
) => Promise<R>;

/** A message of the conversation, or the one with the context. */
type OrContext<M> = M | { readonly role: 'system'; readonly content: string };

type Answering<M, R> = (messages: OrContext<M>[], recollection: Recollection) => R | Promise<R>;

interface Deps {
  readonly core: Core;
  readonly methods: Pick<Methods<typeof MEMORY_OPERATIONS, operations>, 'ingest' | 'ingestAndRecall'>;
}

/** Milliseconds for a recall: a person hardly notices the wait. */
const LIMIT_MS = 5_000;

export async function around<M extends ChatMessage, R>(
  { core, methods }: Deps,
  messages: readonly M[],
  answer: Answering<M, R>,
  { recall, place = 'system', textOf = textOfAnswer, ...options }: AroundOptions = {},
): Promise<R> {
  if (place !== 'system' && place !== 'user') {
    throw new TypeError(`place must be 'system' or 'user', and is ${JSON.stringify(place)}.`);
  }
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[asked];
  const content = message ? textOfContent(message.content) : '';
  const limited = { ...options, timeoutMs: options.timeoutMs ?? Math.min(LIMIT_MS, core.timeoutMs) };
  const orNothing = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      options.signal?.throwIfAborted();
      core.onProblem(error);
      return null;
    }
  };
  const recalled = content.trim()
    ? await orNothing(() => methods.ingestAndRecall({ ...recall, role: 'user', content, ...nameOf(message) }, limited))
    : null;
  const recollection = { context: recalled?.context ?? '', memories: recalled?.memories ?? [] };
  const result = await answer(withContext(messages, { asked, place, context: recollection.context }), recollection);
  const reply = textOf(result);
  if (reply?.trim()) await orNothing(() => methods.ingest({ role: 'assistant', content: reply }, limited));
  return result;
}

function nameOf(message: ChatMessage | undefined) {
  return typeof message?.name === 'string' ? { name: message.name } : {};
}

function withContext<M extends ChatMessage>(
  messages: readonly M[],
  { asked, place, context }: { asked: number; place: 'system' | 'user'; context: string },
): OrContext<M>[] {
  if (context === '') return [...messages];
  if (place === 'system')
    return [...messages.slice(0, asked), { role: 'system', content: context }, ...messages.slice(asked)];
  const message = messages[asked] as M;
  const { content } = message;
  const before = Array.isArray(content) ? [{ type: 'text', text: context }, ...content] : `${context}\n\n${content}`;
  return messages.with(asked, { ...message, content: before });
}

/** The text parts, joined. */
function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: { text?: unknown }) => (typeof part?.text === 'string' ? [part.text] : [])).join('\n');
}

function textOfAnswer(answer: unknown): string | null {
  if (typeof answer === 'string') return answer;
  const said = (answer ?? {}) as Record<string, unknown>;
  if (Array.isArray(said.choices)) return textOfContent(said.choices[0]?.message?.content) || null;
  const whole = [said.output_text, said.text].find((value) => typeof value === 'string');
  // Not before: `output` of the Vercel AI SDK throws where none was asked for.
  return whole ?? (textOfContent(said.content ?? partsOf(said)) || null);
}

/** Of a bare answer over HTTP, without what the SDK makes of it: OpenAI responses beside their reasoning, or Gemini beside its thoughts. */
function partsOf({ output, candidates }: Record<string, unknown>): unknown {
  if (Array.isArray(output)) return output.flatMap((item) => (item?.type === 'message' ? item.content : []));
  const parts: unknown = Array.isArray(candidates) && candidates[0]?.content?.parts;
  return Array.isArray(parts) && parts.filter((part) => !part?.thought);
}
