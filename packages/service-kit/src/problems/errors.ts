// A leaf: imports nothing, knows nothing of HTTP, so that domain and storage can throw these. problem.ts maps classes to statuses.

/** One fault of a request and its place: 'body/approaches/0/name', 'query/limit', 'path/name', 'header/X-Agent-ID'. */
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

/** An error that a service reports on purpose. The client sees the message: a sentence that says what to do. */
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

/** The request is well-formed and cannot be processed. */
export class InvalidInputError extends ServiceError {
  constructor(message: string, { code = 'invalid_input', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }

  /** What is wrong in one place of a request. @param where as in a Fault @param message goes on after that: 'must be later than since' */
  static at(where: string, message: string): InvalidInputError {
    return new InvalidInputError(`${where} ${message}.`, { faults: [{ where, message }] });
  }
}

/** This operation does not accept the media type or the compression of the body. */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(message: string, { code = 'unsupported_media_type', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The named thing does not exist, or not for this caller. */
export class NotFoundError extends ServiceError {
  constructor(message: string, { code = 'not_found', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The request conflicts with the stored state; nothing was changed. */
export class ConflictError extends ServiceError {
  constructor(message: string, { code = 'conflict', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The caller may see the named thing, but must not do this with it. */
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

/** The named thing has changed since the caller read it; nothing was changed. */
export class PreconditionFailedError extends ServiceError {
  constructor(message: string, { code = 'precondition_failed', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** The body of the request broke off before its end. The part before the break may be stored. */
export class BrokenOffError extends ServiceError {
  constructor(message: string, { code = 'broken_off', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}

/** A part that the service needs is not available; the same request may work later. */
export class UnavailableError extends ServiceError {
  constructor(message: string, { code = 'unavailable', ...options }: ServiceErrorOptions = {}) {
    super(code, message, options);
  }
}
