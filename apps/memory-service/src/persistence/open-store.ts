import { DAY_MS } from '@agent-faculties/service-kit';
import { DEFAULT_HISTORY_DAYS } from '../domain/memory/history.ts';
import type { StoredSpace } from '../domain/space/stored-space.ts';
import type { FaissPool } from '../search/vectors/faiss/faiss-pool.ts';
import { SpaceVectors } from '../search/vectors/space-vectors.ts';
import { VectorIndex } from '../search/vectors/vector-index.ts';
import { VectorMatrix } from '../search/vectors/vector-matrix.ts';
import { MemoryIndexes } from '../store/indexes/memory-indexes.ts';
import { JournalledStore } from '../store/journalled-store.ts';
import { storeFigures } from '../store/store-figures.ts';
import { type DirectoryOptions, openDirectory } from './directory/open-directory.ts';
import { type OpenPersistence, volatilePersistence } from './open-persistence.ts';
import { openSharedSpace, type SharedSpace } from './postgres/open-shared-space.ts';

export interface StoreOptions extends Omit<DirectoryOptions, 'dataDir'> {
  /** The data directory; null: nothing is kept on disk. */
  readonly dataDir: string | null;
  /** A space of a database, in place of a data directory. */
  readonly shared?: SharedSpace | undefined;
  readonly maxMemories: number;
  /** How long versions before changes are kept, milliseconds; 0: none are; absent: as long as by default. */
  readonly historyMs?: number;
  /** Runs FAISS for several stores; absent: a process for this one alone. */
  readonly faissPool?: FaissPool;
}

/** A space that is open in this process, with its indexes. */
export interface OpenStore extends StoredSpace {
  readonly indexes: MemoryIndexes;
  /** Number of the last change that was applied. */
  sequence(): number;
}

/** Spare rows for chunks of long messages, and for vectors that edits and deletes leave behind until the next start. */
const ROWS_PER_MEMORY = 4;
/** The least number of spare rows, because one long message has 64. At 384 dimensions they take 150 MB of address space and no memory. */
const LEAST_ROWS = 100_000;
/** The largest shared buffer of Node 20: 2.8 million rows of 384 dimensions. */
const LARGEST_MATRIX_BYTES = 2 ** 32 - 1;

/**
 * Opens a space of a database, a data directory, or a store in memory that nothing keeps.
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
    readerProgress: kept.readerProgress ?? null,
    wasThereAt: () => kept.firstWrittenAt ?? persistence.state().lastSavedAt,
    revision: () => indexes.revision,
    compact: async () => await vectors?.index.rebuild(),
    close: async () => {
      try {
        await kept.beforeClose?.();
      } finally {
        await journal.close();
        // Saves that still run read the vectors; release waits for them.
        await release().finally(() => vectors?.close());
      }
    },
  };
}

/** A space that nothing is written to. */
export async function openEmpty(options: StoreOptions): Promise<StoredSpace> {
  return await openStore({ ...quiet(options), dataDir: null, model: null });
}

/** For one of several spaces that nothing keeps: one warning of that is enough. */
export function quiet(options: StoreOptions): StoreOptions {
  return { ...options, log: options.log.child({}, { level: 'silent' }) };
}

async function openVectors({ model, maxMemories, log, faissPool }: StoreOptions): Promise<SpaceVectors | null> {
  if (!model) return null;
  const { dimension } = model;
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
  const { dataDir, shared, model, clock, log } = options;
  if (shared) return await openSharedSpace({ ...shared, indexes, model, clock, log });
  if (dataDir !== null) return await openDirectory({ ...options, dataDir }, { indexes, vectors });
  log.warn('no data directory: nothing survives a restart; start with --data-dir to keep memories');
  return volatilePersistence();
}
