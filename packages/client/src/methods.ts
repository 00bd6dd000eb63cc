import { answerValue, jsonLines, type ServerEvent, serverEvents } from './answers.ts';
import type { Core } from './core.ts';
import { ConnectionError, RateLimitError, TimeoutError, UnavailableError } from './errors.ts';
import { type Line, sendLines } from './lines.ts';
import type { CallOptions } from './options.ts';
import type { Input, Operation } from './request.ts';

/** The value of an answer; `withResponse` gives the headers too, such as ETag. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<{ readonly data: T; readonly response: Response }>;
}

/** Awaited, the first page; with `for await`, each item of all pages. */
export interface Paged<P, Item> extends Call<P>, AsyncIterable<Item> {}

export type JsonObject = Record<string, unknown>;

/* How an operation of the generated types becomes a method. */
/** A field that may be absent may be undefined too: it is left out of the request. */
type Simplify<T> = { [K in keyof T]: { [P in K]?: T[K] } extends Pick<T, K> ? T[K] | undefined : T[K] } & {};
type Parameters<O, Place extends string> = O extends { parameters: { [K in Place]?: infer P } }
  ? [P] extends [never]
    ? unknown
    : P extends object
      ? P
      : unknown
  : unknown;
type JsonBody<O> = O extends { requestBody?: infer R }
  ? [NonNullable<R>] extends [never]
    ? never
    : NonNullable<R> extends { content: { 'application/json': infer B } }
      ? B
      : never
  : never;
/** Path, body or query, and headers in one object: no two of them have a name in common. */
export type InputOf<O> = Simplify<
  Parameters<O, 'path'> &
    Parameters<O, 'header'> &
    ([JsonBody<O>] extends [never] ? Parameters<O, 'query'> : JsonBody<O>)
>;
export type AnswerOf<O> = O extends { responses: { 200: { content: infer C } } } ? C[keyof C] : unknown;
type ItemOf<P, Field> = Field extends keyof P ? (P[Field] extends readonly (infer I)[] ? I : never) : never;
type Args<I> = Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

type Method<O, Entry> = Entry extends { answers: 'lines' }
  ? (...args: Args<InputOf<O>>) => AsyncIterable<JsonObject>
  : Entry extends { answers: 'events' }
    ? (...args: Args<InputOf<O>>) => AsyncIterable<ServerEvent>
    : Entry extends { pages: infer Field }
      ? (...args: Args<InputOf<O>>) => Paged<AnswerOf<O>, ItemOf<AnswerOf<O>, Field>>
      : Entry extends { body: true }
        ? (...args: Args<InputOf<O>>) => Call<AnswerOf<O>>
        : Entry extends { takesLines: true }
          ? (lines: Iterable<Line> | AsyncIterable<Line>, options?: CallOptions) => Promise<AnswerOf<O>>
          : (...args: Args<InputOf<O>>) => Call<AnswerOf<O>>;

/** A method for each operation of a contract, under its operationId. */
export type Methods<Table, Operations> = {
  [Id in keyof Table]: Id extends keyof Operations ? Method<Operations[Id], Table[Id]> : never;
};

export function methodsOf<Table extends Readonly<Record<string, Operation>>, Operations>(
  core: Core,
  table: Table,
): Methods<Table, Operations> {
  const methods = Object.entries(table).map(([id, operation]) => [id, methodOf(core, operation)]);
  return Object.fromEntries(methods) as Methods<Table, Operations>;
}

function methodOf(core: Core, operation: Operation) {
  const { answers, pages, takesLines, body } = operation;
  if (answers === 'events') return (input?: Input, options?: CallOptions) => follow(core, operation, input, options);
  if (answers === 'lines') return (input?: Input, options?: CallOptions) => streamed(core, operation, input, options);
  if (takesLines && !body) {
    return (lines: Iterable<Line>, options?: CallOptions) => sendLines(core, operation, lines, options);
  }
  return (input?: Input, options?: CallOptions) => {
    const call = one(core, operation, input, options);
    return pages === undefined
      ? call
      : Object.assign(call, { [Symbol.asyncIterator]: () => items(core, operation, call, input, options) });
  };
}

function one(core: Core, operation: Operation, input?: Input, options?: CallOptions): Call<JsonObject> {
  const both = core.send({ operation, input, options }, async (response) => ({
    data: (await answerValue(operation, response)) as JsonObject,
    response,
  }));
  const value = both.then(({ data }) => data);
  return Object.assign(value, {
    withResponse: () => {
      // A caller that only awaits withResponse leaves the other promise unhandled.
      value.catch(() => {});
      return both;
    },
  });
}

async function* items(core: Core, operation: Operation, first: Call<JsonObject>, input?: Input, options?: CallOptions) {
  for (let page = await first; ; ) {
    yield* page[operation.pages as string] as unknown[];
    const cursor = page.next_cursor;
    if (cursor === null || cursor === undefined) return;
    page = await one(core, operation, { ...input, cursor }, options);
  }
}

async function* streamed(core: Core, operation: Operation, input?: Input, options?: CallOptions) {
  try {
    yield* jsonLines(await core.send({ operation, input, options }, async (response) => response, { isStream: true }));
  } catch (error) {
    options?.signal?.throwIfAborted();
    throw error;
  }
}

/** Reconnects when a stream breaks off and resumes after the last event; ends with the signal, or when the reader stops. */
async function* follow(
  core: Core,
  operation: Operation,
  input?: Input,
  options?: CallOptions,
): AsyncGenerator<ServerEvent> {
  let last = input?.last_event_id;
  let hasBegun = false;
  for (;;) {
    const from = { ...input, ...(last !== undefined && { last_event_id: last }) };
    try {
      const response = await core.send({ operation, input: from, options }, async (response) => response, {
        isStream: true,
      });
      hasBegun = true;
      yield* serverEvents(response, (id) => {
        last = id;
      });
    } catch (error) {
      options?.signal?.throwIfAborted();
      if (!(error instanceof ConnectionError || (hasBegun && isAway(error)))) throw error;
    }
    await core.runtime.sleep(
      RECONNECT_MS * (0.5 + core.runtime.random() / 2),
      options?.signal ?? new AbortController().signal,
    );
  }
}

/** As while a service starts anew behind a gateway, which answers in its place. */
function isAway(error: unknown): boolean {
  return [UnavailableError, RateLimitError, TimeoutError].some((kind) => error instanceof kind);
}

/** Longest pause before a reconnect, in milliseconds. */
const RECONNECT_MS = 1_000;
