import { open } from 'node:fs/promises';

/** The bytes of a batch; parsing it takes a few ms, and then the event loop has its turn. */
const CHUNK_BYTES = 256 * 1024;
/** The longest line. This service writes none that is longer, so a longer one counts as a line without an end. */
export const MAX_LINE_BYTES = 64 * 1024 ** 2;
const NEWLINE = 0x0a;

export interface Line {
  /** The line without its line end. */
  readonly bytes: Buffer;
  /** Line number, from 1. */
  readonly number: number;
  /** False for the rest of a file that stops in the middle of a line. */
  readonly ended: boolean;
}

/** Reads the lines of a file in batches, so that a file of any size needs bounded memory. A line without an end is the last. */
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
