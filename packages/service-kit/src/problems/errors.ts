// A leaf: imports nothing, knows nothing of HTTP, so that domain and storage can throw these. problem.ts maps classes to statuses.

/** One thing that is wrong, and where: 'body/approaches/0/name', 'query/limit', 'path/name', 'header/X-Agent-ID'. */
export interface Fault {
  readonly where: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  /** A more precise stable code than the class's own, such as 'task_type_mismatch'. Codes are never reused. */
  readonly code?: string;
  readonly faults?: readonly Fault[];
  readonly cause?: unknown;
  /** Further members of the problem document, such as `{ correlation_ids: [...] }`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a service reports on purpose. The message is shown to the client: a sentence that says what to do. */
export class ServiceError extends Error {
  readonly code: string;
  readonly faults: readonly Fault[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: Omit<ServiceErrorOptions, 'code'> = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.code = code;
    this.faults = options.faults ?? [];
    this.extra = options.extra ?? {};
  }
}

/** The request is well-formed and still means nothing here. */
export class InvalidInputError extends ServiceError {
  constructor(message: string, { code = 'invalid_input', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The body is of a kind, or compressed in a way, that this operation does not take. */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(message: string, { code = 'unsupported_media_type', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** What the request names does not exist, or not for this caller. */
export class NotFoundError extends ServiceError {
  constructor(message: string, { code = 'not_found', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The request contradicts what is there; nothing was changed. */
export class ConflictError extends ServiceError {
  constructor(message: string, { code = 'conflict', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The caller may see what the request names and may not do this with it. */
export class ForbiddenError extends ServiceError {
  constructor(message: string, { code = 'forbidden', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The request is for another host than this service answers for. */
export class MisdirectedRequestError extends ServiceError {
  constructor(message: string, { code = 'misdirected_request', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** What the request was made for has changed since it was read; nothing was changed. */
export class PreconditionFailedError extends ServiceError {
  constructor(message: string, { code = 'precondition_failed', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The body of the request broke off before its end. What was taken in until then may stay. */
export class BrokenOffError extends ServiceError {
  constructor(message: string, { code = 'broken_off', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** Something that this service needs does not answer; the same request may work later. */
export class UnavailableError extends ServiceError {
  constructor(message: string, { code = 'unavailable', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}
