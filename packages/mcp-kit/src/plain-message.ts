type Fields = Readonly<Record<string, unknown>>;

/**
 * A message without parameters or arguments that say nothing: null, which a client in Go writes for a map that it has not made, and an
 * empty list, which one in PHP writes for an empty map.
 */
export function plainMessage(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { params, ...message } = body;
  if (isNothing(params)) return message;
  if (!isObject(params)) return body;
  const { arguments: given, ...others } = params;
  return isNothing(given) ? { ...message, params: others } : body;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
