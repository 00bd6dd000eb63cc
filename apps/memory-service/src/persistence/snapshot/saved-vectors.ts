import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { DamagedIndexFileError, IndexDimensionError, readFlatIndex } from '../../search/vectors/faiss/faiss-file.ts';
import { MatrixFullError, type VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import { systemCode } from '../files/system-code.ts';

/** The vectors of a save: in faiss.index, or in a table of the database. */
export interface SavedVectors {
  readonly model: string;
  readonly dimension: number;
  readonly rows: number;
  /** Of faiss.index, or the mark of the table. */
  readonly sha256: string;
}

/** In place of the SHA-256 of faiss.index, with a number: the vectors are in this table of the database. */
const TABLE = /^table (\d{1,15})$/;

/** Says of saved vectors that they are in a table of the database. */
export function tableMark(number: number): string {
  return `table ${number}`;
}

/** The number of the table in the database that has the vectors of a save; null: faiss.index has them, or there are none. */
export function tableOf(saved: SavedVectors | null): number | null {
  const [, number] = TABLE.exec(saved?.sha256 ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

/** Why saved vectors are not those of this model, in words for the operator; null where they are. */
export function whyOfAnotherModel(saved: SavedVectors | null, model: VectorModel): string | null {
  if (!saved) return 'the memories were saved without vectors';
  if (saved.model === model.id && saved.dimension === model.dimension) return null;
  return `the vectors in faiss.index come from the model ${saved.model} (${saved.dimension} dimensions)`;
}

/** Why vectors that were read are not the ones that were saved with the memories; null where they are. */
export function whyNotSaved(sha256: string, saved: SavedVectors | null): string | null {
  return sha256 === saved?.sha256 ? null : 'faiss.index was not saved with memories.json';
}

/**
 * Reads the vectors of faiss.index into an empty matrix, so that they have the row numbers that memories.json uses.
 * @returns why these are not the vectors of memories.json, in words for the operator; null when they are
 */
export async function readSavedVectors(
  path: string,
  { saved, model, matrix }: { saved: SavedVectors | null; model: VectorModel; matrix: VectorMatrix },
): Promise<string | null> {
  const why = whyOfAnotherModel(saved, model);
  if (why !== null) return why;
  try {
    const { sha256 } = await readFlatIndex(path, { matrix });
    return whyNotSaved(sha256, saved);
  } catch (error) {
    return whyUnreadable(error);
  }
}

/** @throws the error itself, where it says nothing about the file */
export function whyUnreadable(error: unknown): string {
  if (error instanceof MatrixFullError) return `--max-memories leaves room for fewer of them (${error.message})`;
  if (systemCode(error) === 'ENOENT') return 'faiss.index is missing';
  if (error instanceof DamagedIndexFileError || error instanceof IndexDimensionError) {
    return `faiss.index is damaged (${error.message})`;
  }
  throw error;
}
