import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Read and hashed at a time, in 1 ms. */
const CHUNK_BYTES = 1024 * 1024;

/** The SHA-256 of the first bytes of a file, 32 bytes; null where the file ends before that. @throws what the file system throws */
export async function sha256OfFirst(file: Pick<FileHandle, 'read'>, bytes: number): Promise<Buffer | null> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, bytes - done), done);
    if (bytesRead === 0) return null;
    hash.update(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest();
}
