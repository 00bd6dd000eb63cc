import type { ErrorForm } from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import { MCP_PATH } from './slash-at-end.ts';

/**
 * Codes and statuses by the code of a problem. JSON-RPC 2.0, 5.1: -32700 is no JSON, -32600 no message; -32000 is what the SDK says of the
 * rest; -32602 is wrong parameters, which is an answer to a message. Other problems, such as who asks or a faulty query, are no matter of the message and stay problem documents.
 */
const FORMS: Readonly<Record<string, { readonly code: number; readonly status: number }>> = {
  malformed_json: { code: -32700, status: 400 },
  invalid_request: { code: -32600, status: 400 },
  invalid_input: { code: -32600, status: 400 },
  payload_too_large: { code: -32000, status: 413 },
  unsupported_media_type: { code: -32000, status: 415 },
};
const WRONG_PARAMETERS = { code: -32602, status: 200 };
const BATCH =
  'The body is a list: send one JSON-RPC message in each request. The protocol has no batches since its revision 2025-06-18.';

/** What is wrong with a message to /mcp, in the form that a host of the protocol reads. */
export const jsonRpcProblem: ErrorForm = ({ code: name, detail, errors, request_id }, req) => {
  const isOfParameters = errors?.some(({ where }) => where.startsWith('body/params/'));
  const formOfMessage = isOfParameters ? WRONG_PARAMETERS : FORMS[name];
  const form = req.method === 'POST' && req.path === MCP_PATH ? formOfMessage : undefined;
  const isOfAddress = errors?.some(({ where }) => !where.startsWith('body'));
  if (!form || isOfAddress) return null;
  const message = Array.isArray(req.body) ? BATCH : detail;
  const error = { code: form.code, message, data: { code: name, request_id, errors } };
  return { status: form.status, body: { jsonrpc: '2.0', id: idOf(req), error } };
};

/** The id of the message; null where it cannot be told (JSON-RPC 2.0, 5). */
function idOf({ body }: Request): string | number | null {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
