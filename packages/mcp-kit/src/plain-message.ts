import { InvalidInputError } from '@agent-faculties/service-kit';

type Fields = Readonly<Record<string, unknown>>;

/** The parameter that names what a request of a method is about. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * A message without parameters or arguments that say nothing: null, which a client in Go writes for a map that it has not made, and an
 * empty list, which one in PHP writes for an empty map.
 * @throws InvalidInputError for those of another form, which the SDK would answer with the inside of its validator
 */
export function plainMessage(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { params: sent, ...message } = body;
  const params = isNothing(sent) ? undefined : sent;
  const nameField = NAMED_BY[String(message.method)];
  if (nameField === undefined) return params === undefined ? message : body;
  if (!isObject(params) || typeof params[nameField] !== 'string') throw wrong(nameField, 'must be a text');
  const { arguments: given, ...others } = params;
  if (isNothing(given)) return { ...message, params: others };
  if (!isObject(given)) throw wrong('arguments', 'must be an object, with a field for each argument');
  return body;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(name: string, message: string): InvalidInputError {
  const where = `body/params/${name}`;
  return new InvalidInputError(`${where} ${message}.`, { faults: [{ where, message }] });
}
