/** What a code means to a client; docs/errors.md says the same, and a test compares them. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The cause and the remedy, for the documentation. */
  readonly meaning: string;
}

/** Every code that is common to the services. A service's own, more precise codes take status and title from their error class. */
export const PROBLEM_CODES = {
  malformed_json: {
    status: 400,
    title: 'The body is no JSON object or array',
    meaning: 'The body could not be read as a JSON object or array. Send UTF-8 JSON.',
  },
  broken_off: {
    status: 400,
    title: 'The body broke off',
    meaning:
      'The connection ended before the body did. What was taken in until then stays; the audit line says how many lines came. Send it again: what is known already counts as a duplicate.',
  },
  malformed_url: {
    status: 400,
    title: 'The URL is malformed',
    meaning:
      'Percent-encoding or a parameter name in the URL is broken. Encode values with encodeURIComponent or its like.',
  },
  malformed_http: {
    status: 400,
    title: 'The request is not HTTP',
    meaning: 'The bytes are no valid HTTP/1.1 request; the connection was closed. Send it with an HTTP library.',
  },
  missing_identity: {
    status: 401,
    title: 'Unauthorized',
    meaning:
      'The service takes the agent from X-Agent-ID alone, which the gateway sets from the key, and the header is missing. Send the request to the gateway.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The caller may see what the request names and may not do this with it. The detail says who may.',
  },
  foreign_agent: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'agent_id in the query or the body names another agent than the one of the key. Leave it out, or use the key of that agent.',
  },
  foreign_project: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'The key is for certain projects, and the request names another one, or none where there are several. Name one of those in the detail.',
  },
  foreign_space: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'The request names a space other than the one of the key. Leave it out, or use a key that was made for that space.',
  },
  cross_site: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'A page of another site has a browser send what is no plain read. Use the pages of the service itself, or a program outside the browser.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path, or what it names, does not exist for this caller. Check the path and the id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists and does not answer this method. Use one that the Allow header names.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long',
    meaning:
      'The headers, or a JSON body, did not arrive whole in time, or another body stood still; the connection was closed. Send it again.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'The request contradicts what is stored; nothing was changed. Read the current state and decide again.',
  },
  too_many_spaces: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The service has as many spaces as it may have, and the request would make another one. Name one that is there, or have the operator raise --max-spaces.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning:
      'What the request names has changed since its ETag was read; nothing was changed. Read it again and decide.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'The body is over the limit of this server, counted after decompression; or it is larger than 64 KiB and holds more than 200,000 values or 20,000 different names of fields. Send less at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'The Content-Type, its charset or the Content-Encoding is not understood. Send what the contract names, mostly application/json.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The file has no bytes in the Range that is asked for. Content-Range names its length.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The header Expect is not understood; the connection was closed. Leave it out.',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    meaning:
      'The service is not called by the name that the URL or the header Host has, or Host is missing or there twice. Use localhost, or start the service with --allowed-hosts.',
  },
  invalid_request: {
    status: 422,
    title: 'The request does not fit the contract',
    meaning:
      'Parameters or fields are missing, unknown or of the wrong kind. `errors` names each; /docs shows the contract.',
  },
  invalid_identity: {
    status: 422,
    title: 'The caller is not named properly',
    meaning:
      "agent_id, session_id, project or space is no valid name, or is '*' where one is needed. `errors` says which.",
  },
  invalid_input: {
    status: 422,
    title: 'The request means nothing here',
    meaning: 'The request is well-formed and its values do not go together. Change what the detail names.',
  },
  secret_found: {
    status: 422,
    title: 'The request means nothing here',
    meaning:
      'The service runs with --redact block and the request holds a secret. `errors` says where and of what type; nothing was stored. Take it out and send the rest.',
  },
  secret_in_identifier: {
    status: 422,
    title: 'The request means nothing here',
    meaning:
      'An agent id, a project, a correlation id or an idempotency key looks like a secret. Masked, two would become one, so nothing was done. Send another.',
  },
  only_private: {
    status: 422,
    title: 'The request means nothing here',
    meaning:
      'A text holds nothing but private parts, which are never kept. Nothing was stored. Send what may be known.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning:
      'The headers of the request are over 16 KiB together; the connection was closed. Send fewer or shorter ones.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the server, logged under the request_id. Report it; trying again may or may not help.',
  },
  stopping: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service is being stopped. Send requests elsewhere, or again once it is back.',
  },
  space_unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The space of the request cannot be opened, mostly because its files are damaged; the other spaces can. Its operator finds the reason in the log.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'What is stored cannot be written (the disk is full, read-only or failing), or the database does not answer. Nothing was changed, unless the detail says that the connection broke off; send it again once that is mended. `Retry-After` has the seconds.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'Something that the server needs does not answer. Try the same request again in a moment.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEM_CODES;
