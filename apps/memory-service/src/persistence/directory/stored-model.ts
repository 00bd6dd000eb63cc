import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { MEMORIES_FILE, type Segment, segmentsAmong } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';
import type { ReadChange } from '../journal/change-line.ts';
import { replayJournal } from '../journal/journal-reader.ts';
import { readMemoriesHeader } from '../snapshot/memories-file.ts';
import type { MemoriesHeader } from '../snapshot/memories-lines.ts';

/**
 * Tells the model of the vectors in a data directory, null where it has no vectors; null in place of both where there is no store. A
 * caller that opens the store for that model keeps its vectors.
 * @throws DataDirectoryError when it cannot be read
 */
export async function storedModel(dataDir: string): Promise<{ readonly model: VectorModel | null } | null> {
  try {
    const names = await readdir(dataDir);
    const header = names.includes(MEMORIES_FILE) ? await readMemoriesHeader(join(dataDir, MEMORIES_FILE)) : null;
    if (header) return { model: modelIn(header) };
    const segments = segmentsAmong(dataDir, names);
    return segments.length === 0 ? null : { model: await modelInJournal(segments) };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return null;
    if (code === null) throw error;
    throw new DataDirectoryError(
      `${dataDir} cannot be read (${(error as Error).message}): check that it is a folder and that this user may read it.`,
    );
  }
}

/** The model of the vectors of a save; null: the save has no vectors. */
export function modelIn({ vectors }: Pick<MemoriesHeader, 'vectors'>): VectorModel | null {
  return vectors && { id: vectors.model, dimension: vectors.dimension };
}

/** Reads the model from the journal of a directory that was never saved. */
async function modelInJournal(segments: readonly Segment[]): Promise<VectorModel | null> {
  let model: VectorModel | null = null;
  const apply = (change: ReadChange) => {
    if ('vectors' in change) model ??= change.vectors?.model ?? null;
  };
  await replayJournal({ segments, savedSequence: null, apply, keepReading: true, sync: false });
  return model;
}
