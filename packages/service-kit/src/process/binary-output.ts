import type { Writable } from 'node:stream';

/** Takes bytes; resolves when the system has them. @throws when the reader has gone */
export type BinaryOutput = (bytes: Uint8Array) => Promise<void>;

/** Standard output as a place for bytes, at the speed of its reader. */
export function binaryOutput(stream: Writable): BinaryOutput {
  // Each write reports its error by itself; without a listener the process would die of it.
  stream.on('error', () => {});
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
}
