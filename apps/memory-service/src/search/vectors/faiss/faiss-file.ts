import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { endianness } from 'node:os';
import { writeAt } from '@agent-faculties/service-kit';
import { MatrixFullError, type VectorMatrix } from '../vector-matrix.ts';

// FAISS's own format of an IndexFlatIP, little-endian: 'IxFI', dimension int32, count int64, two unused int64 of 2^20,
// trained uint8, metric int32 (0 = inner product), number of values uint64, the values as float32.
const FOURCC = 'IxFI';
const UNUSED = 1n << 20n;
const METRIC_INNER_PRODUCT = 0;
/** Before the first vector. */
export const HEADER_BYTES = 45;
const BYTES_PER_VALUE = 4;

/** Read, hashed and copied at a time: about 1 ms of the event loop. */
const CHUNK_BYTES = 1024 * 1024;

/** The file is not an intact IndexFlatIP. */
export class DamagedIndexFileError extends Error {
  override readonly name = 'DamagedIndexFileError';
}

/** The file is intact and holds vectors of another dimension, so of another model. */
export class IndexDimensionError extends Error {
  override readonly name = 'IndexDimensionError';
}

/**
 * Writes rows of a matrix, in the order given, as the file that FAISS itself would write of an IndexFlatIP that holds them, and
 * flushes it to disk (unless not durable). Overwrites the path; who needs all or nothing writes to a temporary name and renames.
 * Rows may be appended meanwhile.
 * @returns the file's size in bytes and its SHA-256 in hexadecimal
 * @throws what the file system throws, ENOSPC for one
 */
export async function writeFlatIndex(
  path: string,
  { matrix, rows, durable = true }: { matrix: VectorMatrix; rows: ArrayLike<number>; durable?: boolean },
): Promise<{ bytes: number; sha256: string }> {
  assertLittleEndian();
  const file = await open(path, 'w');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    const write = async (chunk: Uint8Array) => {
      hash.update(chunk);
      await writeAt(file, chunk, bytes);
      bytes += chunk.byteLength;
    };
    await write(header(matrix.dimension, rows.length));
    const rowsPerChunk = Math.max(1, Math.floor(CHUNK_BYTES / (matrix.dimension * BYTES_PER_VALUE)));
    const chunk = new Float32Array(rowsPerChunk * matrix.dimension);
    for (let start = 0; start < rows.length; start += rowsPerChunk) {
      const end = Math.min(start + rowsPerChunk, rows.length);
      for (let i = start; i < end; i++) chunk.set(matrix.row(rows[i] as number), (i - start) * matrix.dimension);
      await write(new Uint8Array(chunk.buffer, 0, (end - start) * matrix.dimension * BYTES_PER_VALUE));
    }
    if (durable) await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * Appends the vectors of an IndexFlatIP file to a matrix, in the file's order. Size and header are checked before the first is
 * appended; that the values are those once written can only be told from the SHA-256.
 * @throws DamagedIndexFileError; IndexDimensionError; MatrixFullError; what the file system throws
 */
export async function readFlatIndex(
  path: string,
  { matrix }: { matrix: VectorMatrix },
): Promise<{ dimension: number; count: number; sha256: string }> {
  assertLittleEndian();
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(HEADER_BYTES);
    await readFully(file, start, { position: 0, path });
    const { dimension, count } = parseHeader(start, { size, path });
    if (dimension !== matrix.dimension) {
      throw new IndexDimensionError(`${path} holds vectors of dimension ${dimension}, not ${matrix.dimension}`);
    }
    if (!matrix.hasRoomFor(count)) throw new MatrixFullError(`${path} holds ${count} vectors`);
    const hash = createHash('sha256').update(start);
    const rowsPerChunk = Math.max(1, Math.floor(CHUNK_BYTES / (dimension * BYTES_PER_VALUE)));
    const chunk = new Float32Array(rowsPerChunk * dimension);
    for (let position = HEADER_BYTES; position < size; ) {
      const part = new Uint8Array(chunk.buffer, 0, Math.min(chunk.byteLength, size - position));
      await readFully(file, part, { position, path });
      hash.update(part);
      matrix.append(chunk.subarray(0, part.byteLength / BYTES_PER_VALUE));
      position += part.byteLength;
    }
    return { dimension, count, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * Takes the values of an IndexFlatIP file that comes in parts. Its header is checked first; that the values are those once written
 * can only be told from the SHA-256.
 * @param into so many bytes as the vectors have
 * @throws DamagedIndexFileError; what the parts throw
 */
export async function takeFlatIndex(
  parts: AsyncIterable<Buffer>,
  { dimension, rows, into }: { dimension: number; rows: number; into: Uint8Array },
): Promise<{ sha256: string }> {
  assertLittleEndian();
  const expected = header(dimension, rows);
  const hash = createHash('sha256');
  let position = 0;
  for await (const part of parts) {
    hash.update(part);
    const inHeader = Math.max(0, Math.min(HEADER_BYTES - position, part.length));
    const values = part.subarray(inHeader);
    const at = position + inHeader - HEADER_BYTES;
    const isOurs = part.subarray(0, inHeader).equals(expected.subarray(position, position + inHeader));
    if (!isOurs || at + values.length > into.length) {
      throw new DamagedIndexFileError(`the file is no flat inner-product index of FAISS with ${rows} vectors`);
    }
    if (values.length > 0) into.set(values, at);
    position += part.length;
  }
  if (position !== HEADER_BYTES + into.length) throw new DamagedIndexFileError(`the file ends after ${position} bytes`);
  return { sha256: hash.digest('hex') };
}

function header(dimension: number, count: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(FOURCC, 0, 'latin1');
  bytes.writeInt32LE(dimension, 4);
  bytes.writeBigInt64LE(BigInt(count), 8);
  bytes.writeBigInt64LE(UNUSED, 16);
  bytes.writeBigInt64LE(UNUSED, 24);
  bytes.writeUInt8(1, 32);
  bytes.writeInt32LE(METRIC_INNER_PRODUCT, 33);
  bytes.writeBigUInt64LE(BigInt(count * dimension), 37);
  return bytes;
}

function parseHeader(bytes: Buffer, { size, path }: { size: number; path: string }) {
  const dimension = bytes.readInt32LE(4);
  const count = Number(bytes.readBigInt64LE(8));
  if (dimension <= 0 || count < 0 || size !== HEADER_BYTES + count * dimension * BYTES_PER_VALUE) {
    throw new DamagedIndexFileError(`${path} has ${size} bytes, which do not fit its header`);
  }
  if (!bytes.equals(header(dimension, count))) {
    throw new DamagedIndexFileError(`${path} is not a flat inner-product index of FAISS`);
  }
  return { dimension, count };
}

async function readFully(
  file: FileHandle,
  target: Uint8Array,
  { position, path }: { position: number; path: string },
): Promise<void> {
  for (let done = 0; done < target.byteLength; ) {
    const { bytesRead } = await file.read(target, done, target.byteLength - done, position + done);
    if (bytesRead === 0) throw new DamagedIndexFileError(`${path} ends after ${position + done} bytes`);
    done += bytesRead;
  }
}

/** The chunks go to the file as they lie in memory. Every platform that Node is released for is little-endian but one. */
function assertLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('FAISS files are little-endian; this machine is not');
}
