import type { JsonSchema } from './json-schema.ts';
import type { Arguments } from './tool.ts';

/** A number as JSON writes it, but for an exponent. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * The arguments as a model means them. What says nothing is left out: null, and what models send under strict schemas for what they
 * leave out: "", false where only true means anything, and an empty list where a list has items. What is of another type and says the same
 * is taken for it: "5" where a number is asked for, a text or a list written out as JSON where texts are, "private" where PRIVATE is. All
 * else stays, and the contract decides.
 */
export function toldArguments(given: Arguments, { properties = {}, required = [] }: JsonSchema): Arguments {
  const mayBeLeftOut = (name: string) => Object.hasOwn(properties, name) && !required.includes(name);
  const read = Object.entries(given).map(([name, value]): [string, unknown] => [
    name,
    Object.hasOwn(properties, name) ? meant(value, properties[name] as JsonSchema) : value,
  ]);
  return Object.fromEntries(
    read.filter(
      ([name, value]) => value !== null && !(mayBeLeftOut(name) && saysNothing(value, properties[name] as JsonSchema)),
    ),
  );
}

function saysNothing(value: unknown, schema: JsonSchema): boolean {
  if (Array.isArray(value)) return value.length === 0 && typeof schema.minItems === 'number' && schema.minItems > 0;
  return value === '' || (value === false && isTrueAlone(schema));
}

function isTrueAlone({ enum: allowed }: JsonSchema): boolean {
  return Array.isArray(allowed) && allowed.length === 1 && allowed[0] === true;
}

function meant(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'string') return value;
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return ofEnum(value, schema.enum);
  if (types.includes('array')) return value === '' ? value : (writtenList(value) ?? [value]);
  if ((types.includes('number') || types.includes('integer')) && PLAIN_NUMBER.test(value)) return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** The texts of a list that stands in a text as JSON; null for any other text. */
function writtenList(text: string): readonly string[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : null;
  } catch {
    return null;
  }
}

/** The allowed value that differs by its case alone, where there is one. */
function ofEnum(value: string, allowed: unknown): string {
  if (!Array.isArray(allowed) || allowed.includes(value)) return value;
  const lower = value.toLowerCase();
  const alike = allowed.filter((one): one is string => typeof one === 'string' && one.toLowerCase() === lower);
  return alike[0] ?? value;
}
