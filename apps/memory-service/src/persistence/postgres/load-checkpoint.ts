import { join } from 'node:path';
import type { Logger } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';
import type { KeptVersion } from '../../store/versions.ts';
import { HISTORY_FILE } from '../files/file-names.ts';
import { readVersions } from '../history/history-file.ts';
import { loadSnapshot } from '../load-store.ts';
import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import { directoryOf, inFolder } from './passing-folder.ts';
import { Reconciliation } from './reconciliation.ts';

export interface CheckpointLoad {
  readonly checkpoints: Checkpoints;
  readonly indexes: MemoryIndexes;
  readonly model: VectorModel | null;
  readonly log: Logger;
}

/** Fills empty indexes; null where there is no checkpoint. */
export async function loadCheckpoint(load: CheckpointLoad): Promise<Checkpoint | null> {
  const { indexes } = load;
  const { vectors } = indexes;
  const checkpoint = await read(load, { sink: indexes, matrix: vectors?.matrix ?? null });
  if (vectors && vectors.matrix.length > 0) vectors.index.add(0, vectors.matrix.length);
  return checkpoint;
}

/** Brings indexes that are in use to the checkpoint; to nothing where there is none. */
export async function reconcileWithCheckpoint(load: CheckpointLoad): Promise<Checkpoint | null> {
  const { indexes } = load;
  const { vectors } = indexes;
  const matrix = vectors && new VectorMatrix(vectors.matrix);
  const reconciliation = new Reconciliation({ indexes, matrix });
  const checkpoint = await read(load, { sink: reconciliation, matrix });
  await reconciliation.finish();
  return checkpoint;
}

async function read(
  { checkpoints, indexes, model, log }: CheckpointLoad,
  { sink, matrix }: { sink: SnapshotSink; matrix: VectorMatrix | null },
): Promise<Checkpoint | null> {
  return await inFolder(async (folder) => {
    const checkpoint = await checkpoints.read(folder);
    const versions: KeptVersion[] = [];
    const vectorsLost = await loadSnapshot({
      directory: directoryOf(folder),
      sink,
      keepVersion: (kept) => versions.push(kept),
      vectors: model && matrix ? { model, matrix } : null,
      repair: null,
      log,
    });
    if (vectorsLost) log.warn(`vectors are made again in the background: ${vectorsLost}`);
    // The folder does not stay, so the versions are held here.
    const places = versions.flatMap(({ place }) => place ?? []);
    const whole = await readVersions(join(folder, HISTORY_FILE), places);
    indexes.versions.clear();
    for (const [at, kept] of versions.entries()) {
      const version = whole[at];
      if (version && indexes.versions.keptMs > 0) indexes.versions.add({ ...kept, version, place: null });
    }
    return checkpoint;
  });
}
