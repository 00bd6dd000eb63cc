/** One fault of a request and its place, such as `query/limit` or `body/name`. */
export interface Fault {
  readonly where: string;
  readonly message: string;
}

/** The body of an error answer (RFC 9457). `code` is stable, for programs; `detail` says what to do. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id?: string;
  readonly errors?: readonly Fault[];
  readonly [extension: string]: unknown;
}

/** The base of all errors of a call. Only an abort by the signal of the caller throws something else: the reason of that signal. */
export class FacultiesError extends Error {
  override name = 'FacultiesError';
}

/** No answer: the connection was refused, broke off, or the host is unknown. `cause` is the error of fetch. */
export class ConnectionError extends FacultiesError {
  override name = 'ConnectionError';
}

/** No whole answer within `timeoutMs`, retries included. The service may or may not have done the work. */
export class TimeoutError extends FacultiesError {
  override name = 'TimeoutError';
}

/** Something answers at the address, but it is not the service. */
export class UnexpectedAnswerError extends FacultiesError {
  override name = 'UnexpectedAnswerError';
}

/** The service, or the gateway before it, answered with an error. There is a class for each status. */
export class ApiError extends FacultiesError {
  override name = 'ApiError';
  readonly status: number;
  /** A stable word for programs, such as 'unknown_memory'. */
  readonly code: string;
  /** The id of the request in the log of the service. */
  readonly requestId: string | null;
  /** All faults of the request; empty where the service names none. */
  readonly errors: readonly Fault[];
  readonly problem: Problem;
  readonly headers: Headers;

  /** @param asked method and address, which are said where the address itself is wrong */
  constructor(problem: Problem, headers: Headers, asked = '') {
    const place = problem.code === 'not_found' && asked ? `, ${asked}` : '';
    super(`${problem.detail} (${problem.status} ${problem.code}${place})`);
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.request_id ?? headers.get('X-Request-ID');
    this.errors = problem.errors ?? [];
    this.problem = problem;
    this.headers = headers;
  }
}

export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';
}
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
export class PreconditionFailedError extends ApiError {
  override name = 'PreconditionFailedError';
}
export class PayloadTooLargeError extends ApiError {
  override name = 'PayloadTooLargeError';
}
export class MisdirectedRequestError extends ApiError {
  override name = 'MisdirectedRequestError';
}
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
export class InternalError extends ApiError {
  override name = 'InternalError';
}
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  421: MisdirectedRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  500: InternalError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** Reads an answer that is not 2xx, and gives its error. */
export async function errorOf(response: Response, asked: string): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const problem = problemOf(text) ?? {
    status,
    code: 'no_problem_document',
    detail: text.trim().slice(0, 200) || 'No text',
  };
  return new (BY_STATUS[status] ?? ApiError)({ ...problem, status }, headers, asked);
}

/** The problem document, or null: a proxy in between may answer with a page of its own. */
function problemOf(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Problem | null;
    return typeof value?.code === 'string' && typeof value.detail === 'string' ? value : null;
  } catch {
    return null;
  }
}
