import { join } from 'node:path';
import { backgroundAudit, type Clock, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import { ARCHIVE_MS } from '../../domain/consolidation/pruning/pruned-archive.ts';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { Persistence } from '../../domain/memory/persistence.ts';
import type { SpaceVectors } from '../../search/vectors/space-vectors.ts';
import type { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import { PrunedFiles } from '../archive/pruned-files.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { fileChunks } from '../files/file-chunks.ts';
import { FAISS_FILE, HISTORY_FILE } from '../files/file-names.ts';
import type { OpenPersistence } from '../open-persistence.ts';
import { readVersions } from '../snapshot/history-file.ts';
import { LATE_FROM_ROWS, LateVectors } from '../snapshot/late-vectors.ts';
import { captureContents, Snapshots } from '../snapshot/snapshot.ts';
import { type DataDirectory, openDataDirectory, openForReading } from './data-directory.ts';
import { DirectoryPersistence } from './directory-persistence.ts';
import { type LoadReport, loadStore } from './load-store.ts';
import type { ProcessName } from './lock-holder.ts';
import { RunLogFile } from './run-log-file.ts';

export interface DirectoryOptions {
  readonly dataDir: string;
  /** Of the vectors; null: words and entities only. */
  readonly model: VectorModel | null;
  /** Reads what is readable of damaged files. */
  readonly repair: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly process: ProcessName;
  /** From this many vectors on, they load after the words. Absent: from 5,000. */
  readonly lateFromRows?: number;
  /**
   * Allows a start on a disk that takes no lock, for reading. Called when another process has taken the directory since, which
   * makes the data of this one stale. Without it such a start is refused.
   */
  readonly onLost?: (why: DataDirectoryError) => void;
}

/** What the files are read into. */
interface Loading {
  readonly directory: DataDirectory;
  readonly indexes: MemoryIndexes;
  readonly vectors: SpaceVectors | null;
  /** Loads vectors after the words; null: they load together. */
  readonly late: LateVectors | null;
  /** Start of the loading, epoch milliseconds. */
  readonly nowMs: number;
}

/** Pause between two attempts to take the lock; recalls use data that another process has changed for this long at most. */
const LOOK_FOR_ROOM_MS = 2_000;

/**
 * Locks a data directory, loads it into the indexes, and keeps it from then on.
 * @throws DataDirectoryError when it cannot be used; nothing is changed then
 */
export async function openDirectory(
  options: DirectoryOptions,
  { indexes, vectors }: { indexes: MemoryIndexes; vectors: SpaceVectors | null },
): Promise<OpenPersistence> {
  const { dataDir, model, repair, clock, log, process, onLost } = options;
  const at = { path: dataDir, process, clock };
  const directory = onLost ? await openForReading({ ...at, onLost }) : await openDataDirectory(at);
  // Without the lock, another process may put other files in place of these.
  const mayBeLate = !repair && directory.refusal === null;
  const late = model && vectors && mayBeLate ? new LateVectors({ model, vectors, indexes, log }) : null;
  const loading = { directory, indexes, vectors, late, nowMs: Math.floor(clock.now()) };
  try {
    if (directory.refusal !== null) startWithoutLock(directory, { repair, log });
    const report = await loaded(options, loading);
    return await kept(options, loading, report);
  } catch (error) {
    late?.stop();
    await directory.release();
    throw error;
  }
}

async function loaded(
  { model, repair, lateFromRows, log }: DirectoryOptions,
  { directory, indexes, vectors, late, nowMs }: Loading,
): Promise<LoadReport> {
  return await loadStore({
    directory,
    sink: indexes,
    // If no versions are kept, the next save removes those of earlier days.
    ...(indexes.versions.keptMs > 0 && { keepVersion: (version) => indexes.versions.add(version) }),
    vectors: model &&
      vectors && {
        model,
        matrix: vectors.matrix,
        ...(late && { expect: (saved) => late.expect(saved), expectFromRows: lateFromRows ?? LATE_FROM_ROWS }),
      },
    repair: repair ? { nowMs } : null,
    log,
  });
}

/** Starts the work that loading leaves open, and joins what keeps the loaded store. */
async function kept(
  { model, clock, log }: DirectoryOptions,
  { directory, indexes, vectors, late, nowMs }: Loading,
  report: LoadReport,
): Promise<OpenPersistence> {
  const vectorsTaken = late?.awaited ? takeVectors(late, directory.path) : Promise.resolve();
  indexes.versions.readFrom(async (lines) => await readVersions(join(directory.path, HISTORY_FILE), lines));
  if (vectors?.matrix.isWhole && vectors.matrix.length > 0) vectors.index.noteAppended();
  const { journal, savedAtMs, replayed, generation, saveSoon } = report;
  logLoaded(log, report, { memories: indexes.records.size, dataDir: directory.path });
  const snapshots = new Snapshots({
    directory,
    journal,
    generation,
    whole: async () => await vectors?.matrix.whole(),
    capture: () => captureContents(indexes, model),
  });
  const revision = () => indexes.revision;
  const persistence = new DirectoryPersistence({ clock, journal, snapshots, directory, savedAtMs, replayed, revision });
  const archive = await PrunedFiles.open(directory);
  const settle = async () => {
    if (saveSoon) await saveAtStart(persistence, log);
    await tidyArchive(archive, { indexes, nowMs, log });
  };
  const waiting = directory.refusal === null ? null : onceWritable(directory, { settle, log });
  if (waiting === null) await settle();
  return {
    journal,
    persistence,
    archive,
    runLog: await RunLogFile.open(directory),
    beforeClose: async () => {
      if (persistence.isUnsaved()) await persistence.save();
      await vectorsTaken;
    },
    release: async () => {
      await waiting?.stop();
      await directory.release();
    },
  };
}

function logLoaded(
  log: Logger,
  { replayed, vectorsLost, losses }: LoadReport,
  { memories, dataDir }: { memories: number; dataDir: string },
): void {
  log.info({ memories, replayed, data_dir: dataDir }, 'loaded');
  if (vectorsLost) log.warn(`vectors are made again in the background: ${vectorsLost}`);
  for (const loss of losses) log.warn({ loss }, 'could not be repaired');
}

/** Reads the late vectors from their file. If that fails, they are made again. */
async function takeVectors(late: LateVectors, dataDir: string): Promise<void> {
  try {
    await late.take(fileChunks(join(dataDir, FAISS_FILE)));
  } catch (error) {
    await late.lose((error as Error).message);
  }
}

/** Saves at the start; on failure the service starts anyway, and the next save tries again. */
async function saveAtStart(persistence: Persistence, log: Logger): Promise<void> {
  try {
    await persistence.save();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log.error({ job: 'save', err: error }, 'job failed');
  }
}

/** Opens the archive and removes what an interrupted process has left: memories that the store holds too, expired ones, half a file. */
async function tidyArchive(
  archive: PrunedFiles,
  { indexes: { records }, nowMs, log }: { indexes: MemoryIndexes; nowMs: number; log: Logger },
): Promise<void> {
  try {
    await archive.removeTemporary();
    await backgroundAudit(log)('start', async (recordWrite) => {
      const expired = await archive.expire(nowMs - ARCHIVE_MS);
      recordWrite(
        'expired',
        expired.map(({ id }) => id),
      );
    });
    const isStored = (id: string) => records.ordinalHolding(id) !== undefined;
    await archive.remove((await archive.entries()).map(({ id }) => id).filter(isStored));
  } catch (error) {
    // Answers show none of it; the next start tries again.
    log.warn({ err: error }, 'the archive of what was pruned could not be tidied');
  }
}

/** Reports that the directory is read-only for now. @throws DataDirectoryError where a repair was asked for, which has to write */
function startWithoutLock(
  { path, refusal }: DataDirectory,
  { repair, log }: Pick<DirectoryOptions, 'repair' | 'log'>,
): void {
  if (repair) throw new DataDirectoryError(`${path} cannot be repaired now. ${refusal}`);
  log.error({ data_dir: path, why: refusal }, 'the data directory is only read until the disk takes writes again');
}

/** Tries to take the lock at intervals; once it has it, does the writes that the start left out. */
function onceWritable(
  directory: DataDirectory,
  { settle, log }: { settle: () => Promise<void>; log: Logger },
): { stop: () => Promise<void> } {
  let trying = Promise.resolve();
  const tryAgain = async () => {
    try {
      await directory.writable();
    } catch (error) {
      if (!(error instanceof UnavailableError)) log.error({ err: error }, 'the data directory could not be locked');
      return;
    }
    clearInterval(timer);
    log.info({ data_dir: directory.path }, 'the disk takes writes again');
    await settle();
  };
  let isTrying = false;
  const timer = setInterval(() => {
    if (isTrying) return;
    isTrying = true;
    trying = tryAgain().finally(() => {
      isTrying = false;
    });
  }, LOOK_FOR_ROOM_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await trying;
    },
  };
}
