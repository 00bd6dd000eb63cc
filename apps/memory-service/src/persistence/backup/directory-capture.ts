import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMITTED_FILE, segmentsAmong } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';

/** What a backup leaves out: the lock, what is half written, what a repair has put aside. */
const LEFT_OUT = /^lock(\.|$)|\.tmp$|\.damaged-/;
/** What is looked for from behind at a time, for the last line end of a segment. */
const TAIL_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Between two attempts: a save renames its files within a few of these. */
const PAUSE_MS = 50;
/** Attempts without a moment of rest: 10 s. */
const ATTEMPTS = 200;
const LINE_END = 0x0a;

/** A file as it was at the moment of the capture, whatever becomes of its name. */
export interface CapturedFile {
  /** Below the data directory, with slashes. */
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** The `size` bytes from its beginning. */
  read(): AsyncIterable<Uint8Array>;
}

export interface DirectoryCapture {
  readonly files: readonly CapturedFile[];
  close(): Promise<void>;
}

/** The files of the directory never came to rest. */
export class RestlessDirectoryError extends Error {}

interface OpenFile {
  readonly name: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly modifiedMs: number;
  /** Two captures of one unchanged file agree on it. */
  readonly identity: string;
}

interface Look {
  readonly files: readonly OpenFile[];
  /** The folders in the directory with the time of their last new or lost name: a file may come and go between two looks. */
  readonly folders: readonly string[];
}

/**
 * Opens the files of a data directory as they are at one moment, while a service may be writing to it. It holds everything
 * that was acknowledged before the call.
 *
 * An open file stays what it is when a save puts another one in its place, so the bytes can be read at leisure. What has to be
 * shown is that all of the open files belong together: each but the journal is looked at before the journal and after it, and
 * is the same, and so is every folder, which tells of a file that came and went in between. The journal may grow meanwhile. Its lines are written before they are acknowledged, so any length of it, up to a
 * line end, holds all that was acknowledged before that length was read.
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
    `${directory} is being saved all the time, or a save was cut short: let its service run, then try again.`,
  );
}

/** Null while the files change their names. */
async function openAll(directory: string): Promise<Look | null> {
  const { names, folders } = await namesIn(directory);
  if (names.includes(COMMITTED_FILE)) return null;
  const files: OpenFile[] = [];
  try {
    // The journal last: what moves between it and another file must be missing in neither.
    for (const name of [...names.filter((name) => !isJournal(name)), ...names.filter(isJournal)]) {
      const file = await open(join(directory, name), 'r');
      const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true });
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

/** Of the files to keep, in the directory and in the folders in it. */
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

/** Behind the last line end: the line after it is still being written. */
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
    if (bytesRead === 0) throw new RestlessDirectoryError('A file became shorter while it was read: try again.');
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
