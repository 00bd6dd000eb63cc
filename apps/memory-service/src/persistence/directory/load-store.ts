import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { Journal } from '../../store/changes/journal.ts';
import type { StoreSink } from '../../store/store-sink.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { markOf, missingSegments, type Segment, segmentsAmong } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';
import { ChangeReplay } from '../journal/change-replay.ts';
import { DurableJournal } from '../journal/durable-journal.ts';
import { type Replay, replayJournal, syncedSize, type TornEnd } from '../journal/journal-reader.ts';
import { SnapshotLoad, type SnapshotLoadOptions } from '../snapshot/load-snapshot.ts';
import type { MemoriesHeader } from '../snapshot/memories-lines.ts';
import { settleSave } from '../snapshot/save-files.ts';
import type { DataDirectory } from './data-directory.ts';
import { keepOriginals, Losses } from './repair.ts';

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
 * Reads the files of the last save, and then the journal, which has what came after them.
 * @throws DataDirectoryError when something is damaged and `repair` is null, or was written by a newer version; nothing is changed then
 */
export async function loadStore(options: LoadOptions): Promise<LoadReport> {
  const { directory, log } = options;
  try {
    if (directory.refusal === null && (await settleSave(directory.path)))
      log.info('finished a save that had been cut short');
    return await load(options, await readdir(directory.path));
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new DataDirectoryError(
      `${directory.path} cannot be read (${(error as Error).message}): check the disk and the rights of this user.`,
      { cause: error },
    );
  }
}

/** @param names of the files in the directory */
async function load(options: LoadOptions, names: readonly string[]): Promise<LoadReport> {
  const { directory, sink, repair, vectors } = options;
  const losses = new Losses(directory.path, { isRepair: repair !== null });
  const saved = new SnapshotLoad(options, { names, losses });
  await saved.readFiles();
  await saved.readHistory();
  const changes = new ChangeReplay({ sink, vectors });
  const replay = await replayed(options, { names, header: saved.header, changes, losses });
  if (repair && (losses.all.length > 0 || !saved.areMemoriesSound))
    await keepOriginals(directory.path, names, repair.nowMs);
  return {
    journal: journalAfter(replay, { directory, names, model: vectors?.model ?? null }),
    generation: saved.header?.generation ?? 0,
    savedAtMs: saved.header ? Date.parse(saved.header.savedAt) : null,
    memories: saved.memories,
    replayed: replay.applied,
    vectorsLost: saved.vectorsLost ?? changes.vectorsLost,
    losses: losses.all,
    saveSoon:
      losses.all.length > 0 ||
      !saved.areMemoriesSound ||
      replay.torn !== null ||
      !saved.areEntitiesSound ||
      !saved.isPackedSound ||
      changes.hasDeleted ||
      saved.hasUnwantedVersions,
  };
}

interface Replaying {
  readonly names: readonly string[];
  /** Of the save; null where there is none, or it cannot be read. */
  readonly header: MemoriesHeader | null;
  readonly changes: ChangeReplay;
  readonly losses: Losses;
}

async function replayed(
  { directory, repair, log }: LoadOptions,
  { names, header, changes, losses }: Replaying,
): Promise<Replay> {
  const segments = segmentsAmong(directory.path, names);
  for (const name of missingSegments(names)) losses.note(`${name}: it is missing, with the changes that it held`);
  for (const name of await emptied(segments, names)) losses.note(`${name}: it is empty, though it held changes`);
  const isHidden = losses.all.length > 0 && !header;
  const replay = await replayJournal({
    segments,
    savedSequence: isHidden ? null : (header?.sequence ?? 0),
    apply: (change) => changes.apply(change),
    keepReading: repair !== null,
    sync: directory.refusal === null,
  });
  if (replay.torn) {
    const { where, ...size } = replay.torn;
    log.warn({ where, last_change: replay.sequence, ...size }, tornWords(replay.torn));
  }
  losses.note(...replay.losses);
  return replay;
}

/** Names of empty segments that have a mark; only segments with changes get one. */
async function emptied(segments: readonly Segment[], names: readonly string[]): Promise<string[]> {
  const known = new Set(names);
  const marked = segments.filter(({ path }) => known.has(basename(markOf(path))));
  const sizes = await Promise.all(marked.map(async ({ path }) => (await stat(path)).size));
  return marked.filter((_, index) => sizes[index] === 0).map(({ path }) => basename(path));
}

/** Describes the unreadable end of a journal. A change is on disk before it is answered. */
function tornWords({ isCut }: TornEnd): string {
  return isCut
    ? 'the journal stops in the middle of a line, which is dropped: if a crash cut it while it was written, it was never answered; if the file was cut later, it may have been'
    : 'the last lines of the journal cannot be read and are dropped: if a crash left them half written, they were never answered; if they were damaged later, they may have been';
}

function journalAfter(
  { sequence, segments }: Replay,
  { directory, names, model }: { directory: DataDirectory; names: readonly string[]; model: VectorModel | null },
): Journal {
  // The data that was read is synced before anything relies on it.
  const syncLater = once(async () => {
    await directory.writable();
    await settleSave(directory.path);
    for (const { path } of segments) await syncedSize(path);
  });
  const missing = missingSegments(names).map((name) => ({ path: join(directory.path, name), bytes: 0 }));
  return new DurableJournal({
    directory: directory.path,
    sequence,
    // The missing segments too, so that the next save removes their marks.
    segments: [...segments, ...missing],
    model,
    writable: directory.refusal === null ? async () => {} : syncLater,
  });
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
