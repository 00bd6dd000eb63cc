import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from '@agent-faculties/service-kit';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../domain/embedding/vector-model.ts';
import type { RowRange } from '../search/evidence-index.ts';
import type { VectorMatrix } from '../search/vectors/vector-matrix.ts';
import type { StoredComparison } from '../store/comparisons.ts';
import type { Journal } from '../store/journal.ts';
import type { SnapshotSink, StoreSink } from '../store/store-sink.ts';
import type { SnapshotRecord } from '../store/stored-memory.ts';
import type { KeptVersion } from '../store/versions.ts';
import type { DataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './files/data-directory-error.ts';
import { fileChunks } from './files/file-chunks.ts';
import {
  ENTITIES_FILE,
  FAISS_FILE,
  HISTORY_FILE,
  MEMORIES_FILE,
  markOf,
  missingSegments,
  PACKED_FILE,
  type Segment,
  segmentsAmong,
} from './files/file-names.ts';
import { systemCode } from './files/system-code.ts';
import { keptIn } from './history/history-file.ts';
import type { PackedVectors, ReadChange, ReadSingleChange } from './journal/change-line.ts';
import { DurableJournal } from './journal/durable-journal.ts';
import { replayJournal, syncedSize, type TornEnd } from './journal/journal-reader.ts';
import {
  isWholeFileIntact,
  MemoriesFormatError,
  type MemoriesHeader,
  readMemories,
  readMemoriesHeader,
  tableOf,
} from './snapshot/memories-file.ts';
import { openPacked, type PackedFile, type PackedRecords } from './snapshot/packed-file.ts';
import type { ReadRecord } from './snapshot/packed-record.ts';
import { savedName, settleSave } from './snapshot/save-files.ts';
import { readSavedVectors } from './snapshot/saved-vectors.ts';

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
    readonly expect?: (saved: MemoriesHeader['vectors']) => string | null;
    /** From so many rows on they come later. Absent: any number of them does. */
    readonly expectFromRows?: number;
    /** Finds vectors that are in a table of the database. @returns why they cannot be used; null where they can */
    readonly findInTable?: (saved: NonNullable<MemoriesHeader['vectors']>) => Promise<string | null>;
  } | null;
  /** Reads what is readable of damaged files instead of refusing to start; the damaged files stay as `*.damaged-<time>`. */
  readonly repair: { readonly nowMs: number } | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export interface LoadOptions extends SnapshotLoadOptions {
  readonly sink: StoreSink;
}

export interface LoadReport {
  /** The journal, ready for the next change. */
  readonly journal: Journal;
  /** The generation of the files that were read; 0 for a new directory. */
  readonly generation: number;
  /** How many memories the files hold, without the journal. */
  readonly memories: number;
  /** When the files were saved, epoch milliseconds; null for a new directory. */
  readonly savedAtMs: number | null;
  /** How many changes came from the journal; after a clean stop 0. */
  readonly replayed: number;
  /** Why vectors have to be made again, for the operator; null: they need not be. */
  readonly vectorsLost: string | null;
  /** What the repair has lost; empty without a repair. */
  readonly losses: readonly string[];
  /** Whether to save at once: something was damaged, or the files still hold the words of a deleted memory, or versions that nobody wants. */
  readonly saveSoon: boolean;
}

/**
 * Reads the three files and the journal.
 * @throws DataDirectoryError when something is damaged and `repair` is null, or was written by a newer version; nothing is changed then
 */
export async function loadStore(options: LoadOptions): Promise<LoadReport> {
  const { directory, repair, vectors, log } = options;
  try {
    if (directory.refusal === null && (await settleSave(directory.path)))
      log.info('finished a save that had been cut short');
    const names = await readdir(directory.path);
    const load = new Load(options, names);
    await load.readFiles();
    await load.readHistory();
    const replay = await load.replay(options.sink);
    // The data that was read is synced before anything relies on it.
    const syncLater = once(async () => {
      await directory.writable();
      await settleSave(directory.path);
      for (const { path } of replay.segments) await syncedSize(path);
    });
    if (repair && (load.losses.length > 0 || !load.areMemoriesSound))
      await keepOriginals(directory.path, names, repair.nowMs);
    return {
      journal: new DurableJournal({
        directory: directory.path,
        sequence: replay.sequence,
        // The missing segments too, so that the next save removes their marks.
        segments: [...replay.segments, ...load.missing.map((name) => ({ path: join(directory.path, name), bytes: 0 }))],
        model: vectors?.model ?? null,
        writable: directory.refusal === null ? async () => {} : syncLater,
      }),
      generation: load.header?.generation ?? 0,
      savedAtMs: load.header ? Date.parse(load.header.savedAt) : null,
      memories: load.memories,
      replayed: replay.applied,
      vectorsLost: load.vectorsLost,
      losses: load.losses,
      saveSoon:
        load.losses.length > 0 ||
        !load.areMemoriesSound ||
        replay.torn !== null ||
        !load.areEntitiesSound ||
        !load.isPackedSound ||
        load.hasDeleted ||
        load.hasUnwantedVersions,
    };
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new DataDirectoryError(
      `${directory.path} cannot be read (${(error as Error).message}): check the disk and the rights of this user.`,
      { cause: error },
    );
  }
}

/** Memories with contradictions that are dealt with in one turn of the event loop: about 5 ms. */
const CONTRADICTIONS_PER_TURN = 1_000;

/**
 * Reads the files of a save that has no journal.
 * @param packed its memories, where there is no other file with them
 * @returns why vectors have to be made again; null: they need not be
 */
export async function loadSnapshot(options: SnapshotLoadOptions, packed: PackedRecords | null): Promise<string | null> {
  const load = new Load(options, await readdir(options.directory.path));
  if (packed) await load.readPackedAlone(packed);
  else await load.readFiles();
  await load.readHistory();
  return load.vectorsLost;
}

/** One pass over a data directory. */
class Load {
  header: MemoriesHeader | null = null;
  memories = 0;
  vectorsLost: string | null = null;
  areEntitiesSound = true;
  /** Whether memories.packed is the one that was saved with memories.json, or none was. */
  isPackedSound = true;
  /** Whether memories.json need not be made again of memories.packed. */
  areMemoriesSound = true;
  /** Whether the journal deletes something. */
  hasDeleted = false;
  /** Whether there is a file of versions, and none are to be kept. */
  hasUnwantedVersions = false;
  readonly losses: string[] = [];
  /** Names of segments that are gone. */
  readonly missing: readonly string[];
  readonly #options: SnapshotLoadOptions;
  readonly #names: ReadonlySet<string>;
  readonly #segments: readonly Segment[];
  #areRowsSound = false;
  readonly #contradicting: [string, StoredComparison][] = [];

  constructor(options: SnapshotLoadOptions, names: readonly string[]) {
    this.#options = options;
    this.#names = new Set(names);
    this.#segments = segmentsAmong(options.directory.path, names);
    this.missing = missingSegments(names);
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
      else if (orphan !== null) this.#damaged(`${MEMORIES_FILE}: it is missing, though ${orphan} exists`);
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
    if (hasFound) this.#contradicting.push([packed.block.idOf(packed.place), comparison]);
  }

  async #readMemories(): Promise<void> {
    await readMemories(this.#path(MEMORIES_FILE), {
      header: (header) => this.#readHeader(header),
      memory: (record) => this.#take(record),
      damage: (what) => this.#damaged(`${MEMORIES_FILE}: ${what}`),
    });
  }

  #take({ memory, strength, rows, comparison, reading }: SnapshotRecord): void {
    this.memories += 1;
    const { sink } = this.#options;
    sink.add(memory, strength, this.#areRowsSound ? rows : null, reading);
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
      if (expected !== undefined) this.#damaged(`${HISTORY_FILE}: it is missing`);
      return;
    }
    let versions = 0;
    this.hasUnwantedVersions = this.#options.keepVersion === undefined;
    for await (const kept of keptIn(this.#path(HISTORY_FILE), (line) => {
      this.#damaged(`${HISTORY_FILE}: line ${line} cannot be read`);
    })) {
      versions++;
      this.#options.keepVersion?.(kept);
    }
    if (expected !== undefined && versions !== expected) {
      this.#damaged(`${HISTORY_FILE}: memories.json counts ${expected} versions, and it holds ${versions}`);
    }
  }

  async replay(sink: StoreSink) {
    const { repair, log } = this.#options;
    for (const name of this.missing) this.#damaged(`${name}: it is missing, with the changes that it held`);
    for (const name of await this.#emptied()) this.#damaged(`${name}: it is empty, though it held changes`);
    const isHidden = this.losses.length > 0 && !this.header;
    const replay = await replayJournal({
      segments: this.#segments,
      savedSequence: isHidden ? null : (this.header?.sequence ?? 0),
      apply: (change) => this.#apply(change, sink),
      keepReading: repair !== null,
      sync: this.#options.directory.refusal === null,
    });
    if (replay.torn) {
      const { where, ...size } = replay.torn;
      log.warn({ where, last_change: replay.sequence, ...size }, tornWords(replay.torn));
    }
    this.losses.push(...replay.losses);
    return replay;
  }

  /** Names of empty segments that have a mark; only segments with changes get one. */
  async #emptied(): Promise<string[]> {
    const marked = this.#segments.filter(({ path }) => this.#names.has(basename(markOf(path))));
    const sizes = await Promise.all(marked.map(async ({ path }) => (await stat(path)).size));
    return marked.filter((_, index) => sizes[index] === 0).map(({ path }) => basename(path));
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

  #apply(change: ReadChange, sink: StoreSink): void {
    if (change.op !== 'group') this.#applyOne(change, sink);
    else if (sink.isAsExpected(change.expected)) {
      sink.acting(change.act, () => {
        for (const one of change.changes) this.#applyOne(one, sink);
      });
    }
  }

  #applyOne(change: ReadSingleChange, sink: StoreSink): void {
    if (change.op === 'delete') {
      this.hasDeleted = true;
      sink.remove(change.ids);
      return;
    }
    if (change.op === 'compared') {
      sink.compared(change);
      return;
    }
    if (change.op === 'decided') {
      sink.decided(change.contradiction);
      return;
    }
    // Only logs that several processes read have it.
    if (change.op === 'erased') return;
    if (change.op === 'strengthened') {
      for (const { id, strength } of change.recalled) sink.strengthen(id, strength);
      return;
    }
    const rows = change.vectors && this.#append(change.vectors);
    if (change.op === 'add') sink.add(change.memory, change.strength, rows ?? null);
    else sink.update(change.memory, change.strength, rows);
  }

  #append({ model, values }: PackedVectors): RowRange | null {
    const { vectors } = this.#options;
    if (!vectors) return null;
    if (model.id !== vectors.model.id || model.dimension !== vectors.model.dimension) {
      this.vectorsLost ??= `the journal holds vectors of the model ${model.id}`;
      return null;
    }
    const count = values.length / model.dimension;
    if (!vectors.matrix.hasRoomFor(count)) {
      this.vectorsLost ??= '--max-memories leaves room for fewer of them';
      return null;
    }
    return { first: vectors.matrix.append(values), count };
  }

  /** @throws DataDirectoryError unless a repair was asked for */
  #damaged(loss: string): void {
    if (!this.#options.repair) {
      throw new DataDirectoryError(
        `${this.#options.directory.path} is damaged (${loss}). Restore it from a backup, or start with --repair to keep what can be read. Nothing was changed.`,
      );
    }
    this.losses.push(loss);
  }

  /** A file that there is only beside memories.json. */
  #orphan(): string | null {
    return [FAISS_FILE, ENTITIES_FILE, PACKED_FILE].find((name) => this.#names.has(name)) ?? this.#orphanSegment();
  }

  /** A segment that continues after changes which only memories.json can hold. */
  #orphanSegment(): string | null {
    const first = this.#segments[0];
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

/** Describes the unreadable end of a journal. A change is on disk before it is answered. */
function tornWords({ isCut }: TornEnd): string {
  return isCut
    ? 'the journal stops in the middle of a line, which is dropped: if a crash cut it while it was written, it was never answered; if the file was cut later, it may have been'
    : 'the last lines of the journal cannot be read and are dropped: if a crash left them half written, they were never answered; if they were damaged later, they may have been';
}

/** A function that runs the work unless it has succeeded before. */
function once(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    await work();
    isDone = true;
  };
}

/** Copies damaged files to a second name, because the next save replaces them. */
async function keepOriginals(directory: string, names: readonly string[], nowMs: number): Promise<void> {
  const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const files = [MEMORIES_FILE, FAISS_FILE, ENTITIES_FILE, HISTORY_FILE, PACKED_FILE].filter((name) =>
    names.includes(name),
  );
  for (const name of [...files, ...segmentsAmong(directory, names).map(({ path }) => basename(path))]) {
    await copyFile(join(directory, name), join(directory, `${name}.damaged-${time}`), constants.COPYFILE_EXCL);
  }
}
