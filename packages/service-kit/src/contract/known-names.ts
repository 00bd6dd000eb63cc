import type { Fault } from '../problems/errors.ts';
import { MAX_SCHEMA_DEPTH, type OpenApiDocument, operationsOf, targetOf } from './openapi.ts';

/** What is said of a name that the contract does not have, before anybody looks which names it has. */
export const UNKNOWN_NAME = 'is not known here: remove it';

/** The names of the fields of JSON bodies, by operationId, in the order of the contract. */
export function bodyFieldsOf(spec: OpenApiDocument): ReadonlyMap<string, readonly string[]> {
  return new Map(
    operationsOf(spec).map(({ operationId, method, path }) => {
      const { requestBody } = spec.paths[path]?.[method] ?? {};
      const json = requestBody?.content?.['application/json'] as { schema?: unknown } | undefined;
      return [operationId, fieldsOf(spec, json?.schema, 0)];
    }),
  );
}

function fieldsOf(spec: OpenApiDocument, node: unknown, depth: number): string[] {
  if (typeof node !== 'object' || node === null || depth > MAX_SCHEMA_DEPTH) return [];
  const { $ref: reference, properties = {}, allOf = [] } = node as Schema;
  if (reference !== undefined) return fieldsOf(spec, targetOf(spec, reference), depth + 1);
  return [...Object.keys(properties), ...allOf.flatMap((part) => fieldsOf(spec, part, depth + 1))];
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly allOf?: readonly unknown[];
}

/** The fault of a field at the top of a body, with the name that it should have. */
export function withKnownField(fault: Fault, known: readonly string[]): Fault {
  const [, name] = /^body\/([^/]+)$/.exec(fault.where) ?? [];
  return name !== undefined && fault.message === UNKNOWN_NAME ? { ...fault, message: unknownName(name, known) } : fault;
}

/** What to do with an unknown name: to write it as the contract does, if that has it in another form, or to take another one. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = known.find((one) => plain(one) === plain(name));
  if (meant !== undefined) return `is not known here: write ${meant}`;
  return known.length === 0 ? UNKNOWN_NAME : `${UNKNOWN_NAME}, or take one of ${known.join(', ')}`;
}

/** Alike for agentId, Agent-ID and agent_id, and for one and several. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '').replace(/s$/, '');
}
