import compilers from 'express-openapi-validator/dist/framework/ajv/index.js';
import requestValidators from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import schemaPreprocessors from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';

/**
 * The answer lists all faults of a body with up to this many fields and items, and the first fault of a larger one. Collecting the
 * faults of 29,000 unknown fields blocked all requests for 300 ms.
 */
export const FULLY_TOLD_VALUES = 1_000;

type Compiler = ReturnType<typeof compilers.createRequestAjv>;
type CompilerOptions = Parameters<typeof compilers.createRequestAjv>[1];

const { createRequestAjv, createResponseAjv } = compilers;
const optionsOf = new WeakMap<Compiler, CompilerOptions>();
/**
 * The library adds the whole contract to what it compiles for an operation and for each of its answers, which makes it a document of its
 * own: the schemas that it refers to are compiled again each time. Without a name of its own it refers to those that the compiler has
 * already.
 */
compilers.createRequestAjv = (contract, options) => {
  const compiler = compilingOnce(createRequestAjv(contract, options));
  optionsOf.set(compiler, options);
  return compiler;
};
compilers.createResponseAjv = (contract, options) => compilingOnce(createResponseAjv(contract, options));

function compilingOnce(compiler: Compiler): Compiler {
  const ofOperations = new Map<string, ReturnType<Compiler['compile']>>();
  compiler.addSchema = (schema, key = '') => {
    const { paths: _paths, components: _components, ...own } = schema as Record<string, unknown>;
    ofOperations.set(key, compiler.compile(own));
    return compiler;
  };
  const getSchema = compiler.getSchema.bind(compiler);
  compiler.getSchema = ((key: string) => ofOperations.get(key) ?? getSchema(key)) as Compiler['getSchema'];
  return compiler;
}

/** The parts of the library's reader of schemas that it keeps to itself. */
interface SchemaPreprocessor {
  readonly apiDoc: object;
  resolveSchema(schema: { readonly $ref?: string } | null | undefined): unknown;
}

/** The library compiles every schema that is referred to, those of answers too, to find what stands in the contract. */
(schemaPreprocessors.SchemaPreprocessor.prototype as unknown as SchemaPreprocessor).resolveSchema = function (schema) {
  if (!schema?.$ref) return schema ?? null;
  const [, ...steps] = schema.$ref.split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], this.apiDoc);
};

/** The parts of the library's validator of requests that it keeps to itself. */
interface RequestValidator {
  readonly apiDoc: Parameters<typeof compilers.createRequestAjv>[0];
  readonly ajvBody: Compiler;
  readonly middlewareCache: object;
  validate(...request: Parameters<requestValidators.RequestValidator['validate']>): void;
}

const prototype = requestValidators.RequestValidator.prototype as unknown as RequestValidator;
const { validate } = prototype;
const briefOnes = new WeakMap<RequestValidator, RequestValidator>();
/** A second validator, which stops at the first fault of a body, would read the contract once more. */
prototype.validate = function (req, res, next) {
  if ((req.bodyValues ?? 0) <= FULLY_TOLD_VALUES) return validate.call(this, req, res, next);
  const brief = briefOnes.get(this) ?? briefly(this);
  briefOnes.set(this, brief);
  return validate.call(brief, req, res, next);
};

/** A validator of the same contract that stops at the first fault of a body. */
function briefly(validator: RequestValidator): RequestValidator {
  const options = { ...optionsOf.get(validator.ajvBody), allErrors: false };
  return Object.assign(Object.create(validator) as RequestValidator, {
    ajvBody: compilers.createRequestAjv(validator.apiDoc, options),
    middlewareCache: {},
  });
}
