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
}

interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** The contract as it is written, read with none of the code that serves it. */
export function readContract(url: URL): ContractDocument {
  return parse(readFileSync(url, 'utf8')) as ContractDocument;
}

export function contractOperations({ paths }: ContractDocument): ContractOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        path,
        method,
        operationId: operation.operationId,
        readsOnly: method === 'get' || (operation as { 'x-reads-only'?: boolean })['x-reads-only'] === true,
      })),
  );
}
