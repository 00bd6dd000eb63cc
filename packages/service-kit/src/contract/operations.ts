import type { Caller } from '@agent-faculties/agent-identity';
import type { Request, RequestHandler, Response } from 'express';
import {
  type LineRedaction,
  operationsThatReportRedactions,
  type RequestRedaction,
  redactionsOf,
} from '../http/redaction.ts';
import type { RecordWrite, RequestAudit } from '../observability/audit.ts';
import type { FoundOperation } from '../validator-workarounds/operation-memory.ts';
import { type OpenApiDocument, operationsOf } from './openapi.ts';

/** Operations that every service answers in the same way; a contract may describe them, and no handler is given for them. */
const SHARED_OPERATIONS = ['getDocs', 'getOpenApi', 'getMetrics', 'getLiveness', 'getReadiness'] as const;
export type SharedOperationId = (typeof SHARED_OPERATIONS)[number];
const SHARED_OPERATION_IDS: ReadonlySet<string> = new Set(SHARED_OPERATIONS);

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

/** Further fields of the request's line in the log: ids and counts, never what anybody said. */
export type LogFields = Readonly<Record<string, unknown>>;

/** What the contract lets an operation answer: a status with its JSON body. */
export type Reply<O> = O extends { responses: infer R }
  ? {
      [S in keyof R & number]: {
        status: S;
        body: Json<R[S]>;
        headers?: Readonly<Record<string, string>>;
        log?: LogFields;
      };
    }[keyof R & number]
  : never;

/** What a handler is given: everything has been validated against the contract and coerced to its types. */
export interface Context<O> {
  /** Path parameters, decoded once. */
  readonly path: Parameters<O, 'path'>;
  readonly query: Parameters<O, 'query'>;
  readonly body: Body<O>;
  readonly caller: Caller;
  /** To be called with what was written, for the audit line. */
  readonly recordWrite: RecordWrite;
  /** For what the handler reads by itself: lines, and the records of a body. */
  readonly redaction: LineRedaction;
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
 * Hands each request to the handler of the operation that the validator found for it. Express's own routing would match every
 * path a second time, in another order than the validator did.
 * @throws Error when an operation has no handler or a handler no operation
 */
export function operationRouter<Operations>(options: {
  readonly spec: OpenApiDocument;
  readonly handlers: Handlers<Operations>;
  readonly audit: RequestAudit;
  readonly redaction: RequestRedaction;
}): RequestHandler {
  const { audit, redaction } = options;
  const handlers = handlersById(options.spec, options.handlers as Readonly<Record<string, Handler<never>>>);
  const reporting = operationsThatReportRedactions(options.spec);
  return async (req, res, next) => {
    const { openapi } = req as { openapi?: FoundOperation };
    const handler = handlers.get(openapi?.schema.operationId ?? '');
    // The validator takes '/things/' for '/things'; two addresses for one thing would be counted and cached as two.
    if (!openapi || !handler || (req.path.endsWith('/') && !openapi.openApiRoute.endsWith('/'))) return next();
    try {
      const { pathParams: path } = openapi;
      const { query, body, caller } = req;
      const context = {
        path,
        query,
        body,
        caller,
        recordWrite: audit.recorderOf(req),
        redaction: redaction.lines(req),
        req,
        res,
      };
      const reply = (await handler(context as never)) as AnyReply | undefined;
      audit.ended(req, { status: reply?.status ?? res.statusCode });
      if (reply === undefined) return;
      if (reply.headers) res.set(reply.headers);
      if (reply.log) req.logFields = reply.log;
      const reports = reporting.has(openapi.schema.operationId);
      res.status(reply.status).json(reports ? withRedactions(req, reply.body) : reply.body);
    } catch (thrown) {
      // Express understands a thrown 'route' or 'router' as "skip", and nothing at all as success.
      next(
        thrown instanceof Error ? thrown : new Error('A handler threw something that is no Error.', { cause: thrown }),
      );
    }
  };
}

interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly log?: LogFields;
}

function handlersById(
  spec: OpenApiDocument,
  handlers: Readonly<Record<string, Handler<never>>>,
): Map<string, Handler<never>> {
  const expected = operationsOf(spec).map(({ operationId }) => operationId);
  const unhandled = expected.filter((id) => !SHARED_OPERATION_IDS.has(id) && !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !expected.includes(id));
  if (unhandled.length > 0) throw new Error(`Operations without a handler: ${unhandled.join(', ')}.`);
  if (unknown.length > 0) throw new Error(`Handlers without an operation in the contract: ${unknown.join(', ')}.`);
  return new Map(Object.entries(handlers));
}

/** Says in the answer to what was sent, what of it was masked. */
function withRedactions(req: Request, body: unknown): unknown {
  const redacted = req.method === 'GET' ? undefined : redactionsOf(req);
  return redacted ? { ...(body as object), redacted } : body;
}
