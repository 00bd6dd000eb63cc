import {
  ForeignAgentError,
  ForeignProjectError,
  ForeignSpaceError,
  InvalidIdentityError,
  MissingIdentityError,
} from '@agent-faculties/agent-identity';
import type { ErrorRequestHandler, Request } from 'express';
import { contractFaults, contractViolation } from '../contract/contract-violation.ts';
import { contractDetail } from '../contract/invalid-request.ts';
import type { RequestAudit } from '../observability/audit.ts';
import { type Logger, withoutSecrets } from '../observability/log.ts';
import type { Description } from './description.ts';
import {
  BrokenOffError,
  ConflictError,
  type Fault,
  ForbiddenError,
  InvalidInputError,
  MisdirectedRequestError,
  NotFoundError,
  PreconditionFailedError,
  ServiceError,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './errors.ts';
import { malformedBody, malformedUrl } from './malformed-request.ts';
import { PROBLEM_CODES, type ProblemCode } from './problem-codes.ts';
import { isForReader, problemPage } from './problem-page.ts';

/** RFC 9457 problem document. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** A sentence that says what to do. */
  readonly detail: string;
  /** Stable, for programs. */
  readonly code: string;
  readonly request_id?: string;
  readonly errors?: readonly Fault[];
  readonly [extra: string]: unknown;
}

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** How problems are told at an address where a protocol has a form of its own for them; null elsewhere. */
export type ErrorForm = (problem: Problem, req: Request) => { readonly status: number; readonly body: object } | null;

/** The problem of any error. An error that was not thrown on purpose is a 500 without details. */
export function problemFor(error: unknown): ProblemAnswer {
  const { kind, detail, code = kind, faults = [], extra = {}, headers = {} } = describe(error);
  const { status, title } = PROBLEM_CODES[kind];
  const type = `urn:agent-faculties:problem:${code}`;
  return {
    problem: { ...extra, type, title, status, detail, code, ...(faults.length > 0 && { errors: faults }) },
    headers,
  };
}

interface ProblemHandlerOptions {
  readonly log: Logger;
  readonly audit: RequestAudit;
  readonly form: ErrorForm;
}

/**
 * Answers every error with a problem document, where there is no other form for it, on the dashboard's address with a page that says the
 * same, and audits it. An unexpected error is logged with its stack.
 */
export function problemHandler({ log, audit, form }: ProblemHandlerOptions): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const told = problemFor(error);
    const { headers } = told;
    const problem = withoutSecrets(told.problem);
    audit.ended(req, problem);
    if (problem.status === 500) log.error({ err: error, request_id: req.id }, 'request failed');
    if (res.headersSent) {
      // The status is sent already; only a cut connection can show that the answer is incomplete.
      res.destroy();
      return;
    }
    const document: Problem = req.id === undefined ? problem : { ...problem, request_id: req.id };
    // How long a file may be kept was told before it was refused.
    res.status(problem.status).set({ ...headers, 'Cache-Control': 'no-store' });
    const formed = form(document, req);
    if (formed) {
      res.status(formed.status).type('application/json').send(JSON.stringify(formed.body));
      return;
    }
    if (isForReader(req)) {
      res.type('html').send(problemPage(document));
      return;
    }
    // Sent as text: the validator of responses checks res.json, and would turn a mismatch into an HTML page.
    res.type('application/problem+json').send(JSON.stringify(document));
  };
}

function describe(error: unknown): Description {
  if (error instanceof ServiceError) {
    const { message: detail, code, faults, extra } = error;
    const headers = error instanceof UnavailableError ? RETRY : {};
    return { kind: kindOf(error), detail, code, faults, extra, headers };
  }
  return (
    describeIdentityError(error) ??
    malformedBody(error) ??
    malformedUrl(error) ??
    describeFileError(error) ??
    describeContractError(error) ??
    INTERNAL
  );
}

/** Seconds (RFC 9110, 10.2.3): the usual interval of probes, too. */
const RETRY = { 'Retry-After': '5' };

/** RFC 9110 (15.5.2) requires a challenge with every 401; the gateway can meet it. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="agent-faculties"' };

function describeIdentityError(error: unknown): Description | undefined {
  if (error instanceof MissingIdentityError) {
    return { kind: 'missing_identity', detail: error.message, headers: CHALLENGE };
  }
  if (error instanceof ForeignAgentError) return namedFault('foreign_agent', error);
  if (error instanceof ForeignProjectError) return namedFault('foreign_project', error);
  if (error instanceof ForeignSpaceError) return namedFault('foreign_space', error);
  if (error instanceof InvalidIdentityError) return namedFault('invalid_identity', error);
  return undefined;
}

function namedFault(kind: ProblemCode, { field, message }: { field: string; message: string }): Description {
  return { kind, detail: message, faults: [{ where: field.replace(' ', '/'), message }] };
}

const INTERNAL: Description = {
  kind: 'internal_error',
  detail: 'The server failed on this request. Report the request_id to its operator, who finds the reason in the log.',
};

function kindOf(error: ServiceError): ProblemCode {
  if (error instanceof InvalidInputError) return error.code === 'invalid_request' ? 'invalid_request' : 'invalid_input';
  if (error instanceof BrokenOffError) return 'broken_off';
  if (error instanceof NotFoundError) return 'not_found';
  if (error instanceof ForbiddenError) return 'forbidden';
  if (error instanceof ConflictError) return 'conflict';
  if (error instanceof PreconditionFailedError) return 'precondition_failed';
  if (error instanceof MisdirectedRequestError) return 'misdirected_request';
  if (error instanceof UnsupportedMediaTypeError) return 'unsupported_media_type';
  if (error instanceof UnavailableError) return 'unavailable';
  return 'internal_error';
}

/** Errors of http-errors with which express.static and sendFile refuse preconditions and ranges (RFC 9110, 13.1 and 14.2). */
function describeFileError(error: unknown): Description | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, headers } = error as { status?: unknown; headers?: Record<string, string> };
  if (status === 412) {
    return {
      kind: 'precondition_failed',
      detail: 'The file is not the one that If-Match or If-Unmodified-Since names: ask for it without them.',
    };
  }
  const range = headers?.['Content-Range'];
  if (status !== 416 || range === undefined) return undefined;
  return {
    kind: 'range_not_satisfiable',
    detail: 'The file has no bytes in this Range: ask for a range within the length that Content-Range names.',
    headers: { 'Content-Range': range },
  };
}

function describeContractError(error: unknown): Description | undefined {
  const violation = contractViolation(error);
  switch (violation?.status) {
    case 400: {
      const faults = contractFaults(violation);
      return { kind: 'invalid_request', detail: contractDetail(faults), faults };
    }
    case 404:
      return {
        kind: 'not_found',
        detail:
          'There is nothing at this path: see /docs for the paths that exist, and write them exactly as there; hosts of MCP ask at /mcp.',
      };
    case 405: {
      const allow = (violation.headers?.Allow ?? '').split(', ').sort().join(', ');
      return {
        kind: 'method_not_allowed',
        detail: `This path does not answer this method: use ${allow}.`,
        headers: { Allow: allow },
      };
    }
    case 415:
      return {
        kind: 'unsupported_media_type',
        detail:
          'The Content-Type is missing, or this path does not take it: send what /docs shows here, mostly application/json, and application/x-ndjson for lines.',
      };
    default:
      return undefined;
  }
}
