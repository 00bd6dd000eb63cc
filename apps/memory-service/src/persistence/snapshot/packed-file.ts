import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { READING_VERSION } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecord, SnapshotRecords } from '../../store/stored-memory.ts';
import { PackedReader, PackedWriter } from '../files/packed-bytes.ts';
import { systemCode } from '../files/system-code.ts';
import type { MemoriesHeader } from './memories-file.ts';
import { RecordPacker, RecordUnpacker } from './packed-record.ts';

// memories.packed holds what memories.json holds, in the form that is read fastest. Whole numbers are little-endian, of 32 bits:
//   magic, bytes of the header, header (JSON), blocks (bytes, records, the records themselves), a block of 0 bytes, SHA-256 of all before

const MAGIC = 'MEMPACK1';
const NUMBER_BYTES = 4;
const SHA_BYTES = 32;
/** Records of a block: reading one takes a few ms, and then the event loop has its turn. */
const BLOCK_BYTES = 128 * 1024;
/** Read and hashed at a time, in 1 ms. */
const HASHED_BYTES = 1024 * 1024;

/** What the file says of itself; `readings`: the version of the rules by which they were made. */
type PackedHeader = Omit<MemoriesHeader, 'packed'> & { readonly memories: number; readonly readings: string };

/** Writes memories.packed and syncs it. @throws what the file system throws */
export async function writePacked(
  path: string,
  header: Omit<MemoriesHeader, 'packed'>,
  memories: SnapshotRecords,
): Promise<{ bytes: number; sha256: string }> {
  const file = await open(path, 'w');
  try {
    const output = new HashedOutput(file);
    const head: PackedHeader = { ...header, memories: memories.length, readings: READING_VERSION };
    const json = Buffer.from(JSON.stringify(head));
    await output.write(Buffer.concat([Buffer.from(MAGIC), numberBytes(json.length), json]));
    const packer = new RecordPacker();
    const block = new PackedWriter();
    let records = 0;
    const endBlock = async () => {
      const bytes = block.take();
      await output.write(Buffer.concat([numberBytes(bytes.length), numberBytes(records), bytes]));
      records = 0;
    };
    for (const record of memories) {
      packer.pack(block, record);
      records++;
      if (block.length >= BLOCK_BYTES) await endBlock();
    }
    if (records > 0) await endBlock();
    await output.write(numberBytes(0));
    const sha256 = output.sha256();
    await output.write(sha256);
    await file.sync();
    return { bytes: output.bytes, sha256: sha256.toString('hex') };
  } finally {
    await file.close();
  }
}

/** What is written goes to the file and into the hash. */
class HashedOutput {
  bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, this.bytes + done);
      done += bytesWritten;
    }
    this.bytes += chunk.length;
  }

  sha256(): Buffer {
    return this.#hash.copy().digest();
  }
}

/** A file that is as it was written. */
export interface PackedFile {
  readonly header: Omit<MemoriesHeader, 'packed'>;
  /** Of all bytes but itself, in hexadecimal. */
  readonly sha256: string;
  /** The records, in order, some at a time: so many that they are dealt with in a few ms. */
  read(): AsyncGenerator<readonly SnapshotRecord[]>;
}

/**
 * Looks whether the file is whole. @returns why it cannot be used, in words for the operator, where it cannot
 * @throws what the file system throws, but for a file that is not there
 */
export async function openPacked(path: string): Promise<PackedFile | string> {
  try {
    return await lookAt(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'is missing';
    throw error;
  }
}

async function lookAt(path: string): Promise<PackedFile | string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = await bytesAt(file, 0, MAGIC.length + NUMBER_BYTES);
    if (size < start.length + SHA_BYTES) return 'is damaged';
    const magic = start.toString('latin1', 0, MAGIC.length);
    if (magic !== MAGIC) return magic.startsWith('MEMPACK') ? 'was written by another version' : 'is damaged';
    const sha256 = await sha256Of(file, size - SHA_BYTES);
    const expected = await bytesAt(file, size - SHA_BYTES, SHA_BYTES);
    if (sha256 === null || !sha256.equals(expected)) return 'is damaged';
    const json = await bytesAt(file, start.length, start.readUInt32LE(MAGIC.length));
    const { memories: _, ...header } = JSON.parse(json.toString()) as PackedHeader;
    return {
      header,
      sha256: sha256.toString('hex'),
      read: () => records(path, { at: start.length + json.length, hasReadings: header.readings === READING_VERSION }),
    };
  } finally {
    await file.close();
  }
}

/** null where the file ends before that. */
async function sha256Of(file: FileHandle, bytes: number): Promise<Buffer | null> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(HASHED_BYTES);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, bytes - done), done);
    if (bytesRead === 0) return null;
    hash.update(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest();
}

async function* records(
  path: string,
  { at, hasReadings }: { at: number; hasReadings: boolean },
): AsyncGenerator<readonly SnapshotRecord[]> {
  const file = await open(path, 'r');
  try {
    const unpacker = new RecordUnpacker();
    for (let position = at; ; ) {
      const head = await bytesAt(file, position, 2 * NUMBER_BYTES);
      const bytes = head.readUInt32LE(0);
      if (bytes === 0) return;
      const reader = new PackedReader(await bytesAt(file, position + head.length, bytes));
      position += head.length + bytes;
      yield Array.from({ length: head.readUInt32LE(NUMBER_BYTES) }, () => {
        const record = unpacker.unpack(reader);
        return hasReadings ? record : { ...record, reading: undefined };
      });
    }
  } finally {
    await file.close();
  }
}

/** Zeros stand for what lies beyond the end of the file. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes;
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32LE(value);
  return bytes;
}
