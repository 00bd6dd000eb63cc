import { fileChunks } from '../../files/file-chunks.ts';

// A file is cut where its bytes say so (Muthitacharoen, Chen and Mazieres 2001), so that what is put in or taken out moves no other cut: a
// part without a change has the same bytes in the next checkpoint. What the bytes say is the gear hash (Xia and others 2014): each
// byte shifts it by one bit, so it knows the last 32 bytes alone.

/** A part has at least so many bytes, the last one excepted. */
const LEAST_BYTES = 256 * 1024;
const MOST_BYTES = 2 * 1024 ** 2;
/** One place in 2^19 is a cut: a part has 768 KiB on average. */
const CUT_BITS = 0xff_ff_e0_00;
const WINDOW_BYTES = 32;
/** Read and looked through in 1 ms of the event loop. */
const READ_BYTES = 512 * 1024;
const GEAR = gear();

/** The bytes of a file, in order, as parts. @throws what the file system throws */
export async function* contentParts(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of fileChunks(path, READ_BYTES)) {
    const seen = rest.length;
    rest = Buffer.concat([rest, chunk]);
    for (let from = seen, end = cutIn(rest, from); end > 0; end = cutIn(rest, from)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
      from = 0;
    }
  }
  if (rest.length > 0) yield rest;
}

/** The bytes of the part that the bytes begin with; 0: it goes on after them. @param from where it may end, at the earliest */
function cutIn(bytes: Buffer, from: number): number {
  const first = Math.max(LEAST_BYTES, from);
  const last = Math.min(bytes.length, MOST_BYTES);
  let hash = 0;
  for (let at = first - WINDOW_BYTES; at < last; at++) {
    hash = ((hash << 1) + (GEAR[bytes[at] as number] as number)) | 0;
    if (at >= first && (hash & CUT_BITS) === 0) return at + 1;
  }
  return bytes.length >= MOST_BYTES ? MOST_BYTES : 0;
}

/** A number for each byte, without a pattern, and the same in each version: xorshift (Marsaglia 2003). */
function gear(): Int32Array {
  let state = 0x9e3779b9 | 0;
  return Int32Array.from({ length: 256 }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}
