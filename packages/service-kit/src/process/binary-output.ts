import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Takes bytes; resolves when more may come. @throws when whoever reads has gone */
export type BinaryOutput = (bytes: Uint8Array) => Promise<void>;

/** Standard output as a place for bytes, at the speed of whoever reads them. */
export function binaryOutput(stream: Writable): BinaryOutput {
  let fault: Error | null = null;
  stream.on('error', (error) => {
    fault ??= error;
  });
  return async (bytes) => {
    if (fault) throw fault;
    if (stream.write(bytes)) return;
    // `once` rejects with an error that comes in place of the event.
    await once(stream, 'drain');
  };
}
