import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { writeAt } from '@agent-faculties/service-kit';
import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import { readingVersion } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecords } from '../../store/records/snapshot-records.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { fileChunks } from '../files/file-chunks.ts';
import { sha256OfFirst } from '../files/file-sums.ts';
import { PackedWriter } from '../files/packed-bytes.ts';
import { systemCode } from '../files/system-code.ts';
import type { MemoriesHeader } from './memories-lines.ts';
import { RecordPacker } from './record-packer.ts';
import { type ReadRecord, RecordUnpacker } from './record-unpacker.ts';

// memories.packed holds what memories.json holds, in the form that is read fastest. Whole numbers are little-endian, of 32 bits:
//   magic, bytes of the header, header (JSON), blocks (bytes, records, the records themselves), a block of 0 bytes, SHA-256 of all before

const MAGIC = 'MEMPACK1';
const NUMBER_BYTES = 4;
const SHA_BYTES = 32;
/** The most bytes of the records in one block: some 700 records. */
const BLOCK_BYTES = 128 * 1024;
/** Dealt with in one turn of the event loop: 2 ms, but 15 for the first ones, whose code the engine has not compiled yet. */
const RECORDS_PER_TURN = 200;

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
    const head: PackedHeader = { ...header, memories: memories.length, readings: readingVersion() };
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
    await writeAt(this.#file, chunk, this.bytes);
    this.bytes += chunk.length;
  }

  sha256(): Buffer {
    return this.#hash.copy().digest();
  }
}

/** What the file holds. */
export interface PackedRecords {
  readonly header: Omit<MemoriesHeader, 'packed'>;
  /** The records, in order, some at a time: so many that they are dealt with in a few ms. */
  read(): AsyncGenerator<readonly ReadRecord[]>;
}

/** A file that is as it was written. */
export interface PackedFile extends PackedRecords {
  /** The checksum of all bytes before it, in hexadecimal. */
  readonly sha256: string;
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
    const why = whyOfBeginning(start);
    if (why !== null) return why;
    const sha256 = await sha256OfFirst(file, size - SHA_BYTES);
    const expected = await bytesAt(file, size - SHA_BYTES, SHA_BYTES);
    if (sha256 === null || !sha256.equals(expected)) return 'is damaged';
    const json = await bytesAt(file, start.length, start.readUInt32LE(MAGIC.length));
    return { header: headerIn(json), sha256: sha256.toString('hex'), read: () => recordsIn(path) };
  } finally {
    await file.close();
  }
}

/**
 * Opens a file that comes in parts, which are dropped as they are read. They must be as they were written.
 * @returns it, to be read once; `read` throws a DataDirectoryError at the end of parts that are not those of one file. Or why it cannot
 * be used, in words for the operator
 */
export async function openPackedParts(parts: AsyncIterable<Buffer>): Promise<PackedRecords | string> {
  const hash = createHash('sha256');
  const input = new Input(parts, hash);
  const start = await input.take(MAGIC.length + NUMBER_BYTES);
  const why = whyOfBeginning(start);
  if (why !== null) return why;
  const json = await input.take(start.readUInt32LE(MAGIC.length));
  if (input.isCut) return 'is damaged';
  const header = headerIn(json);
  return {
    header,
    async *read() {
      yield* records(input, header);
      const sha256 = hash.copy().digest();
      if (!sha256.equals(await input.take(SHA_BYTES))) throw damaged();
    },
  };
}

function damaged(): DataDirectoryError {
  return new DataDirectoryError('memories.packed is damaged: restore it from a backup. Nothing was changed.');
}

/** Why the file is not of this version; null if it is. */
function whyOfBeginning(start: Buffer): string | null {
  const magic = start.toString('latin1', 0, MAGIC.length);
  if (magic === MAGIC) return null;
  return magic.startsWith('MEMPACK') ? 'was written by another version' : 'is damaged';
}

function headerIn(json: Buffer): Omit<PackedHeader, 'memories'> {
  const { memories: _, ...header } = JSON.parse(json.toString()) as PackedHeader;
  return header;
}

/** Takes as many bytes at a time as are asked for from what comes in parts. */
class Input {
  readonly #parts: AsyncIterator<Buffer>;
  readonly #hash: Hash | null;
  #left: Buffer = Buffer.alloc(0);
  /** Whether more was taken than there was. */
  isCut = false;

  /** @param hash that all that is taken goes into */
  constructor(parts: AsyncIterable<Buffer>, hash: Hash | null = null) {
    this.#parts = parts[Symbol.asyncIterator]();
    this.#hash = hash;
  }

  /** Zeros stand for what lies beyond the end. @returns a copy: the next part may take the place of the one before */
  async take(length: number): Promise<Buffer> {
    const taken = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      if (this.#left.length === 0) {
        const next = await this.#parts.next();
        if (next.done) {
          this.isCut = true;
          break;
        }
        this.#left = next.value;
      }
      const copied = this.#left.copy(taken, done);
      this.#left = this.#left.subarray(copied);
      done += copied;
    }
    this.#hash?.update(taken);
    return taken;
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}

async function* recordsIn(path: string): AsyncGenerator<readonly ReadRecord[]> {
  const input = new Input(fileChunks(path));
  try {
    const start = await input.take(MAGIC.length + NUMBER_BYTES);
    yield* records(input, headerIn(await input.take(start.readUInt32LE(MAGIC.length))));
  } finally {
    await input.close();
  }
}

async function* records(
  input: Input,
  { readings }: Pick<PackedHeader, 'readings'>,
): AsyncGenerator<readonly ReadRecord[]> {
  const unpacker = new RecordUnpacker({ hasReadings: readings === readingVersion() });
  for (;;) {
    const bytes = (await input.take(NUMBER_BYTES)).readUInt32LE();
    if (bytes === 0) return;
    let left = (await input.take(NUMBER_BYTES)).readUInt32LE();
    unpacker.begin(await input.take(bytes));
    // What stands for the rest is no record.
    if (input.isCut) throw damaged();
    while (left > 0) {
      const length = Math.min(left, RECORDS_PER_TURN);
      yield Array.from({ length }, () => unpacker.unpack());
      left -= length;
      await nextTurn();
    }
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
