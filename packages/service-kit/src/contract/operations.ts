import { type Caller, DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Request, RequestHandler, Response } from 'express';
import type { RecordWrite, RequestAudit } from '../observability/audit.ts';
import { InvalidInputError } from '../problems/errors.ts';
import { type LineRedaction, type RequestRedaction, redactionsOf } from '../redaction/request-redaction.ts';
import { type FoundOperation, foundOperation } from './found-operation.ts';
import { type OpenApiDocument, operationsOf, operationsThatReportRedactions, writingOperationsOf } from './openapi.ts';

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

/** The operations with handlers of their own in each space. The others have one handler in the process. */
export interface SpacesWithHandlers<SpaceHandlers> {
  readonly operationIds: readonly (keyof SpaceHandlers & string)[];
  /**
   * Runs `work` with the handlers of a space, and keeps the space open until then.
   * @param options.makes whether to make the space if there is none
   * @param options.hasWritten asked after the work; if it wrote nothing, a space that was made for it is removed
   */
  use(
    name: string,
    options: { readonly makes: boolean; readonly hasWritten: () => boolean },
    work: (space: { readonly handlers: SpaceHandlers }) => Promise<void>,
  ): Promise<void>;
}

export interface RouterOptions<Operations, InSpace extends keyof Handlers<Operations> = never> {
  readonly spec: OpenApiDocument;
  readonly handlers: Omit<Handlers<Operations>, InSpace>;
  /** Without it there is the default space alone. */
  readonly spaces?: SpacesWithHandlers<Pick<Handlers<Operations>, InSpace>> | undefined;
  readonly audit: RequestAudit;
  readonly redaction: RequestRedaction;
}

/**
 * Calls the handler of the operation that the validator found. Express's routing would match every path a second time, and in
 * another order than the validator.
 * @throws Error when an operation has no handler or a handler no operation
 */
export function operationRouter<Operations, InSpace extends keyof Handlers<Operations> = never>(
  options: RouterOptions<Operations, InSpace>,
): RequestHandler {
  const { spec, audit, redaction } = options;
  const handlers = options.handlers as HandlersById;
  const spaces = options.spaces as SpacesWithHandlers<HandlersById> | undefined;
  const served = new Set([...Object.keys(handlers), ...(spaces?.operationIds ?? [])]);
  compare(spec, served);
  const making = makingOperationsOf(spec);
  const answer = answering({ audit, redaction, reporting: operationsThatReportRedactions(spec) });
  return async (req, res, next) => {
    const operation = foundOperation(req);
    if (!operation) return next();
    const { operationId } = operation.schema;
    // The validator treats '/things/' as '/things'. Metrics and caches would then see two addresses for one thing.
    const isOtherAddress = req.path.endsWith('/') && !operation.openApiRoute.endsWith('/');
    if (!served.has(operationId) || isOtherAddress) return next();
    const request = { operation, req, res };
    try {
      const { space = DEFAULT_SPACE } = req.caller ?? {};
      const handler = handlers[operationId];
      if (handler) {
        if (!spaces && space !== DEFAULT_SPACE) throw noSpaces();
        await answer(handler, request);
        return;
      }
      const options = { makes: making.has(operationId), hasWritten: () => audit.hasWritten(req) };
      await spaces?.use(space, options, async (opened) => {
        await answer(opened.handlers[operationId] as Handler<never>, request);
        // A stream goes on after its handler.
        if (!res.writableEnded && !res.closed) await new Promise((ended) => res.once('close', ended));
      });
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

interface FoundRequest {
  readonly operation: FoundOperation;
  readonly req: Request;
  readonly res: Response;
}

/**
 * @param options.reporting the operations whose answer lists what was masked
 * @returns what answers a request with its handler
 */
function answering({
  audit,
  redaction,
  reporting,
}: Pick<RouterOptions<never>, 'audit' | 'redaction'> & { readonly reporting: ReadonlySet<string> }) {
  return async (handler: Handler<never>, { operation, req, res }: FoundRequest): Promise<void> => {
    const { query, body, caller } = req;
    const context = {
      path: operation.pathParams,
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
    const reports = reporting.has(operation.schema.operationId);
    res.status(reply.status).json(reports ? withRedactions(req, reply.body) : reply.body);
  };
}

interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly log?: LogFields;
}

type HandlersById = Readonly<Record<string, Handler<never>>>;

function compare(spec: OpenApiDocument, served: ReadonlySet<string>): void {
  const expected = operationsOf(spec).map(({ operationId }) => operationId);
  const unhandled = expected.filter((id) => !SHARED_OPERATION_IDS.has(id) && !served.has(id));
  const unknown = [...served].filter((id) => !expected.includes(id));
  if (unhandled.length > 0) throw new Error(`Operations without a handler: ${unhandled.join(', ')}.`);
  if (unknown.length > 0) throw new Error(`Handlers without an operation in the contract: ${unknown.join(', ')}.`);
}

/** The operations that make the space which they write to; a delete finds nothing to do where there is none. */
function makingOperationsOf(spec: OpenApiDocument): ReadonlySet<string> {
  const writing = writingOperationsOf(spec);
  const making = operationsOf(spec).filter(
    ({ method, operationId }) => method !== 'delete' && writing.has(operationId),
  );
  return new Set(making.map(({ operationId }) => operationId));
}

function noSpaces(): InvalidInputError {
  return new InvalidInputError(`This service has no spaces beside '${DEFAULT_SPACE}': name none.`, {
    faults: [{ where: 'query/space', message: 'names another space' }],
  });
}

/** Adds the counts of masked secrets to the answer of a write. */
function withRedactions(req: Request, body: unknown): unknown {
  const redacted = req.method === 'GET' ? undefined : redactionsOf(req);
  return redacted ? { ...(body as object), redacted } : body;
}
