import { type FileHandle, open } from 'node:fs/promises';

/**
 * Writes a new file that only its owner may read. Resolves when its bytes are on the disk; its name is there after `syncDirectory`.
 * @throws the error of the system, EEXIST among them
 */
export async function writeSynced(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes all of the bytes to a place in a file, of which one write may take only some. @throws the error of the system, ENOSPC for one */
export async function writeAt(file: Pick<FileHandle, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}

/** Makes new, renamed and deleted names in a folder survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no folders, and keeps their entries by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
