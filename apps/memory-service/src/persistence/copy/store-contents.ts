import { join } from 'node:path';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { KeptVersion } from '../../store/changes/versions.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { HISTORY_FILE } from '../files/file-names.ts';
import type { OpenStore } from '../open-store.ts';
import { readVersions } from '../snapshot/history-file.ts';
import { captureContents, Snapshots } from '../snapshot/snapshot.ts';
import type { SpaceContents } from './copy-spaces.ts';

/** More than any space holds; rows of vectors that are not used take no memory. */
export const MOST_MEMORIES = 1_000_000;

/** What an open store holds. @param about.folder with the file of its versions; null: they are in memory */
export async function contentsOf(
  { indexes, archive, runLog }: OpenStore,
  { sequence, model, folder }: { sequence: number; model: VectorModel | null; folder: string | null },
): Promise<SpaceContents> {
  await indexes.vectors?.matrix.whole();
  // All of one turn: a database may be written to.
  const captured = captureContents(indexes, model);
  const snapshot = { ...captured, versions: await wholeVersions(captured.versions, folder) };
  const entries = (await archive?.entries()) ?? [];
  const pruned = (await archive?.read(entries.map(({ id }) => id))) ?? [];
  const { last, lastNight, undoers } = runLog;
  return { sequence, snapshot, pruned, noted: { last, lastNight, undoers } };
}

/** Versions with their words, which no longer hang on the file that they were read from. */
async function wholeVersions(kept: readonly KeptVersion[], folder: string | null): Promise<KeptVersion[]> {
  const lines = kept.flatMap(({ line }) => line ?? []);
  const read = folder === null ? [] : await readVersions(join(folder, HISTORY_FILE), lines);
  const byCheck = new Map(lines.map(({ check }, at) => [check, read[at]]));
  return kept.map((one) => {
    const version = one.version ?? (one.line && byCheck.get(one.line.check)) ?? null;
    return { ...one, version, line: null };
  });
}

/** Writes the files of a save. @param generation that of the files there; 0: there are none */
export async function writeContents(
  { sequence, snapshot }: SpaceContents,
  { directory, generation, savedAtMs }: { directory: DataDirectory; generation: number; savedAtMs: number },
): Promise<void> {
  const journal = {
    cut: async <Captured>(capture: () => Captured) => ({ captured: capture(), sequence, discard: async () => {} }),
  };
  const snapshots = new Snapshots({ directory, journal, generation, capture: () => snapshot, keepsVersions: true });
  await snapshots.save(savedAtMs);
}
