import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonFields } from '../http/ndjson.ts';
import { InvalidInputError } from '../problems/errors.ts';
import { wholePattern } from './contract-patterns.ts';
import type { OpenApiDocument } from './openapi.ts';

/** The keywords of a schema from which the message about a fault is made. */
interface FieldSchema {
  /** What the value must be, in words, where the other keywords are hard to read. */
  readonly 'x-must-be'?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** Keywords that do not constrain the value. */
const ANNOTATIONS = ['components', 'x-must-be'];

/** The pattern that a pattern of the contract stands for, as for requests. */
const regExp = Object.assign((pattern: string, flags: string) => new RegExp(wholePattern(pattern), flags), {
  code: 'new RegExp',
});

/**
 * Validates records against a schema of the contract. For the lines of a stream, which request validation does not see.
 * Compiling the schema takes 40 ms, checking a record some µs. Fields that the schema does not name are kept as they are.
 * @param schema its name under `components.schemas`
 * @returns a function that returns the record, typed, or throws an InvalidInputError about the first fault: "tags/3 must be ..."
 * @throws Error when there is no such schema, or when it uses a keyword that is unknown
 */
export function recordReader<Fields extends object>(
  spec: OpenApiDocument,
  schema: string,
): (fields: JsonFields) => Fields {
  const ajv = new Ajv2020({
    // The schema of a fault makes the words about it.
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    // The schema of schemas takes as long as this one, and tests hold the whole contract to it.
    validateSchema: false,
    code: { regExp },
  });
  ajv.addVocabulary(ANNOTATIONS);
  const validate = ajv.compile<Fields>({
    $ref: `#/components/schemas/${schema}`,
    components: spec.components,
  });
  return (fields) => {
    if (validate(fields)) return fields;
    throw new InvalidInputError(faultOf(validate.errors?.[0] as ErrorObject));
  };
}

function faultOf({ keyword, instancePath, params, parentSchema }: ErrorObject): string {
  const field = instancePath.slice(1);
  if (keyword === 'required') return `${field && `${field}/`}${params.missingProperty} is required`;
  return `${field} must be ${expected(parentSchema as FieldSchema)}`;
}

function expected(schema: FieldSchema): string {
  if (schema['x-must-be']) return schema['x-must-be'];
  const { type, minimum, maximum, maxItems } = schema;
  if (schema.enum) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}`;
  switch ([type].flat()[0]) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'number':
      return `a number from ${minimum} to ${maximum}`;
    case 'array':
      return `a list of at most ${maxItems}`;
    case 'object':
      return 'an object';
    default:
      return 'a text';
  }
}
