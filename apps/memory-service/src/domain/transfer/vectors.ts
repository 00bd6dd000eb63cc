import { InvalidInputError } from '@agent-faculties/service-kit';
import type { JsonFields } from '@agent-faculties/service-kit/http';
import { splitIntoChunks } from '../embedding/chunks.ts';
import { vectorsFromBase64 } from '../embedding/vector-base64.ts';
import type { VectorModel } from '../embedding/vector-model.ts';

/** How far the length of a vector may be from 1, because 32-bit numbers and some models round. */
const LENGTH_TOLERANCE = 0.01;

/**
 * The vectors of a record, if this store can use them: of its model, one for each chunk of the text, each of length 1. Empty where
 * they come from another model or belong to other chunks; then they are made again.
 * @throws InvalidInputError when the record names this model and the vectors are not valid for it
 */
export function checkedVectors(
  fields: JsonFields,
  { text, model }: { text: string; model: VectorModel | null },
): Float32Array[] {
  const { vectors, embedding_model: modelId } = fields;
  if ((vectors ?? null) === null) return [];
  if (typeof modelId !== 'string') throw new InvalidInputError('embedding_model must name the model of the vectors');
  if (!Array.isArray(vectors)) throw new InvalidInputError('vectors must be a list, one for each chunk of the text');
  if (modelId !== model?.id) return [];
  const checked = vectors.map((vector) => vectorOf(vector, model.dimension));
  return checked.length === splitIntoChunks(text).length ? checked : [];
}

function vectorOf(base64: unknown, dimension: number): Float32Array {
  const vector = typeof base64 === 'string' ? vectorsFromBase64(base64) : null;
  if (vector?.length !== dimension) {
    throw new InvalidInputError(`vectors must each be base64 of ${dimension} 32-bit floats, little-endian`);
  }
  // Also true for NaN.
  if (!(Math.abs(Math.hypot(...vector) - 1) <= LENGTH_TOLERANCE)) {
    throw new InvalidInputError('vectors must each be of length 1');
  }
  return vector;
}
