import type { JsonFields } from '../http/ndjson.ts';
import { InvalidInputError } from '../problems/errors.ts';
import { parseInstant } from '../values/instant.ts';

// What a contract would check of a body, for records that come as lines: each function returns the value of one field, or
// throws an InvalidInputError that names the field and says what it must be.

/** 1 to 128 characters, not blank, no control characters nor halves of surrogate pairs: the `Name` of the contracts. */
const NAME = /^(?=.*\S)[^\p{Cc}\p{Cs}]{1,128}$/u;

export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

export function nameField(fields: JsonFields, field: string): string {
  const value = fields[field];
  if (isName(value)) return value;
  throw new InvalidInputError(`${field} must be 1 to 128 characters, not blank, without control characters`);
}

export function nameOrNullField(fields: JsonFields, field: string): string | null {
  return (fields[field] ?? null) === null ? null : nameField(fields, field);
}

/** Epoch milliseconds. */
export function instantField(fields: JsonFields, field: string): number {
  const value = fields[field];
  if (typeof value !== 'string') throw new InvalidInputError(`${field} must be an ISO 8601 instant`);
  return parseInstant(value, field);
}

export function oneOfField<const Value extends string>(
  fields: JsonFields,
  field: string,
  values: readonly Value[],
): Value {
  const found = values.find((value) => value === fields[field]);
  if (found === undefined) throw new InvalidInputError(`${field} must be one of ${values.join(', ')}`);
  return found;
}
