import { join } from 'node:path';
import type { Embedder } from '@agent-faculties/embeddings';
import { backgroundAudit, type Clock, DAY_MS, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import { ARCHIVE_MS } from '../domain/consolidation/pruning/pruned-archive.ts';
import { DEFAULT_HISTORY_DAYS } from '../domain/memory/history.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import type { Space } from '../domain/space/space.ts';
import type { FaissPool } from '../search/vectors/faiss-pool.ts';
import { SpaceVectors } from '../search/vectors/space-vectors.ts';
import { VectorIndex } from '../search/vectors/vector-index.ts';
import { VectorMatrix } from '../search/vectors/vector-matrix.ts';
import { createVolatileJournal } from '../store/journal.ts';
import { JournalledStore } from '../store/journalled-store.ts';
import { MemoryIndexes } from '../store/memory-indexes.ts';
import { storeFigures } from '../store/store-figures.ts';
import { PrunedFiles } from './archive/pruned-archive.ts';
import { type DataDirectory, DataDirectoryError, openDataDirectory, openForReading } from './data-directory.ts';
import { fileChunks } from './files/file-chunks.ts';
import { FAISS_FILE, HISTORY_FILE } from './files/file-names.ts';
import { readVersions } from './history/history-file.ts';
import { LATE_FROM_ROWS, LateVectors } from './late-vectors.ts';
import { loadStore } from './load-store.ts';
import { openSharedSpace, type SharedSpace } from './postgres/open-shared-space.ts';
import { RunLogFile, VolatileRunLog } from './run-log-file.ts';
import { createSnapshots } from './snapshot/snapshot.ts';
import { NO_PERSISTENCE, type OpenPersistence, StorePersistence } from './store-persistence.ts';

export interface StoreOptions {
  /** The data directory; null: nothing is kept on disk. */
  readonly dataDir: string | null;
  /** A space of a database, in place of a data directory. */
  readonly shared?: SharedSpace | undefined;
  /** null: words and entities only. */
  readonly embedder: Pick<Embedder, 'modelId' | 'dimension'> | null;
  readonly maxMemories: number;
  /** How long versions before changes are kept, milliseconds; 0: none are; absent: as long as by default. */
  readonly historyMs?: number;
  /** Reads what is readable of damaged files. */
  readonly repair: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly process: { readonly pid: number; readonly hostname: string };
  /** Of a data directory: from so many vectors on they come after the words. Absent: from 5,000. */
  readonly lateFromRows?: number;
  /** Runs FAISS for several stores; absent: a process for this one alone. */
  readonly faissPool?: FaissPool;
  /**
   * Allows a start on a disk that takes no lock, for reading. Called when another process has taken the directory since, which
   * makes the data of this one stale. Without it such a start is refused.
   */
  readonly onLost?: (why: DataDirectoryError) => void;
}

/** A space in this process, over a data directory where there is one. */
export interface OpenStore extends Space {
  readonly indexes: MemoryIndexes;
  /** Number of the last change that was applied. */
  sequence(): number;
}

/** Pause between two attempts to take the lock; recalls use data that another process has changed for this long at most. */
const LOOK_FOR_ROOM_MS = 2_000;
/** Spare rows for chunks of long messages, and for vectors that edits and deletes leave behind until the next start. */
const ROWS_PER_MEMORY = 4;
/** The least number of spare rows, because one long message has 64. At 384 dimensions they take 150 MB of address space and no memory. */
const LEAST_ROWS = 100_000;
/** The largest shared buffer of Node 20: 2.8 million rows of 384 dimensions. */
const LARGEST_MATRIX_BYTES = 2 ** 32 - 1;

/**
 * Loads the data directory, if there is one.
 * @throws DataDirectoryError when it cannot be used; nothing is changed then
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const vectors = await openVectors(options);
  const { historyMs = DEFAULT_HISTORY_DAYS * DAY_MS } = options;
  const indexes = new MemoryIndexes({ vectors, historyMs });
  const kept = await openPersistence(options, { indexes, vectors }).catch(async (error: unknown) => {
    await vectors?.close();
    throw error;
  });
  const { journal, persistence, archive, runLog, history = indexes.versions, follow, release } = kept;
  return {
    store: new JournalledStore({ indexes, journal, clock: options.clock }),
    indexes,
    sequence: () => journal.sequence,
    history: historyMs > 0 ? history : null,
    persistence,
    archive,
    runLog,
    figures: storeFigures(indexes),
    onChange: (listener) => {
      indexes.changes.listener = listener;
      follow?.();
    },
    isOwner: kept.isOwner ?? (async () => true),
    answering: async (work) => await (journal.answering ? journal.answering(work) : work()),
    places: kept.places ?? null,
    wasThereAt: () => kept.firstWrittenAt ?? persistence.state().lastSavedAt,
    revision: () => indexes.revision,
    compact: () => indexes.compact(),
    close: async () => {
      try {
        // What several processes share is in the database already.
        if (!options.shared && persistence.isUnsaved()) await persistence.save();
        await kept.beforeClose?.();
      } finally {
        await journal.close();
        // It waits for saves that nobody waits for, which read the vectors.
        await release().finally(() => vectors?.close());
      }
    },
  };
}

async function openVectors({ embedder, maxMemories, log, faissPool }: StoreOptions): Promise<SpaceVectors | null> {
  if (!embedder) return null;
  const { dimension } = embedder;
  const largest = Math.floor(LARGEST_MATRIX_BYTES / (dimension * Float32Array.BYTES_PER_ELEMENT));
  const wanted = Math.max(maxMemories * ROWS_PER_MEMORY, LEAST_ROWS);
  const maximumRows = Math.min(wanted, largest);
  return await SpaceVectors.open(async () => {
    const matrix = new VectorMatrix({ dimension, maximumRows });
    return { matrix, index: await VectorIndex.open({ matrix, log, ...(faissPool && { pool: faissPool }) }) };
  });
}

async function openPersistence(
  options: StoreOptions,
  { indexes, vectors }: { indexes: MemoryIndexes; vectors: SpaceVectors | null },
): Promise<OpenPersistence> {
  const { dataDir, shared, embedder, repair, clock, log, process, onLost } = options;
  const model = embedder && { id: embedder.modelId, dimension: embedder.dimension };
  if (shared) return await openSharedSpace({ ...shared, indexes, model, clock, log });
  if (dataDir === null) {
    log.warn('no data directory: nothing survives a restart; start with --data-dir to keep memories');
    return {
      journal: createVolatileJournal(),
      persistence: NO_PERSISTENCE,
      archive: null,
      runLog: new VolatileRunLog(),
      release: async () => {},
    };
  }
  const at = { path: dataDir, process, clock };
  const directory = onLost ? await openForReading({ ...at, onLost }) : await openDataDirectory(at);
  // Without the lock, another process may put other files in place of these.
  const mayBeLate = !repair && directory.refusal === null;
  const late = model && vectors && mayBeLate ? new LateVectors({ model, vectors, indexes, log }) : null;
  try {
    if (directory.refusal !== null) startWithoutLock(directory, { repair, log });
    const withModel = model && vectors ? { model, matrix: vectors.matrix } : null;
    const nowMs = Math.floor(clock.now());
    const report = await loadStore({
      directory,
      sink: indexes,
      // Where none are kept, the next save removes those of earlier days.
      ...(indexes.versions.keptMs > 0 && { keepVersion: (kept) => indexes.versions.add(kept) }),
      vectors: withModel && {
        ...withModel,
        ...(late && { expect: (saved) => late.expect(saved), expectFromRows: options.lateFromRows ?? LATE_FROM_ROWS }),
      },
      repair: repair ? { nowMs } : null,
      log,
    });
    const vectorsTaken = late?.awaited ? takeVectors(late, directory.path) : Promise.resolve();
    indexes.versions.readFrom(async (places) => await readVersions(join(directory.path, HISTORY_FILE), places));
    if (vectors?.matrix.isWhole && vectors.matrix.length > 0) vectors.index.add(0, vectors.matrix.length);
    const { journal, savedAtMs, replayed, vectorsLost, losses } = report;
    log.info({ memories: indexes.records.size, replayed, data_dir: directory.path }, 'loaded');
    if (vectorsLost) log.warn(`vectors are made again in the background: ${vectorsLost}`);
    for (const loss of losses) log.warn({ loss }, 'could not be repaired');
    const capture = () => ({
      memories: indexes.capture(),
      vectors: withModel,
      versions: indexes.versions.capture(),
      deleted: indexes.tombstones.snapshot(),
    });
    const whole = async () => await vectors?.matrix.whole();
    const snapshots = createSnapshots({ directory, journal, generation: report.generation, whole, capture });
    const persistence = new StorePersistence({
      clock,
      journal,
      snapshots,
      directory,
      savedAtMs,
      replayed,
      revision: () => indexes.revision,
    });
    const archive = await PrunedFiles.open(directory);
    const settle = async () => {
      if (report.saveSoon) await saveAtStart(persistence, log);
      await tidyArchive(archive, { indexes, nowMs, log });
    };
    const waiting = directory.refusal === null ? null : onceWritable(directory, { settle, log });
    if (waiting === null) await settle();
    return {
      journal,
      persistence,
      archive,
      runLog: await RunLogFile.open(directory),
      beforeClose: () => vectorsTaken,
      release: async () => {
        await waiting?.stop();
        await directory.release();
      },
    };
  } catch (error) {
    late?.stop();
    await directory.release();
    throw error;
  }
}

/** Fills the rows that were numbered, where any were. What cannot be read is made again. */
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
    const isStored = (id: string) => (records.ordinalOf(id) ?? records.ordinalAbsorbing(id)) !== undefined;
    await archive.remove((await archive.entries()).map(({ id }) => id).filter(isStored));
  } catch (error) {
    // Answers show none of it; the next start tries again.
    log.warn({ err: error }, 'the archive of what was pruned could not be tidied');
  }
}

/** Reports that the directory is read-only for now. @throws DataDirectoryError where a repair was asked for, which has to write */
function startWithoutLock(
  { path, refusal }: DataDirectory,
  { repair, log }: Pick<StoreOptions, 'repair' | 'log'>,
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
