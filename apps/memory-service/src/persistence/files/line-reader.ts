import { open } from 'node:fs/promises';

/** Read at a time; parsing so much takes a few ms, and then the event loop has its turn. */
const CHUNK_BYTES = 256 * 1024;
/** A longer one was not written by this service, and may be a file of any size without a line end: it counts as not ended. */
export const MAX_LINE_BYTES = 64 * 1024 ** 2;
const NEWLINE = 0x0a;

export interface Line {
  /** Without the line end. */
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** False for the rest of a file that stops in the middle of a line. */
  readonly ended: boolean;
}

/** The lines of a file in batches, so that files of any size are read in bounded memory. A line without an end is the last. */
export async function* readLines(path: string): AsyncGenerator<readonly Line[]> {
  const file = await open(path, 'r');
  try {
    let number = 0;
    let chunks: Buffer[] = [];
    let chunkBytes = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const batch: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1 && end < bytesRead; end = chunk.indexOf(NEWLINE, start)) {
        const rest = chunk.subarray(start, end);
        batch.push({ bytes: chunkBytes > 0 ? Buffer.concat([...chunks, rest]) : rest, number: ++number, ended: true });
        chunks = [];
        chunkBytes = 0;
        start = end + 1;
      }
      if (start < bytesRead) {
        chunks.push(chunk.subarray(start, bytesRead));
        chunkBytes += bytesRead - start;
      }
      if (batch.length > 0) yield batch;
      if (chunkBytes > MAX_LINE_BYTES) break;
    }
    if (chunkBytes > 0) yield [{ bytes: Buffer.concat(chunks), number: number + 1, ended: false }];
  } finally {
    await file.close();
  }
}
