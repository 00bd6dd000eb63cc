import { open } from 'node:fs/promises';

/** Hashed or copied in 1 ms. */
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of a file, in order; each chunk only until the next one is asked for. @throws what the file system throws */
export async function* fileChunks(path: string, most = CHUNK_BYTES): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(most);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
