/** A JSON Schema (2020-12) without references. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** A field of an object, required or not. */
export interface Field {
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function objectOf(fields: Readonly<Record<string, Field>>): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
  };
}

/** An object that has all of these fields. */
export function whole(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectOf(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { schema, required: true }])),
  );
}
