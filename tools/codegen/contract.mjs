import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const EVENTS_TYPE = 'text/event-stream';

/** A contract with what a client has to know of each of its operations; those that carry requests of another protocol have clients of their own. */
export function readContract(url) {
  const document = parse(readFileSync(url, 'utf8'));
  refuseCutTexts(document, url);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] && !item[method]['x-carries-requests']).map((method) =>
      describe(document, path, method, item),
    ),
  );
  return { document, operations };
}

/** A comma ends a text without quotes between braces, and what is behind it becomes a key without a value. */
function refuseCutTexts(value, url, path = []) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null && key.includes(' ')) {
      throw new Error(`${url.pathname}: ${path.join(' > ')} ends before "${key}": put the text in quotes.`);
    }
    refuseCutTexts(inner, url, [...path, key]);
  }
}

function describe(document, path, method, item) {
  const operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => follow(document, one));
  const body = operation.requestBody?.content ?? {};
  const [answerType, answerSchema] = answerContent(document, operation);
  const schema = follow(document, answerSchema);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description?.trim() ?? '',
    parameters,
    bodySchema: body[JSON_TYPE] ? body[JSON_TYPE].schema : null,
    isBodyRequired: operation.requestBody?.required === true,
    takesLines: LINES_TYPE in body,
    answers: answerOf(answerType),
    /** The field with the items of a page, where the answer is one page of a list. */
    pages: pageField(document, schema),
    answerSchema,
    /** Whether the same request again does no harm: true, or the field with which it does none. */
    repeatable: method === 'get' || operation['x-reads-only'] === true || (operation['x-idempotent'] ?? false),
    /** The field with which it does no harm, and for which a client makes a value where it is absent. */
    key: operation['x-idempotency-key'] ?? null,
  };
}

/** Media type and schema of the answer when all went well. */
function answerContent(document, { responses }) {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [type, media] = Object.entries(follow(document, answer)?.content ?? {})[0] ?? [];
  return [type ?? 'text/plain', media?.schema];
}

function answerOf(type) {
  if (type === LINES_TYPE) return 'lines';
  if (type === EVENTS_TYPE) return 'events';
  return type === JSON_TYPE ? 'json' : 'text';
}

function pageField(document, schema) {
  if (!schema?.properties?.next_cursor) return null;
  return Object.entries(schema.properties).find(([, value]) => follow(document, value).type === 'array')?.[0] ?? null;
}

/** What a reference points to; anything else is itself. */
function follow(document, value) {
  if (!value?.$ref) return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], document);
  return follow(document, target);
}
