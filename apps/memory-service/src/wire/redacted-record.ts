import type { JsonFields } from '@agent-faculties/service-kit';

/**
 * A record to be merged without secrets. What was made of a text that held one is left out, so that it is made anew: the names
 * read from it, its vectors, and a gist that nobody has put in its place.
 * @throws InvalidInputError where the record may not come in
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
