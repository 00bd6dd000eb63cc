import type { Caller } from '@agent-faculties/agent-identity';
import type { Express, Request, RequestHandler, Response } from 'express';
import { type OpenApiDocument, operationsOf } from './openapi.ts';

/** Operations that every service answers in the same way; a contract may describe them, and no handler is given for them. */
export type SharedOperationId = 'getDocs' | 'getOpenApi' | 'getMetrics';
const SHARED_OPERATION_IDS: ReadonlySet<string> = new Set<SharedOperationId>(['getDocs', 'getOpenApi', 'getMetrics']);

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;
type Parameters<O, K extends string> = O extends { parameters: infer P }
  ? K extends keyof P
    ? NonNullable<P[K]>
    : Record<never, never>
  : Record<never, never>;
type Body<O> = O extends { requestBody?: infer B }
  ? undefined extends B
    ? Json<NonNullable<B>> | undefined
    : Json<B>
  : undefined;

/** What the contract lets an operation answer: a status with its JSON body. */
export type Reply<O> = O extends { responses: infer R }
  ? { [S in keyof R & number]: { status: S; body: Json<R[S]>; headers?: Readonly<Record<string, string>> } }[keyof R &
      number]
  : never;

/** What a handler is given: everything has been validated against the contract and coerced to its types. */
export interface Context<O> {
  /** Path parameters, decoded once. */
  readonly path: Parameters<O, 'path'>;
  readonly query: Parameters<O, 'query'>;
  readonly body: Body<O>;
  readonly caller: Caller;
  readonly req: Request;
  readonly res: Response;
}

/** Returns the answer, or nothing once it has answered through `res` itself (a page, a stream). */
export type Handler<O> = (context: Context<O>) => Reply<O> | undefined | Promise<Reply<O> | undefined>;

/** One handler per operationId of the generated `operations` interface. */
export type Handlers<Operations> = {
  readonly [K in Exclude<keyof Operations, SharedOperationId>]: Handler<Operations[K]>;
};

/**
 * Routes every operation of the contract to its handler.
 * @throws Error when an operation has no handler or a handler no operation
 */
export function mountOperations<Operations>(
  app: Express,
  { spec, handlers }: { readonly spec: OpenApiDocument; readonly handlers: Handlers<Operations> },
): void {
  const operations = operationsOf(spec).filter(({ operationId }) => !SHARED_OPERATION_IDS.has(operationId));
  const unused = new Map(Object.entries<Handler<never>>(handlers as Record<string, Handler<never>>));
  for (const { operationId, method, path } of operations.toSorted((a, b) => bySpecificity(a.path, b.path))) {
    const handler = unused.get(operationId);
    if (!handler) throw new Error(`Operation ${operationId} (${method} ${path}) has no handler.`);
    unused.delete(operationId);
    app[method](expressPath(path), answerWith(handler));
  }
  if (unused.size > 0) throw new Error(`Not in the contract: ${[...unused.keys()].join(', ')}.`);
}

function answerWith(handler: Handler<never>): RequestHandler {
  return async (req, res, next) => {
    try {
      const { openapi } = req as { openapi?: { pathParams?: object } };
      const context = {
        path: openapi?.pathParams ?? {},
        query: req.query,
        body: req.body,
        caller: req.caller,
        req,
        res,
      };
      const reply = (await handler(context as never)) as
        | { status: number; body: unknown; headers?: object }
        | undefined;
      if (reply === undefined) return;
      if (reply.headers) res.set(reply.headers);
      res.status(reply.status).json(reply.body);
    } catch (thrown) {
      // Express understands a thrown 'route' or 'router' as "skip", and nothing at all as success.
      next(
        thrown instanceof Error ? thrown : new Error('A handler threw something that is no Error.', { cause: thrown }),
      );
    }
  };
}

/** '/events/{event_id}' is '/events/:event_id' in Express; characters that mean something there are escaped. */
export function expressPath(path: string): string {
  return path.replace(/[:*?!()[\]+\\]/g, '\\$&').replace(/\{([^}]+)\}/g, ':$1');
}

/** Literal segments before parameters, so that '/events/active' is never an event id, whatever the order of the document. */
function bySpecificity(a: string, b: string): number {
  const key = (path: string) => path.replace(/\{[^}]+\}/g, '\u{10ffff}');
  return key(a) < key(b) ? -1 : Number(key(a) > key(b));
}
