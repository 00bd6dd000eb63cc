import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'delete', 'patch']);

export interface ContractOperation {
  /** '/memory/{id}' */
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  /** A GET, or one that the contract marks with x-reads-only. */
  readonly readsOnly: boolean;
  /** The JSON that it takes, if it takes any: the example of it is what /docs fills in. */
  readonly body: { readonly example?: object } | undefined;
  readonly parameters: readonly ContractParameter[];
}

interface ContractParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: { readonly enum?: readonly string[] };
}

interface Operation {
  readonly operationId: string;
  readonly 'x-reads-only'?: boolean;
  readonly parameters?: readonly (ContractParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, ContractParameter>> };
}

/** The contract as it is written, read with none of the code that serves it. */
export function readContract(url: URL): ContractDocument {
  return parse(readFileSync(url, 'utf8')) as ContractDocument;
}

export function contractOperations({ paths, components }: ContractDocument): ContractOperation[] {
  const named = (parameter: ContractParameter | { readonly $ref: string }) =>
    '$ref' in parameter
      ? (components.parameters[parameter.$ref.split('/').at(-1) as string] as ContractParameter)
      : parameter;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        path,
        method,
        operationId: operation.operationId,
        readsOnly: method === 'get' || operation['x-reads-only'] === true,
        body: operation.requestBody?.content['application/json'],
        parameters: (operation.parameters ?? []).map(named),
      })),
  );
}
