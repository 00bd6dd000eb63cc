import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, writeAt } from '@agent-faculties/service-kit';
import { temporary } from './file-names.ts';

/** The characters of one write: making that much JSON takes 1 to 2 ms, and during the write the event loop has its turn. */
const CHUNK_CHARACTERS = 128 * 1024;

/** Writes a text in parts and syncs it. The caller calls `drain` when `isFull`, so that memory stays bounded. */
export class TextFile {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #chunks: string[] = [];
  #characters = 0;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Overwrites the file and closes it in any case. @throws what `write` throws; errors of the file system */
  static async write(
    path: string,
    write: (text: TextFile) => Promise<void>,
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const file = await open(path, 'w');
    try {
      const text = new TextFile(file);
      await write(text);
      await text.drain();
      await file.sync();
      return { bytes: text.#bytes, sha256: text.#hash.digest('hex') };
    } finally {
      await file.close();
    }
  }

  /** Puts a text in the place of a file, or makes the file: whenever the process ends, the old one or the new one is there, whole. */
  static async replace(path: string, text: string): Promise<void> {
    await TextFile.write(temporary(path), async (file) => file.add(text));
    await rename(temporary(path), path);
    await syncDirectory(dirname(path));
  }

  get isFull(): boolean {
    return this.#characters >= CHUNK_CHARACTERS;
  }

  add(chunk: string): void {
    this.#chunks.push(chunk);
    this.#characters += chunk.length;
  }

  /** SHA-256 of everything that was added so far, in hexadecimal. */
  async sha256(): Promise<string> {
    await this.drain();
    return this.#hash.copy().digest('hex');
  }

  async drain(): Promise<void> {
    const chunk = Buffer.from(this.#chunks.join(''));
    this.#chunks = [];
    this.#characters = 0;
    this.#hash.update(chunk);
    await writeAt(this.#file, chunk, this.#bytes);
    this.#bytes += chunk.byteLength;
  }
}
