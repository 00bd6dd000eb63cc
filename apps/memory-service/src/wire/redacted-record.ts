import type { JsonFields } from '@agent-faculties/service-kit/http';

/**
 * A record with its secrets masked. Where the text held a secret, everything made from that text is left out and made again:
 * entities, vectors, and a gist that nobody has edited.
 * @throws InvalidInputError where secrets are blocked and the record holds one
 */
export async function redactedRecord(
  fields: JsonFields,
  redact: (fields: JsonFields) => Promise<JsonFields>,
): Promise<JsonFields> {
  const redacted = await redact(fields);
  if (redacted.content === fields.content && redacted.gist === fields.gist) return redacted;
  const { entities: _entities, vectors: _vectors, embedding_model: _model, gist, ...rest } = redacted;
  const isOwnGist = fields.gist_edited === true || fields.kind === 'semantic';
  return isOwnGist && gist !== undefined ? { ...rest, gist } : rest;
}
