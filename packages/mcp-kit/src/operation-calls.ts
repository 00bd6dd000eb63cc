import type { Caller } from '@agent-faculties/agent-identity';
import { InvalidInputError } from '@agent-faculties/service-kit';
import { type InProcessAnswer, type Problem, type Reply, requestInProcess } from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import type { ContractSchemas } from './contract-schemas.ts';

/** The body of the answer 200 of an operation. */
export type Answered<O> = Extract<Reply<O>, { status: 200 }>['body'];

/** The answer of an operation. */
export interface OperationAnswer<Body> {
  readonly body: Body;
  /** Gives a header of the answer; undefined if absent. */
  readonly header: InProcessAnswer['header'];
}

/**
 * Calls an operation of the contract. The call is validated, masked, audited and counted like a request from outside.
 * @param values by the names of the contract, wherever it wants them; null and undefined are left out
 * @throws OperationProblem for an answer that is an error, InvalidInputError for values that no request can hold
 */
export type Call<Operations> = <Id extends keyof Operations & string>(
  operationId: Id,
  values?: Readonly<Record<string, unknown>>,
) => Promise<OperationAnswer<Answered<Operations[Id]>>>;

/** An operation answered with a problem document. */
export class OperationProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'OperationProblem';
    this.problem = problem;
  }
}

/** The MCP request that calls a tool, and its caller. */
export interface Asking {
  readonly req: Request;
  readonly caller: Caller;
  readonly requestId: string;
}

/** Headers of a gateway and of a trace that an inner request repeats. */
const PASSED_ON = ['x-role', 'x-key-id', 'x-allowed-projects', 'traceparent', 'tracestate'];

export function operationCalls<Operations>(
  schemas: ContractSchemas,
  { req, caller, requestId }: Asking,
  trace: Readonly<Record<string, unknown>> = {},
): Call<Operations> {
  const headers: Record<string, string> = { 'x-agent-id': asHeader(caller.agentId), 'x-request-id': requestId };
  if (caller.sessionId !== null) headers['x-session-id'] = asHeader(caller.sessionId);
  if (caller.project !== null) headers['x-project'] = asHeader(caller.project);
  headers['x-space'] = caller.space;
  for (const name of PASSED_ON) {
    const value = trace[name] ?? req.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return async (operationId, values = {}) => {
    const request = requestFor(schemas, operationId, values);
    const { status, header, body } = await requestInProcess(req.app as never, {
      ...request,
      headers: { ...headers, ...request.headers },
    });
    if (status >= 400) throw new OperationProblem(body as Problem);
    return { body: body as never, header };
  };
}

/** A text in the form in which Node gives a header with UTF-8 bytes: one character a byte. */
function asHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

interface OperationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

function requestFor(
  schemas: ContractSchemas,
  operationId: string,
  values: Readonly<Record<string, unknown>>,
): OperationRequest {
  const { method, path } = schemas.operation(operationId);
  const known = schemas.argumentsOf(operationId);
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  let url = path;
  for (const [name, { place, required }] of known) {
    const value = values[name] ?? undefined;
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(pathText(name, value)));
    else if (value === undefined) {
      if (required && place !== 'body') throw wrongArgument(name, 'is required');
    } else if (place === 'body') body[name] = value;
    else if (place === 'header') headers[name.toLowerCase()] = asHeader(plainText(name, value));
    else for (const item of [value].flat()) query.append(name, plainText(name, item));
  }
  const stranger = Object.keys(values).find((name) => !known.has(name));
  if (stranger !== undefined) throw new Error(`${operationId} takes no ${stranger}.`);
  const search = query.size > 0 ? `?${query}` : '';
  const hasBody = [...known.values()].some(({ place }) => place === 'body');
  return { method: method.toUpperCase(), url: `${url}${search}`, headers, ...(hasBody && { body }) };
}

function pathText(name: string, value: unknown): string {
  if (value === undefined || value === '') throw wrongArgument(name, 'is required');
  return plainText(name, value);
}

function plainText(name: string, value: unknown): string {
  // A URL cannot hold half of a surrogate pair, so it becomes U+FFFD.
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw wrongArgument(name, 'must be one plain value');
}

/** The error of the contract for an empty name. Validation cannot find it, because an empty name makes another path. */
function wrongArgument(name: string, message: string): InvalidInputError {
  return new InvalidInputError(`${name} ${message}.`, { code: 'invalid_request', faults: [{ where: name, message }] });
}
