import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from '@agent-faculties/service-kit';
import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { KeptVersion } from '../../store/changes/versions.ts';
import type { StoredComparison } from '../../store/indexes/comparisons.ts';
import type { SnapshotRecord } from '../../store/records/snapshot-records.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { Losses } from '../directory/repair.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { fileChunks } from '../files/file-chunks.ts';
import {
  ENTITIES_FILE,
  FAISS_FILE,
  HISTORY_FILE,
  MEMORIES_FILE,
  PACKED_FILE,
  segmentsAmong,
} from '../files/file-names.ts';
import { keptIn } from './history-file.ts';
import { isWholeFileIntact, readMemories, readMemoriesHeader } from './memories-file.ts';
import { MemoriesFormatError, type MemoriesHeader } from './memories-lines.ts';
import { openPacked, type PackedFile, type PackedRecords } from './packed-file.ts';
import type { ReadRecord } from './record-unpacker.ts';
import { savedName } from './save-files.ts';
import { readSavedVectors, type SavedVectors, tableOf } from './saved-vectors.ts';

export interface SnapshotLoadOptions {
  readonly directory: DataDirectory;
  readonly sink: SnapshotSink;
  /** Takes the versions of memories; absent: they are checked and left where they are. */
  readonly keepVersion?: (kept: KeptVersion) => void;
  /** The model of this start; null without embeddings. Vectors of another model are left out. The matrix must be empty. */
  readonly vectors: {
    readonly model: VectorModel;
    readonly matrix: VectorMatrix;
    /** Numbers the rows of vectors that come later. @returns why they cannot be used; null where they can. Absent: they are read at once */
    readonly expect?: (saved: SavedVectors | null) => string | null;
    /** From so many rows on they come later. Absent: any number of them does. */
    readonly expectFromRows?: number;
    /** Finds vectors that are in a table of the database. @returns why they cannot be used; null where they can */
    readonly findInTable?: (saved: SavedVectors) => Promise<string | null>;
  } | null;
  /** Reads what is readable of damaged files instead of refusing to start; the damaged files stay as `*.damaged-<time>`. */
  readonly repair: { readonly nowMs: number } | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Memories with contradictions that are dealt with in one turn of the event loop: about 5 ms. */
const CONTRADICTIONS_PER_TURN = 1_000;

/**
 * Reads the files of a save that has no journal.
 * @param packed its memories, where there is no other file with them
 * @returns why vectors have to be made again; null: they need not be
 */
export async function loadSnapshot(options: SnapshotLoadOptions, packed: PackedRecords | null): Promise<string | null> {
  const { path } = options.directory;
  const losses = new Losses(path, { isRepair: options.repair !== null });
  const load = new SnapshotLoad(options, { names: await readdir(path), losses });
  if (packed) await load.readPackedAlone(packed);
  else await load.readFiles();
  await load.readHistory();
  return load.vectorsLost;
}

/** Reads the files of a save, and keeps what they say beside the memories. */
export class SnapshotLoad {
  header: MemoriesHeader | null = null;
  memories = 0;
  /** Why vectors have to be made again, for the operator; null: they need not be. */
  vectorsLost: string | null = null;
  areEntitiesSound = true;
  /** Whether memories.packed is the one that was saved with memories.json, or none was. */
  isPackedSound = true;
  /** Whether memories.json need not be made again of memories.packed. */
  areMemoriesSound = true;
  /** Whether there is a file of versions, and none are to be kept. */
  hasUnwantedVersions = false;
  readonly #options: SnapshotLoadOptions;
  readonly #names: ReadonlySet<string>;
  readonly #losses: Losses;
  #areRowsSound = false;
  readonly #contradicting: [string, StoredComparison][] = [];

  /** @param about.names of the files in the directory */
  constructor(options: SnapshotLoadOptions, { names, losses }: { names: readonly string[]; losses: Losses }) {
    this.#options = options;
    this.#names = new Set(names);
    this.#losses = losses;
  }

  get hasMemories(): boolean {
    return this.#has(MEMORIES_FILE);
  }

  async readFiles(): Promise<void> {
    const orphan = this.hasMemories ? null : this.#orphan();
    if (!this.hasMemories && orphan === null) return;
    try {
      const packed = this.hasMemories ? await this.#packed() : await this.#packedOfDamaged(null);
      if (packed) await this.#readPacked(packed);
      else if (orphan !== null) this.#losses.note(`${MEMORIES_FILE}: it is missing, though ${orphan} exists`);
      else await this.#readMemories();
    } catch (error) {
      if (!(error instanceof MemoriesFormatError)) throw error;
      throw new DataDirectoryError(
        `${this.#path(MEMORIES_FILE)} was written by a newer version of memory-service (${error.message}): start that version, or choose another folder with --data-dir. Nothing was changed.`,
      );
    }
    await this.#readContradictions();
  }

  /** Reads memories.packed, where there is nothing but that. */
  async readPackedAlone(packed: PackedRecords): Promise<void> {
    await this.#readPacked(packed);
    await this.#readContradictions();
  }

  /** What can be read in place of memories.json; null where that is read itself. */
  async #packed(): Promise<PackedFile | null> {
    const header = await readMemoriesHeader(this.#path(MEMORIES_FILE));
    if (header && header.packed === undefined) return null;
    if (!(await isWholeFileIntact(this.#path(MEMORIES_FILE)))) return await this.#packedOfDamaged(header);
    const packed = await openPacked(this.#path(PACKED_FILE));
    if (typeof packed !== 'string' && packed.sha256 === header?.packed) return packed;
    this.isPackedSound = false;
    const why = typeof packed === 'string' ? packed : 'was not saved with memories.json';
    this.#options.log.warn(
      `memories.packed ${why}: memories.json is read, which takes longer, and the other is made again`,
    );
    return null;
  }

  /** For a repair: memories.packed of the same save, which has all that memories.json had. @param header what can be read of that */
  async #packedOfDamaged(header: MemoriesHeader | null): Promise<PackedFile | null> {
    if (!this.#options.repair) return null;
    const packed = await openPacked(this.#path(PACKED_FILE));
    if (typeof packed === 'string') return null;
    // entities.json has the number of its save.
    const isOfSave = header
      ? packed.sha256 === header.packed
      : packed.header.entities?.sha256 === (await this.#sha256Of(ENTITIES_FILE));
    if (!isOfSave) return null;
    this.areMemoriesSound = false;
    this.#options.log.warn(
      'memories.json is damaged or missing: memories.packed of the same save is read, so that nothing of it is lost, and memories.json is made again',
    );
    return packed;
  }

  async #readPacked(packed: PackedRecords): Promise<void> {
    await this.#readHeader(packed.header);
    for await (const records of packed.read()) for (const record of records) this.#takePacked(record);
  }

  #takePacked(record: ReadRecord): void {
    const { packed, strength, rows, comparison, reading } = record;
    const { sink } = this.#options;
    if (!packed || !reading || !sink.addPacked) {
      this.#take(record);
      return;
    }
    this.memories += 1;
    const hasFound = comparison !== undefined && comparison.found.length > 0;
    sink.addPacked(packed, {
      strength,
      rows: this.#areRowsSound ? rows : null,
      reading,
      comparedBy: hasFound ? null : (comparison?.by ?? null),
    });
    if (hasFound) this.#contradicting.push([packed.block.idOf(packed.offset), comparison]);
  }

  async #readMemories(): Promise<void> {
    await readMemories(this.#path(MEMORIES_FILE), {
      header: (header) => this.#readHeader(header),
      memory: (record) => this.#take(record),
      damage: (what) => this.#losses.note(`${MEMORIES_FILE}: ${what}`),
    });
  }

  #take({ memory, strength, rows, comparison, reading }: SnapshotRecord): void {
    this.memories += 1;
    const { sink } = this.#options;
    sink.add(memory, { strength, rows: this.#areRowsSound ? rows : null, reading });
    if (comparison && comparison.found.length > 0) this.#contradicting.push([memory.id, comparison]);
    else if (comparison) sink.wasCompared(memory.id, comparison);
  }

  /** When all memories are there: a contradiction is of two. */
  async #readContradictions(): Promise<void> {
    for (const [index, [id, comparison]] of this.#contradicting.splice(0).entries()) {
      if ((index + 1) % CONTRADICTIONS_PER_TURN === 0) await nextTurn();
      this.#options.sink.wasCompared(id, comparison);
    }
  }

  /** Reads where the versions are. An earlier version of the service leaves them as they are and does not count them. */
  async readHistory(): Promise<void> {
    const expected = this.header?.versions;
    if (expected === null) return;
    if (!this.#has(HISTORY_FILE)) {
      if (expected !== undefined) this.#losses.note(`${HISTORY_FILE}: it is missing`);
      return;
    }
    let versions = 0;
    this.hasUnwantedVersions = this.#options.keepVersion === undefined;
    for await (const kept of keptIn(this.#path(HISTORY_FILE), (line) => {
      this.#losses.note(`${HISTORY_FILE}: line ${line} cannot be read`);
    })) {
      versions++;
      this.#options.keepVersion?.(kept);
    }
    if (expected !== undefined && versions !== expected) {
      this.#losses.note(`${HISTORY_FILE}: memories.json counts ${expected} versions, and it holds ${versions}`);
    }
  }

  async #readHeader(header: MemoriesHeader | null): Promise<void> {
    const { vectors, log } = this.#options;
    this.header = header;
    this.#options.sink.wereDeleted(header?.deleted ?? []);
    this.areEntitiesSound =
      !this.hasMemories || (header !== null && (await this.#sha256Of(ENTITIES_FILE)) === header.entities?.sha256);
    if (header && !this.areEntitiesSound) {
      log.warn('entities.json is missing or was not saved with memories.json: it is made again');
    }
    if (!vectors) return;
    if (!header) this.vectorsLost = 'memories.json does not say which model they come from';
    else if (vectors.findInTable && header.vectors && tableOf(header.vectors) !== null)
      this.vectorsLost = await vectors.findInTable(header.vectors);
    else if (vectors.expect && (header.vectors?.rows ?? 0) >= (vectors.expectFromRows ?? 0))
      this.vectorsLost = vectors.expect(header.vectors);
    else this.vectorsLost = await readSavedVectors(this.#path(FAISS_FILE), { saved: header.vectors, ...vectors });
    this.#areRowsSound = this.vectorsLost === null;
  }

  /** A file that there is only beside memories.json. */
  #orphan(): string | null {
    return [FAISS_FILE, ENTITIES_FILE, PACKED_FILE].find((name) => this.#names.has(name)) ?? this.#orphanSegment();
  }

  /** A segment that continues after changes which only memories.json can hold. */
  #orphanSegment(): string | null {
    const [first] = segmentsAmong(this.#options.directory.path, [...this.#names]);
    return first && first.after > 0 ? basename(first.path) : null;
  }

  async #sha256Of(name: string): Promise<string | null> {
    if (!this.#has(name)) return null;
    const hash = createHash('sha256');
    for await (const chunk of fileChunks(this.#path(name))) hash.update(chunk);
    return hash.digest('hex');
  }

  #has(name: string): boolean {
    return this.#names.has(savedName(name, this.#names));
  }

  #path(name: string): string {
    return join(this.#options.directory.path, savedName(name, this.#names));
  }
}
