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

/** Operations that the kit answers for every service. A contract may describe them; they need no handler. */
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

/** More fields for the request's line in the log: ids and counts, never content. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A status with its JSON body, as the contract allows for this operation. */
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

/** The input of a handler: validated against the contract and coerced to its types. */
export interface Context<O> {
  /** Path parameters, decoded once. */
  readonly path: Parameters<O, 'path'>;
  readonly query: Parameters<O, 'query'>;
  readonly body: Body<O>;
  readonly caller: Caller;
  /** Call it with what was written; the audit line lists it. */
  readonly recordWrite: RecordWrite;
  /** Masks secrets in what the handler reads by itself: lines, and the records of a body. */
  readonly redaction: LineRedaction;
  readonly req: Request;
  readonly res: Response;
}

/** Returns the answer, or undefined after it has answered through `res` (a page, a stream). */
export type Handler<O> = (context: Context<O>) => Reply<O> | undefined | Promise<Reply<O> | undefined>;

/** One handler per operationId of the generated `operations` interface. */
export type Handlers<Operations> = {
  readonly [K in Exclude<keyof Operations, SharedOperationId>]: Handler<Operations[K]>;
};

/**
 * Calls the handler of the operation that the validator found. Express's routing would match every path a second time, and in
 * another order than the validator.
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
    // The validator treats '/things/' as '/things'. Metrics and caches would then see two addresses for one thing.
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
        thrown instanceof Error
          ? thrown
          : new Error('A handler threw something that is not an Error.', { cause: thrown }),
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

/** Adds the counts of masked secrets to the answer of a write. */
function withRedactions(req: Request, body: unknown): unknown {
  const redacted = req.method === 'GET' ? undefined : redactionsOf(req);
  return redacted ? { ...(body as object), redacted } : body;
}
