import { join } from 'node:path';
import { isPassing, retryWhileAway } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import { VectorMatrix } from '../../../search/vectors/vector-matrix.ts';
import type { KeptVersion } from '../../../store/changes/versions.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import type { SnapshotSink } from '../../../store/store-sink.ts';
import { FAISS_FILE, HISTORY_FILE } from '../../files/file-names.ts';
import { readVersions } from '../../snapshot/history-file.ts';
import { LATE_FROM_ROWS } from '../../snapshot/late-vectors.ts';
import { loadSnapshot } from '../../snapshot/load-snapshot.ts';
import type { SavedVectors } from '../../snapshot/saved-vectors.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { SharedVectors } from '../vectors/shared-vectors.ts';
import type { Checkpoint, CheckpointFiles } from './checkpoint-files.ts';
import type { Checkpoints } from './checkpoints.ts';
import { LateCheckpointVectors } from './late-checkpoint-vectors.ts';
import { directoryOf, inFolder } from './passing-folder.ts';
import { Reconciliation } from './reconciliation.ts';

export interface CheckpointLoad {
  readonly database: Pick<MemoryDatabase, 'postgres' | 'loads'>;
  readonly checkpoints: Checkpoints;
  readonly indexes: MemoryIndexes;
  readonly model: VectorModel | null;
  /** For vectors that are in a table. Absent: there is no model. */
  readonly shared?: SharedVectors;
  readonly log: Logger;
  /** From so many vectors on they come after the words. Absent: from 5,000. */
  readonly lateFromRows?: number | undefined;
}

export interface LoadedCheckpoint {
  /** Null where there is none. */
  readonly checkpoint: Checkpoint | null;
  /** Gives up the vectors that are still to come; resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>;
}

/**
 * Fills empty indexes. The vectors of a large space come after that: until then the matrix is not whole, and words are served.
 * @param load.bringsVectors brings vectors here that are in a table; absent: they stay there
 */
export async function loadCheckpoint(
  load: CheckpointLoad & { readonly bringsVectors?: boolean },
): Promise<LoadedCheckpoint> {
  const { checkpoints, indexes, model, shared, log, database, bringsVectors = false } = load;
  const { vectors } = indexes;
  const late = model && vectors && shared ? new LateCheckpointVectors({ model, vectors, indexes, shared, log }) : null;
  let wordsAreThere = (_checkpoint: Checkpoint | null) => {};
  const words = new Promise<Checkpoint | null>((resolve) => {
    wordsAreThere = resolve;
  });
  const wordsAndVectors = database.loads.run(() =>
    checkpoints.reading(async (files) => {
      const findInTable = async (saved: SavedVectors) =>
        bringsVectors && files && late ? late.expect(saved, files) : ((await shared?.find(saved)) ?? null);
      if (files) await read(load, files, { sink: indexes, matrix: vectors?.matrix ?? null, late, findInTable });
      wordsAreThere(files);
      await late?.take(files);
    }),
  );
  // Rejects where reading fails before the words are there.
  const checkpoint = await Promise.race([words, wordsAndVectors.then(() => words)]);
  if (vectors?.matrix.isWhole && vectors.matrix.length > 0) vectors.index.noteAppended();
  const takeAgain = async () =>
    await database.loads.run(async () => {
      if (!late?.isStopped) await checkpoints.reading(async (files) => await late?.take(files));
    });
  // What passes costs no vectors, however long it lasts.
  const again = { name: database.postgres.name, log, waitMs: Number.POSITIVE_INFINITY, isPassing };
  const settled = wordsAndVectors
    .catch(() => retryWhileAway(takeAgain, again))
    .catch(async (error: Error) => await late?.lose(error.message));
  return {
    checkpoint,
    stop: async () => {
      late?.stop();
      await settled;
    },
  };
}

/** Brings indexes that are in use to the checkpoint; to nothing where there is none. */
export async function reconcileWithCheckpoint(load: CheckpointLoad): Promise<Checkpoint | null> {
  const { database, checkpoints, indexes, shared } = load;
  const { vectors } = indexes;
  // Before a connection for loads is taken: the load of these vectors holds one.
  await vectors?.matrix.whole();
  const matrix = vectors && new VectorMatrix(vectors.matrix);
  let inTable: SavedVectors | null = null;
  const reconciliation = new Reconciliation({ indexes, matrix, isInTable: () => inTable !== null });
  const findInTable = async (saved: SavedVectors) => {
    inTable = saved;
    return null;
  };
  const checkpoint = await database.loads.run(() =>
    checkpoints.reading(async (files) => {
      if (files) await read(load, files, { sink: reconciliation, matrix, late: null, findInTable });
      return files;
    }),
  );
  await reconciliation.finish(async (texts) => (inTable && (await shared?.read(inTable, texts))) ?? new Map());
  await shared?.wasReadAnew(inTable);
  return checkpoint;
}

interface Target {
  readonly sink: SnapshotSink;
  readonly matrix: VectorMatrix | null;
  /** Takes the vectors of a large space later; null: all are read at once. */
  readonly late: LateCheckpointVectors | null;
  /** @returns why vectors that are in a table cannot be used; null where they can */
  readonly findInTable: (saved: SavedVectors) => Promise<string | null>;
}

async function read(
  { indexes, model, log, lateFromRows = LATE_FROM_ROWS }: CheckpointLoad,
  files: CheckpointFiles,
  { sink, matrix, late, findInTable }: Target,
): Promise<void> {
  await inFolder(async (folder) => {
    const packed = await files.memories(folder);
    const isLate = late !== null && (packed?.header.vectors?.rows ?? 0) >= lateFromRows;
    if (!isLate) await files.copyTo(folder, FAISS_FILE);
    await files.copyTo(folder, HISTORY_FILE);
    const versions: KeptVersion[] = [];
    const options = {
      directory: directoryOf(folder),
      sink,
      keepVersion: (kept: KeptVersion) => versions.push(kept),
      vectors:
        model && matrix
          ? {
              model,
              matrix,
              findInTable,
              ...(isLate && { expect: (saved: SavedVectors | null) => late.expect(saved, files) }),
            }
          : null,
      repair: null,
      log,
    };
    const vectorsLost = await loadSnapshot(options, packed);
    if (vectorsLost) log.warn(`vectors are made again in the background: ${vectorsLost}`);
    // The folder does not stay, so the versions are held here.
    const lines = versions.flatMap(({ line }) => line ?? []);
    const whole = await readVersions(join(folder, HISTORY_FILE), lines);
    indexes.versions.clear();
    for (const [at, kept] of versions.entries()) {
      const version = whole[at];
      if (version && indexes.versions.keptMs > 0) indexes.versions.add({ ...kept, version, line: null });
    }
  });
}
