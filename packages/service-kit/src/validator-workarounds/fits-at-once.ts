import type { Request, RequestHandler } from 'express';
import requestValidators from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import type { FoundOperation } from './operation-memory.ts';

/** What the library compiles for an operation: true for a request that fits. */
interface Check {
  (request: object): boolean;
  readonly schema: { readonly properties: { readonly body: { readonly _discriminator?: object } } };
}

interface Checks {
  readonly parameters: Check;
  readonly body: Check;
}

/** The parts of the library's validator that it keeps to itself. */
interface Validator {
  readonly ajv: { getSchema(key: string): Check | undefined };
  readonly ajvBody: { getSchema(key: string): Check | undefined };
  buildMiddleware(path: string, operation: object, contentType: object, key: string): RequestHandler;
}

/** By operation, and by method and Content-Type. */
const known = new WeakMap<object, Map<string, Checks>>();

const prototype = requestValidators.RequestValidator.prototype as unknown as Validator;
const { buildMiddleware } = prototype;
/** Keeps what is compiled for an operation at its first request. */
prototype.buildMiddleware = function (path, operation, contentType, key) {
  const validate = buildMiddleware.call(this, path, operation, contentType, key);
  const [parameters, body] = [this.ajv.getSchema(key), this.ajvBody.getSchema(key)];
  // With a discriminator, the library chooses among other checks.
  if (parameters && body && body.schema.properties.body._discriminator === undefined) {
    const ofOperation = known.get(operation) ?? new Map<string, Checks>();
    known.set(operation, ofOperation.set(key, { parameters, body }));
  }
  return validate;
};

/**
 * Whether a request without parameters in its URL fits its operation, by the library's own checks. For such a request the library does more around
 * them than the checks take. One that does not fit has to go through the library, which tells what is wrong.
 */
export function fitsAtOnce(req: Request): boolean {
  const { openapi } = req as { openapi?: FoundOperation & { expressRoute: string } };
  const contentType = req.headers['content-type'];
  if (!openapi || contentType !== 'application/json' || req.originalUrl.includes('?')) return false;
  const checks = known.get(openapi.schema)?.get(`${req.method}-${openapi.expressRoute}-${contentType}`);
  if (!checks || Object.keys(openapi.pathParams).length > 0) return false;
  // As the library does, so that defaults stay.
  Object.defineProperty(req, 'query', { writable: true, value: req.query });
  const request = { query: req.query, headers: req.headers, params: req.params, body: req.body as unknown };
  return checks.parameters(request) && checks.body(request);
}
