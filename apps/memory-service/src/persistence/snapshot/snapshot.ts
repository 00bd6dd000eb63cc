import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { writeFlatIndex } from '../../search/vectors/faiss/faiss-file.ts';
import { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { Journal } from '../../store/changes/journal.ts';
import type { KeptVersion } from '../../store/changes/versions.ts';
import type { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import type { SnapshotRecords } from '../../store/records/snapshot-records.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { diskFault } from '../files/disk-fault.ts';
import { ENTITIES_FILE, FAISS_FILE, HISTORY_FILE, MEMORIES_FILE, PACKED_FILE, temporary } from '../files/file-names.ts';
import { SavesInTurn } from '../saves-in-turn.ts';
import { writeEntities } from './entities-file.ts';
import { type FiledLines, writeHistory } from './history-file.ts';
import { writeMemories } from './memories-file.ts';
import type { MemoriesHeader } from './memories-lines.ts';
import { writePacked } from './packed-file.ts';
import { commitSave, settleSave } from './save-files.ts';
import { tableMark } from './saved-vectors.ts';

/** The memories that are examined in one turn of the event loop, in less than 1 ms. */
const MEMORIES_PER_TURN = 50_000;

type HeaderOfSave = Pick<MemoriesHeader, 'generation' | 'savedAt' | 'sequence'>;

/** The matrix that faiss.index is written from without embeddings, because FAISS has no index of dimension 0. */
const NO_VECTORS = new VectorMatrix({ dimension: 1, maximumRows: 1 });

/**
 * The store at one moment. The captured memories must not change while the save writes them; their rows must stay in the matrix.
 */
export interface StoreContents {
  readonly memories: SnapshotRecords;
  readonly vectors: {
    readonly model: VectorModel;
    readonly matrix: VectorMatrix;
    /** The row that the matrix begins with; absent: 0. */
    readonly first?: number;
    /** The number of the table of the database that has them all; null or absent: they are written to faiss.index. */
    readonly table?: number | null;
  } | null;
  /** The versions of memories that are kept. */
  readonly versions: readonly KeptVersion[];
  /** Ids of memories that were deleted, oldest first. */
  readonly deleted: readonly string[];
}

/** What indexes hold at this moment. @param model of the vectors; null without embeddings */
export function captureContents(indexes: MemoryIndexes, model: VectorModel | null): StoreContents {
  const { vectors, versions, tombstones } = indexes;
  return {
    memories: indexes.capture(),
    vectors: model && vectors && { model, matrix: vectors.matrix, first: vectors.first },
    versions: versions.capture(),
    deleted: tombstones.snapshot(),
  };
}

/** What a save has written. */
export interface SavedFiles {
  /** How many memories the files hold. */
  readonly memories: number;
  /** Size of the files, in bytes. */
  readonly bytes: number;
  /** Number of the last change that the files hold; the journal continues after it. */
  readonly sequence: number;
}

export interface SnapshotsOptions {
  readonly directory: DataDirectory;
  readonly journal: Pick<Journal, 'cut'>;
  /** The generation of the files that the start has read; 0 for a new directory. */
  readonly generation: number;
  /** Resolves when all vectors are there. Absent: they are. */
  readonly whole?: () => Promise<void>;
  /** Called between two changes; must return within a few ms. */
  readonly capture: () => StoreContents;
  /** Whether versions stay in this process after they are in the file, which does not stay. Absent: they do not. */
  readonly keepsVersions?: boolean;
}

/** Writes the files of a data directory, all of them or none. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #saves = new SavesInTurn<SavedFiles>();
  #generation: number;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#generation = options.generation;
  }

  /**
   * Resolves when everything that was acknowledged before the call is in the files. Calls during a save share the next save.
   * @param savedAtMs epoch milliseconds
   * @throws UnavailableError when the disk refuses; the journal still holds every change then
   */
  save(savedAtMs: number): Promise<SavedFiles> {
    return this.#saves.next(() => this.#save(savedAtMs));
  }

  async #save(savedAtMs: number): Promise<SavedFiles> {
    const { directory, journal, whole, capture } = this.#options;
    try {
      await directory.writable();
      await whole?.();
      // A fault may have interrupted the last save after its commit.
      await settleSave(directory.path);
      const cut = await journal.cut(capture);
      this.#generation += 1;
      const header = {
        generation: this.#generation,
        savedAt: new Date(savedAtMs).toISOString(),
        sequence: cut.sequence,
      };
      const { bytes, lines } = await writeFiles(directory.path, header, cut.captured);
      await commitSave(directory.path);
      for (const [kept, line] of this.#options.keepsVersions ? [] : lines) {
        kept.line = line;
        kept.version = null;
      }
      if (lines.size === 0) await rm(join(directory.path, HISTORY_FILE), { force: true });
      await cut.discard();
      return { memories: cut.captured.memories.length, bytes, sequence: cut.sequence };
    } catch (error) {
      // Removes the temporary files, which frees space on a full disk. If this fails too, the next save or start does it.
      if (directory.refusal === null) await settleSave(directory.path).catch(() => {});
      throw diskFault(error);
    }
  }
}

/** Writes the temporary files. @returns their size in bytes, and where the versions are */
async function writeFiles(
  directory: string,
  header: HeaderOfSave,
  contents: StoreContents,
): Promise<{ bytes: number; lines: FiledLines }> {
  const path = (name: string) => join(directory, temporary(name));
  const { memories } = contents;
  const entities = await writeEntities(path(ENTITIES_FILE), { generation: header.generation, memories });
  const quick = await writeQuickFiles(
    { path, filed: join(directory, HISTORY_FILE) },
    { ...header, entities: { sha256: entities.sha256 } },
    contents,
  );
  const { bytes } = await writeMemories(path(MEMORIES_FILE), { ...quick.header, packed: quick.sha256 }, memories);
  return { bytes: entities.bytes + quick.bytes + bytes, lines: quick.lines };
}

/**
 * Writes what a space is loaded from into an empty folder that does not stay, without the forms that other programs read. Versions
 * stay in this process. @throws UnavailableError when the disk refuses
 */
export async function writePassingFiles(
  folder: string,
  { sequence, savedAtMs }: { sequence: number; savedAtMs: number },
  contents: StoreContents,
): Promise<void> {
  const header = { generation: 1, savedAt: new Date(savedAtMs).toISOString(), sequence, entities: null };
  try {
    const path = (name: string) => join(folder, name);
    await writeQuickFiles({ path, filed: path(HISTORY_FILE) }, header, contents);
  } catch (error) {
    throw diskFault(error);
  }
}

/** @param to.filed the file that versions were written to before */
async function writeQuickFiles(
  { path, filed }: { path: (name: string) => string; filed: string },
  header: HeaderOfSave & Pick<MemoriesHeader, 'entities'>,
  { memories, vectors, versions, deleted }: StoreContents,
): Promise<{ header: Omit<MemoriesHeader, 'packed'>; bytes: number; sha256: string; lines: FiledLines }> {
  const rows = await rowsOf(memories, vectors?.first);
  const table = vectors?.table ?? null;
  const faiss =
    table === null
      ? await writeFlatIndex(path(FAISS_FILE), { matrix: vectors?.matrix ?? NO_VECTORS, rows })
      : { bytes: 0, sha256: tableMark(table) };
  const history = await writeVersions({ to: path(HISTORY_FILE), from: filed }, versions);
  const whole = {
    ...header,
    vectors: vectors && {
      model: vectors.model.id,
      dimension: vectors.model.dimension,
      rows: rows.length,
      sha256: faiss.sha256,
    },
    versions: history.lines.size || null,
    deleted,
  };
  const { bytes, sha256 } = await writePacked(path(PACKED_FILE), whole, memories);
  return { header: whole, bytes: faiss.bytes + history.bytes + bytes, sha256, lines: history.lines };
}

async function writeVersions(
  { to, from }: { to: string; from: string },
  versions: readonly KeptVersion[],
): Promise<{ bytes: number; lines: FiledLines }> {
  return versions.length > 0 ? await writeHistory(to, { versions, from }) : { bytes: 0, lines: new Map() };
}

/** The rows in use, from that of `first` on, in the order of the memories; rows of deleted and changed memories stay in the matrix. */
async function rowsOf(memories: SnapshotRecords, first = 0): Promise<number[]> {
  const all: number[] = [];
  let seen = 0;
  for (const { rows } of memories) {
    seen += 1;
    if (seen % MEMORIES_PER_TURN === 0) await nextTurn();
    if (rows) for (let i = 0; i < rows.count; i++) all.push(rows.first - first + i);
  }
  return all;
}
