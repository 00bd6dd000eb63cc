import type { RequestHandler } from 'express';
import openApiValidator from 'express-openapi-validator';
import { hasBody } from './connection-guard.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiPathItem } from './openapi.ts';

export interface ContractOptions {
  readonly spec: OpenApiDocument;
  /** Costs time and answers 500 where the service breaks its own contract: for tests and development. */
  readonly validateResponses: boolean;
}

/** Middleware that holds requests, and if wanted responses, against the contract and coerces parameters to its types. */
export function contractValidation({ spec, validateResponses }: ContractOptions): RequestHandler[] {
  const handlers = openApiValidator.middleware({
    apiSpec: validatorDocument(spec) as never,
    validateApiSpec: true,
    validateResponses,
    validateSecurity: false,
    fileUploader: false,
    validateRequests: {
      // All faults in one answer spare a client one round per fault. validatorDocument bounds how many a body can have.
      allErrors: true,
      // Unknown parameters are reported by parameterFaults, all of them at once.
      allowUnknownQueryParameters: true,
      coerceTypes: false,
      removeAdditional: false,
    },
  });
  return handlers as unknown as RequestHandler[];
}

/**
 * The contract as the validator needs it, a copy:
 * - `allowReserved` on every query parameter, else `q=a+b` is refused. It is not in the contract itself because clients
 *   generated from it would then stop to encode `&`;
 * - HEAD wherever there is GET, else it is answered with 405;
 * - items of an array that is longer than `maxItems` are not looked at, else collecting all faults takes a second or more for
 *   a body of nothing but faulty items, and nobody else is answered meanwhile;
 * - `required: false` spelled out on request bodies, because the validator takes an absent one for true.
 */
function validatorDocument(spec: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(spec) as { paths: Record<string, OpenApiPathItem>; components?: unknown };
  copy.components ??= {};
  visit(copy, (node) => {
    if (node.in === 'query' && typeof node.name === 'string') node.allowReserved ??= true;
    if (typeof node.maxItems === 'number' && node.items !== undefined) {
      node.if = { maxItems: node.maxItems };
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      node.then = { items: node.items };
      delete node.items;
    }
  });
  for (const item of Object.values(copy.paths) as Record<string, OpenApiOperation>[]) {
    if (item.get && !item.head) item.head = item.get;
    for (const { requestBody } of Object.values(item)) {
      if (requestBody) (requestBody as { required?: boolean }).required ??= false;
    }
  }
  return copy as OpenApiDocument;
}

function visit(node: unknown, change: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) change(node as Record<string, unknown>);
  for (const child of Object.values(node)) visit(child, change);
}

/**
 * Reduces Content-Type to its media type before validation. The validator compiles and keeps one schema per spelling of the
 * header, so a client that counts up a parameter would fill the memory.
 */
export function plainContentType(spec: OpenApiDocument): RequestHandler {
  const known = new Set<string>();
  visit(spec.paths, (node) => {
    if (typeof node.content === 'object' && node.content !== null)
      for (const type of Object.keys(node.content)) known.add(type);
  });
  return (req, _res, next) => {
    const given = req.headers['content-type'];
    // Nothing is sent and nothing is said about it: what is missing is the body, not its type.
    if (given === undefined && !hasBody(req)) req.headers['content-type'] = 'application/json';
    if (given !== undefined) {
      const mediaType = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      req.headers['content-type'] = known.has(mediaType) ? mediaType : 'application/octet-stream';
    }
    next();
  };
}
