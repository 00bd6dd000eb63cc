/** The parts of an OpenAPI 3.1 document that the kit reads; the rest is handed on unchanged. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  readonly components?: {
    readonly parameters?: Readonly<Record<string, OpenApiParameter>>;
    readonly schemas?: Readonly<Record<string, object>>;
  };
}

export type OpenApiPathItem = Readonly<Partial<Record<OpenApiMethod, OpenApiOperation>>> & {
  readonly parameters?: readonly (OpenApiParameter | OpenApiReference)[];
};

export interface OpenApiOperation {
  readonly operationId?: string;
  /** True for an operation that is not a GET and still changes nothing. */
  readonly 'x-reads-only'?: boolean;
  /** True for an operation whose body carries requests to other operations. Each of them is masked, audited and answered by itself. */
  readonly 'x-carries-requests'?: boolean;
  readonly parameters?: readonly (OpenApiParameter | OpenApiReference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, unknown>> };
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly schema?: { readonly type?: string | readonly string[] };
}

export interface OpenApiReference {
  readonly $ref: string;
}

export const OPENAPI_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
export type OpenApiMethod = (typeof OPENAPI_METHODS)[number];

/** One operation of a document, with its path and method. */
export interface LocatedOperation {
  readonly operationId: string;
  readonly path: string;
  readonly method: OpenApiMethod;
  /** Parameters of the path and of the operation, with references resolved. */
  readonly parameters: readonly OpenApiParameter[];
}

/** All operations in the order of the document. @throws Error for an operation without an operationId */
export function operationsOf(document: OpenApiDocument): readonly LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    OPENAPI_METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      if (!operation.operationId) throw new Error(`${method} ${path} has no operationId: give it one.`);
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [
        {
          operationId: operation.operationId,
          path,
          method,
          parameters: parameters.map((parameter) => followReference(document, parameter)),
        },
      ];
    }),
  );
}

/** The operationIds of operations that may change something: all but a GET and what the contract marks with `x-reads-only: true`. */
export function writingOperationsOf(document: OpenApiDocument): ReadonlySet<string> {
  return new Set(
    operationsOf(document)
      .filter(({ method, path }) => method !== 'get' && document.paths[path]?.[method]?.['x-reads-only'] !== true)
      .map(({ operationId }) => operationId),
  );
}

/** By operationId: the JSON body that the contract shows as an example. */
export function exampleBodiesOf(document: OpenApiDocument): ReadonlyMap<string, object> {
  return new Map(
    operationsOf(document).flatMap(({ operationId, path, method }) => {
      const { content = {} } = document.paths[path]?.[method]?.requestBody ?? {};
      const { example } = (content['application/json'] ?? {}) as { readonly example?: object };
      return example === undefined ? [] : [[operationId, example] as const];
    }),
  );
}

/** The operationIds of operations whose answer lists what was masked in the request. */
export function operationsThatReportRedactions(document: OpenApiDocument): ReadonlySet<string> {
  const reporting = operationsOf(document).filter(({ method, path }) => {
    const answer = document.paths[path]?.[method] as { responses?: Record<string, unknown> } | undefined;
    return hasRedacted(document, answer?.responses?.['200'], 0);
  });
  return new Set(reporting.map(({ operationId }) => operationId));
}

/** Deep enough for a body, or a list in an answer, that is put together from several schemas by reference. */
export const MAX_SCHEMA_DEPTH = 8;

function hasRedacted(document: object, node: unknown, depth: number): boolean {
  if (typeof node !== 'object' || node === null || depth > MAX_SCHEMA_DEPTH) return false;
  const { $ref: reference, properties, content, allOf } = node as Readonly<Record<string, unknown>>;
  if (typeof reference === 'string') return hasRedacted(document, targetOf(document, reference), depth + 1);
  if (typeof properties === 'object' && properties !== null && 'redacted' in properties) return true;
  const { 'application/json': json } = (content ?? {}) as Record<string, { schema?: unknown } | undefined>;
  const inner = [json?.schema, ...(Array.isArray(allOf) ? allOf : [])];
  return inner.some((one) => hasRedacted(document, one, depth + 1));
}

/** What a reference within the document names. */
export function targetOf(document: object, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
}

function followReference(document: OpenApiDocument, parameter: OpenApiParameter | OpenApiReference): OpenApiParameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.replace('#/components/parameters/', '');
  const target = document.components?.parameters?.[name];
  if (!target) throw new Error(`${parameter.$ref} is not in the document.`);
  return target;
}
