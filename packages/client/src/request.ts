import type { CallOptions, ClientOptions } from './options.ts';
import type { Runtime } from './runtime.ts';

/** A field of the input in a path. */
const PLACE = /\{(\w+)\}/g;

/** Half of a surrogate pair. With the flag u, a whole pair is one character and does not match. */
const HALF_OF_A_PAIR = /\p{Surrogate}/gu;

/** An operation in the generated tables. */
export interface Operation {
  readonly method: string;
  /** The path, with {names} of fields of the input. */
  readonly path: string;
  /** Whether the input becomes a JSON body instead of a query. */
  readonly body?: boolean;
  readonly takesLines?: boolean;
  /** Fields of the input that become headers. */
  readonly headers?: readonly string[];
  /** Default json. */
  readonly answers?: 'text' | 'lines' | 'events';
  /** The field with the items of a page. */
  readonly pages?: string;
  /** Whether the request may be sent again: true, or the field that makes it safe. A GET always may. */
  readonly repeatable?: true | string;
  /** The field that makes it safe to send again; the client fills it if absent. */
  readonly key?: string;
}

export type Input = Readonly<Record<string, unknown>>;

export interface Request {
  readonly operation: Operation;
  readonly input?: Input | undefined;
  /** Lines in place of a JSON body. */
  readonly lines?: string;
  readonly options?: CallOptions | undefined;
}

/** @throws TypeError for an address that fetch cannot take; a path alone is one for that of a page, or one that is handed in */
export function baseOf(url: string | URL, fetch: ClientOptions['fetch']): string {
  const text = String(url);
  const isPath = /^(\/|$)/.test(text);
  if (isPath ? !fetch && !('location' in globalThis) : !/^https?:\/\//i.test(text)) {
    throw new TypeError(`url must begin with http:// or https://, and is ${JSON.stringify(text)}.`);
  }
  if (!isPath && !URL.canParse(text)) {
    throw new TypeError(`url must be an address such as http://127.0.0.1:7832, and is ${JSON.stringify(text)}.`);
  }
  return text.replace(/\/+$/, '');
}

export function isRepeatable({ method, repeatable, key }: Operation, input: Input): boolean {
  return (
    method === 'GET' ||
    repeatable === true ||
    key !== undefined ||
    (repeatable !== undefined && input[repeatable] != null)
  );
}

/** One key for all attempts of a call. */
export function withKey({ key }: Operation, input: Input, { newKey }: Runtime): Input {
  return key === undefined || input[key] != null ? input : { ...input, [key]: newKey() };
}

/** @throws TypeError for a value that a path cannot hold */
export function pathOf({ path }: Operation, input: Input): string {
  return path.replace(PLACE, (_, name: string) => {
    const value = String(input[name] ?? '');
    if (value === '') throw new TypeError(`${name} is missing.`);
    // "." and ".." would change the address.
    if (['.', '..'].includes(value)) throw new TypeError(`${name} must not be ${JSON.stringify(value)}.`);
    // U+FFFD as in a query, a header and a body; encodeURIComponent would throw.
    return encodeURIComponent(value.replace(HALF_OF_A_PAIR, '\ufffd'));
  });
}

function fieldsBeside({ path, headers = [] }: Operation, input: Input): [string, unknown][] {
  return Object.entries(input).filter(
    ([name, value]) => value !== undefined && !headers.includes(name) && !path.includes(`{${name}}`),
  );
}

export function queryOf(operation: Operation, input: Input): string {
  if (operation.body) return '';
  const query = new URLSearchParams();
  for (const [name, value] of fieldsBeside(operation, input)) if (value !== null) query.set(name, wordOf(name, value));
  return query.size === 0 ? '' : `?${query}`;
}

/** A Date as in a body; as a text it is no ISO 8601. @throws TypeError for a Date that is none */
function wordOf(name: string, value: unknown): string {
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) throw new TypeError(`${name} must not be Invalid Date.`);
  return value.toISOString();
}

export function bodyOf(operation: Operation, input: Input): Input {
  return Object.fromEntries(fieldsBeside(operation, input));
}

export function headersOf(client: ClientOptions, { operation, lines, options = {} }: Request, input: Input): Headers {
  const headers = new Headers({ ...client.headers, ...options.headers });
  const set = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) headers.set(name, utf8Header(String(value)));
  };
  set('X-Agent-ID', options.agentId ?? client.agentId);
  set('X-Session-ID', options.sessionId ?? client.sessionId);
  set('X-Project', options.project ?? client.project);
  set('X-Space', options.space ?? client.space);
  if (client.key) set('Authorization', `Bearer ${client.key}`);
  set('traceparent', options.traceparent ?? client.traceparent?.());
  for (const name of operation.headers ?? []) set(name, input[name]);
  if (lines !== undefined) set('Content-Type', 'application/x-ndjson');
  else if (operation.body) set('Content-Type', 'application/json');
  return headers;
}

/** The text as bytes of UTF-8, one in each character, as `Headers` takes them. */
function utf8Header(value: string): string {
  return String.fromCharCode(...new TextEncoder().encode(value));
}
