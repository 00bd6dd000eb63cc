import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VECTORS_FOLDER } from '../../search/vectors/indexed-rows.ts';
import { COMMITTED_FILE, SPACES_FOLDER, segmentsAmong } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';
import { CHECKPOINT_FOLDER } from '../postgres/checkpoint/passing-folder.ts';

/**
 * What a capture leaves out: the lock, temporary files, also those of a `TMPDIR` that is the data directory, damaged files that a
 * repair has renamed, and other spaces.
 */
const LEFT_OUT = new RegExp(
  `^lock(\\.|$)|\\.tmp$|^(${VECTORS_FOLDER}|${CHECKPOINT_FOLDER})-|\\.damaged-|^${SPACES_FOLDER}$`,
);
/** The bytes that are read at a time, backwards, to find the last line end of a segment. */
const TAIL_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Pause between two attempts; a save renames its files within a few of these. */
const PAUSE_MS = 50;
/** Attempts before the capture gives up, after 10 s. */
const ATTEMPTS = 200;
const LINE_END = 0x0a;

/** A file as it was at the moment of the capture, even if another file gets its name. */
export interface CapturedFile {
  /** Path below the data directory, with slashes. */
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** The first `size` bytes. */
  read(): AsyncIterable<Uint8Array>;
}

export interface DirectoryCapture {
  readonly files: readonly CapturedFile[];
  close(): Promise<void>;
}

/** The files of the directory changed during every attempt. */
export class RestlessDirectoryError extends Error {}

interface OpenFile {
  readonly name: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly modifiedMs: number;
  /** Equal for two captures of one unchanged file. */
  readonly identity: string;
}

interface Look {
  readonly files: readonly OpenFile[];
  /** The folders with the time of their last new or removed name, because a file may appear and vanish between two looks. */
  readonly folders: readonly string[];
}

/**
 * Opens the files of a data directory as they are at one moment, while a service may be writing to it. It holds everything
 * that was acknowledged before the call.
 *
 * An open file keeps its bytes when a save puts another file in its place, so it can be read later. To prove that the open files
 * belong together, each file except the journal is examined before the journal is and again after it, and must be the same. The
 * folders must be the same too, which shows that no file appeared and vanished in between. The journal may grow meanwhile: its
 * lines are written before they are acknowledged, so any length of it, up to a line end, holds everything that was acknowledged
 * before that length was read.
 * @throws RestlessDirectoryError
 */
export async function captureDirectory(
  directory: string,
  pause: (milliseconds: number) => Promise<void>,
): Promise<DirectoryCapture> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await pause(PAUSE_MS);
    const captured = await openAll(directory);
    if (captured === null) continue;
    const after = await openAll(directory);
    const isAtRest = after !== null && isSame(captured, after);
    await closeAll(after?.files ?? []);
    if (isAtRest) return await toCapture(captured.files);
    await closeAll(captured.files);
  }
  throw new RestlessDirectoryError(
    `${directory} changes all the time, or a save in it was interrupted: let its service run, then try again.`,
  );
}

/** Opens the files; null while a save renames them. */
async function openAll(directory: string): Promise<Look | null> {
  const { names, folders } = await namesIn(directory);
  if (names.includes(COMMITTED_FILE)) return null;
  const files: OpenFile[] = [];
  try {
    // The journal comes last: a change that moves from it to another file must be in at least one of them.
    for (const name of [...names.filter((name) => !isJournal(name)), ...names.filter(isJournal)]) {
      const file = await open(join(directory, name), 'r');
      const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true }).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      const unchanging = isJournal(name) ? '' : `${size} ${mtimeNs}`;
      const identity = `${name} ${dev} ${ino} ${unchanging}`;
      files.push({ name, file, size: Number(size), modifiedMs: Number(mtimeNs / 1_000_000n), identity });
    }
    return { files, folders };
  } catch (error) {
    await closeAll(files);
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The names of the files to back up, in the directory and in its folders. */
async function namesIn(directory: string): Promise<{ names: string[]; folders: string[] }> {
  const names: string[] = [];
  const folders: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    if (entry.isFile()) names.push(entry.name);
    if (entry.isDirectory()) {
      const folder = join(directory, entry.name);
      const { ino, mtimeNs } = await stat(folder, { bigint: true });
      const inside = await namesIn(folder);
      folders.push(`${entry.name} ${ino} ${mtimeNs}`, ...inside.folders);
      for (const name of inside.names) names.push(`${entry.name}/${name}`);
    }
  }
  return { names: names.sort(), folders };
}

function isJournal(name: string): boolean {
  return segmentsAmong('', [name]).length > 0;
}

function isSame(before: Look, after: Look): boolean {
  const identities = ({ files, folders }: Look) => [...files.map(({ identity }) => identity), ...folders].join('\n');
  return identities(before) === identities(after);
}

async function closeAll(files: readonly OpenFile[]): Promise<void> {
  for (const { file } of files) await file.close();
}

async function toCapture(files: readonly OpenFile[]): Promise<DirectoryCapture> {
  const captured: CapturedFile[] = [];
  for (const { name, file, size, modifiedMs } of files) {
    const stored = isJournal(name) ? await endOfLastLine(file, size) : size;
    captured.push({ name, size: stored, modifiedMs, read: () => bytesOf(file, stored) });
  }
  return { files: captured, close: () => closeAll(files) };
}

/** The position after the last line end; a line behind it is still being written. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const tail = Buffer.alloc(TAIL_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { bytesRead } = await file.read(tail, 0, end - start, start);
    const found = tail.subarray(0, bytesRead).lastIndexOf(LINE_END);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, position);
    if (bytesRead === 0) throw new RestlessDirectoryError('A file became shorter while it was being read: try again.');
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
