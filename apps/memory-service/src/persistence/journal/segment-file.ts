import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import { syncDirectory, writeAt } from '@agent-faculties/service-kit';
import { markOf, segmentAfter } from '../files/file-names.ts';

/** Numbers of files may be larger than a number of JavaScript holds exactly. */
const EXACT = { bigint: true } as const;

/** The fault of a segment that is not where it was written, in the form of those of the system. */
export function segmentGone(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is gone, or is not the file that was written`), {
    code: 'ENOENT',
    syscall: 'stat',
  });
}

/** The segment of the journal that is being written. */
export class SegmentFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #identity: { readonly dev: bigint; readonly ino: bigint };
  #bytes = 0;
  #isSound = true;

  private constructor(path: string, file: FileHandle, identity: { readonly dev: bigint; readonly ino: bigint }) {
    this.path = path;
    this.#file = file;
    this.#identity = identity;
  }

  /** @param after number of the last change before the segment */
  static async create(directory: string, after: number): Promise<SegmentFile> {
    const { path } = segmentAfter(directory, after);
    // An existing file of this name holds no answered change, which would have raised the number.
    await rm(path, { force: true });
    const file = await open(path, 'wx');
    try {
      await syncDirectory(directory);
      return new SegmentFile(path, file, await file.stat(EXACT));
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** The bytes that are written and synced. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False after a fault that makes the result of another sync doubtful. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** Resolves when the bytes are on disk. After a failure the segment holds none of them. */
  async append(bytes: Uint8Array): Promise<void> {
    try {
      await writeAt(this.#file, bytes, this.#bytes);
    } catch (error) {
      await this.#takeBack();
      throw error;
    }
    try {
      await this.#file.datasync();
      await this.#refuseWhenReplaced();
    } catch (error) {
      // The kernel may have dropped the bytes and then report success for the next sync, so this file is not used any more.
      this.#isSound = false;
      await this.#takeBack();
      throw error;
    }
    if (this.#bytes === 0) await this.#mark();
    this.#bytes += bytes.byteLength;
  }

  async close(): Promise<void> {
    // Nothing waits to be written, so a fault here loses nothing.
    await this.#file.close().catch(() => {});
  }

  /** What is written to a file that somebody has deleted, moved or replaced is read by no start. */
  async #refuseWhenReplaced(): Promise<void> {
    const { dev, ino } = await stat(this.path, EXACT);
    if (ino !== this.#identity.ino || dev !== this.#identity.dev) throw segmentGone(this.path);
  }

  /** Makes the mark once the segment holds a change: a power cut must not leave a mark alone or with an empty segment. */
  async #mark(): Promise<void> {
    // A fault is ignored, because the change is on disk: without a mark, a start does not notice if somebody removes the segment.
    await writeFile(markOf(this.path), '').catch(() => {});
  }

  /** Cuts the file back: half a line must not stay before the next one, and a refused change must not come back at the next start. */
  async #takeBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#bytes);
      await this.#file.datasync();
    } catch {
      this.#isSound = false;
    }
  }
}

/** Deletes segments whose changes are saved. */
export async function removeSegments(directory: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  for (const path of paths) await rm(markOf(path), { force: true });
  await syncDirectory(directory);
  for (const path of paths) await rm(path, { force: true });
  await syncDirectory(directory);
}
