import type { RequestHandler } from 'express';
import openApiValidator from 'express-openapi-validator';
import frameworks from 'express-openapi-validator/dist/framework/index.js';
import schemaValidators from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import parameterMutators from 'express-openapi-validator/dist/middlewares/parsers/req.parameter.mutator.js';
import { wholePattern } from '../contract/contract-patterns.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiPathItem } from '../contract/openapi.ts';
import { hasBody } from '../http/connection-guard.ts';
import { inSequence } from './in-sequence.ts';
import './less-compilation.ts';
import { rememberOperations } from './operation-memory.ts';

export interface ContractOptions {
  readonly spec: OpenApiDocument;
  /** Validates answers too, and answers 500 where the service breaks its contract: for tests and development. */
  readonly validateResponses: boolean;
  /** Also validates the contract itself against the schema of OpenAPI, which takes half a second; absent: where answers are validated. */
  readonly validateContract?: boolean;
}

const { OpenAPISchemaValidator } = schemaValidators;
/**
 * The library compiles the schema of OpenAPI for every validator, even where the contract is not validated: half a second of each
 * start. This class compiles it at its first use.
 */
schemaValidators.OpenAPISchemaValidator = class {
  readonly #options: ConstructorParameters<typeof OpenAPISchemaValidator>[0];

  constructor(options: ConstructorParameters<typeof OpenAPISchemaValidator>[0]) {
    this.#options = options;
  }

  validate(...contract: Parameters<InstanceType<typeof OpenAPISchemaValidator>['validate']>) {
    return new OpenAPISchemaValidator(this.#options).validate(...contract);
  }
} as unknown as typeof OpenAPISchemaValidator;

/** The part of the library's reader of contracts that it keeps to itself. */
interface OpenAPIFramework {
  loadSpec(contract: object): Promise<object>;
}

/** Goes through the whole contract for references to other documents, a tenth of a second of each start. No contract here has one. */
(frameworks.OpenAPIFramework.prototype as unknown as OpenAPIFramework).loadSpec = async (contract) => contract;

const { prototype: mutator } = parameterMutators.RequestParameterMutator;
const { modifyRequest } = mutator;
/**
 * Parses query parameters with brackets, lists and objects, and for that reads the URL of each request twice. Most requests have no
 * query, and no contract here has lists or objects in a path or a header.
 */
mutator.modifyRequest = function (req) {
  if (req.originalUrl.includes('?')) modifyRequest.call(this, req);
};

/** Middleware that validates requests, and optionally responses, against the contract and coerces parameters to its types. */
export function contractValidation({
  spec,
  validateResponses,
  validateContract = validateResponses,
}: ContractOptions): RequestHandler {
  const handlers = openApiValidator.middleware({
    apiSpec: validatorDocument(spec) as never,
    validateApiSpec: validateContract,
    validateResponses,
    validateSecurity: false,
    fileUploader: false,
    validateRequests: {
      // All faults in one answer spare a client one round per fault.
      allErrors: true,
      // Unknown parameters are reported by parameterFaults, all of them at once.
      allowUnknownQueryParameters: true,
      coerceTypes: false,
      removeAdditional: false,
    },
  }) as unknown as RequestHandler[];
  // Found by their names, the only mark they have. If a name changes, requests only become slower.
  const ofName: Record<string, (handler: RequestHandler) => RequestHandler> = {
    pathParamsMiddleware: untilItSucceeds,
    metadataMiddleware: (handler) => rememberOperations(spec, handler),
    securityMiddleware: untilItSucceeds,
  };
  return inSequence(...handlers.map((handler) => ofName[handler.name]?.(handler) ?? handler));
}

/** A handler that only waits for the contract to be read, and fails where it cannot be: its first success is enough. */
function untilItSucceeds(handler: RequestHandler): RequestHandler {
  let isDone = false;
  return (req, res, next) => {
    if (isDone) return next();
    return handler(req, res, (error?: unknown) => {
      isDone = !error;
      next(error);
    });
  };
}

/**
 * A copy of the contract, changed for the validator:
 * - `allowReserved` on every query parameter, else `q=a+b` is refused. It is not in the contract itself because clients
 *   generated from it would then stop to encode `&`;
 * - the whole rule in place of each pattern that stands for one;
 * - HEAD wherever there is GET, else it is answered with 405;
 * - `required: false` spelled out on request bodies, because the validator takes an absent one for true;
 * - a list of required fields, be it empty, on the schema of each JSON body that is required, because the validator asks for
 *   the body only where there is one.
 */
function validatorDocument(spec: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(spec) as { paths: Record<string, OpenApiPathItem>; components?: unknown };
  copy.components ??= {};
  visit(copy, (node) => {
    if (node.in === 'query' && typeof node.name === 'string') node.allowReserved ??= true;
    if (typeof node.pattern === 'string') node.pattern = wholePattern(node.pattern);
  });
  for (const item of Object.values(copy.paths) as Record<string, OpenApiOperation>[]) {
    if (item.get && !item.head) item.head = item.get;
    for (const { requestBody } of Object.values(item) as { requestBody?: ValidatedBody }[]) {
      if (!requestBody) continue;
      requestBody.required ??= false;
      const schema = resolved(copy, requestBody.content?.['application/json']?.schema);
      if (requestBody.required && schema) schema.required ??= [];
    }
  }
  return copy as OpenApiDocument;
}

interface ValidatedBody {
  required?: boolean;
  content?: Record<string, { schema?: ValidatedSchema }>;
}

interface ValidatedSchema {
  $ref?: string;
  required?: string[];
}

function resolved(document: object, schema: ValidatedSchema | undefined): ValidatedSchema | undefined {
  if (!schema?.$ref) return schema;
  const steps = schema.$ref.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as ValidatedSchema;
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
    // No body and no Content-Type: the fault to report is the missing body, not its type.
    if (given === undefined && !hasBody(req)) req.headers['content-type'] = 'application/json';
    if (given !== undefined) {
      const mediaType = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      req.headers['content-type'] = known.has(mediaType) ? mediaType : 'application/octet-stream';
    }
    next();
  };
}
