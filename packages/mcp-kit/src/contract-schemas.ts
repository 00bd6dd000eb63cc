import { type LocatedOperation, type OpenApiDocument, operationsOf } from '@agent-faculties/service-kit/http';
import type { Field, JsonSchema } from './json-schema.ts';

/** The part of a request that holds an argument. */
export type Place = 'path' | 'query' | 'header' | 'body';

export interface Argument extends Field {
  readonly place: Place;
}

/** Keywords that clients of tools do not need: the contract checks them, and its errors explain them. */
const LEFT_OUT = new Set(['pattern', 'examples', 'unevaluatedProperties', 'additionalProperties', 'x-must-be']);

/** The schemas of a contract for tools: references are resolved, and all fields of an object stand in one place. */
export class ContractSchemas {
  readonly #spec: OpenApiDocument;
  readonly #operations: ReadonlyMap<string, LocatedOperation>;
  readonly #arguments = new Map<string, ReadonlyMap<string, Argument>>();

  constructor(spec: OpenApiDocument) {
    this.#spec = spec;
    this.#operations = new Map(operationsOf(spec).map((operation) => [operation.operationId, operation]));
  }

  /** @throws Error where the contract has no such operation */
  operation(operationId: string): LocatedOperation {
    const operation = this.#operations.get(operationId);
    if (!operation) throw new Error(`${operationId} is not in the contract.`);
    return operation;
  }

  /** A schema of `components.schemas`, by its name. */
  component(name: string): JsonSchema {
    return this.#plain({ $ref: `#/components/schemas/${name}` });
  }

  /** Some fields of a schema of `components.schemas`. @throws Error for a field that it does not have */
  fieldsOf(name: string, fields: readonly string[]): Record<string, JsonSchema> {
    const { properties = {} } = this.component(name);
    return Object.fromEntries(
      fields.map((field) => {
        const schema = properties[field];
        if (!schema) throw new Error(`${name} has no field ${field}.`);
        return [field, schema];
      }),
    );
  }

  /** What an operation does, in a line. */
  summary(operationId: string): string {
    const { path, method } = this.operation(operationId);
    return String((this.#spec.paths[path]?.[method] as { summary?: string } | undefined)?.summary);
  }

  /** The schema of the answer 200 of an operation. */
  answer(operationId: string): JsonSchema {
    const { path, method } = this.operation(operationId);
    const { responses = {} } = (this.#spec.paths[path]?.[method] ?? {}) as { responses?: Record<string, object> };
    const { content } = this.#followed(responses['200'] ?? {}) as { content?: Record<string, { schema: object }> };
    return this.#plain(content?.['application/json']?.schema ?? {});
  }

  /** The arguments of an operation. A field of the body hides a parameter of the same name, because its description has more detail. */
  argumentsOf(operationId: string): ReadonlyMap<string, Argument> {
    const known = this.#arguments.get(operationId) ?? this.#readArguments(operationId);
    this.#arguments.set(operationId, known);
    return known;
  }

  #readArguments(operationId: string): Map<string, Argument> {
    const { path, method, parameters } = this.operation(operationId);
    const { requestBody } = this.#spec.paths[path]?.[method] ?? {};
    const found = new Map<string, Argument>();
    for (const { name, in: place, schema, required, description } of parameters as readonly ContractParameter[]) {
      if (place === 'cookie') continue;
      const plain = this.#plain(schema ?? {});
      const described = description === undefined ? plain : { ...plain, description };
      found.set(name, { place, schema: described, required: required === true });
    }
    const json = requestBody?.content?.['application/json'] as { schema: object } | undefined;
    const body = this.#plain(json?.schema ?? {});
    for (const [name, schema] of Object.entries(body.properties ?? {}))
      found.set(name, { place: 'body', schema, required: body.required?.includes(name) ?? false });
    return found;
  }

  #plain(node: object): JsonSchema {
    const { allOf, ...own } = this.#followed(node) as { allOf?: readonly object[] } & Record<string, unknown>;
    const inherited = (allOf ?? []).map((part) => this.#plain(part));
    const plain: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(own))
      if (!LEFT_OUT.has(keyword)) plain[keyword] = this.#within(keyword, value);
    return inherited.reduceRight<JsonSchema>(merged, plain);
  }

  #within(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') {
      return Object.fromEntries(
        Object.entries(value as Record<string, object>).map(([name, one]) => [name, this.#plain(one)]),
      );
    }
    if (keyword === 'items') return this.#plain(value as object);
    if (keyword === 'anyOf' || keyword === 'oneOf') return (value as object[]).map((one) => this.#plain(one));
    return value;
  }

  #followed(node: object): object {
    const { $ref: reference } = node as { $ref?: string };
    if (reference === undefined) return node;
    const steps = reference.replace(/^#\//, '').split('/');
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], this.#spec);
    if (typeof target !== 'object' || target === null) throw new Error(`${reference} is not in the contract.`);
    return target;
  }
}

interface ContractParameter {
  readonly name: string;
  readonly in: Place | 'cookie';
  readonly schema?: object;
  readonly required?: boolean;
  readonly description?: string;
}

/** Merges two schemas of parts of one object; `own` comes first. */
function merged(own: JsonSchema, inherited: JsonSchema): JsonSchema {
  const properties = { ...inherited.properties, ...own.properties };
  const required = [...new Set([...(inherited.required ?? []), ...(own.required ?? [])])];
  return {
    ...inherited,
    ...own,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}
