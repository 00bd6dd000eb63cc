// The part of POSIX ustar that a backup needs: plain files. Every tar can read what this file writes.
// https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html ("ustar Interchange Format")
// No library: tar-stream depends on files of another JavaScript runtime (bare-fs), and tar reads and writes folders, not streams
// of bytes.

const BLOCK = 512;
const PREFIX_AT = 345;
/** File mode: for the owner alone, because memories may be private. */
const MODE = '0000600';
/** The largest size that fits into eleven octal digits, in bytes. */
const LARGEST_OCTAL = 8 ** 11 - 1;

/** The stream is not an archive, or ends inside one. */
export class TarError extends Error {}

export interface TarEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes of the file; read them before the next entry. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The end of an archive: two blocks of zeros. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * @param name of at most 100 bytes
 * @param modifiedMs epoch milliseconds
 */
export function tarHeader({
  name,
  size,
  modifiedMs,
}: {
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
}): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is too long a name for a backup`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(MODE, 100);
  header.write('0000000', 108);
  header.write('0000000', 116);
  writeSize(header, size);
  header.write(octal(Math.floor(modifiedMs / 1000), 11), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(octal(checksum(header), 6), 148);
  header.write('\0 ', 154, 'latin1');
  return header;
}

/** The padding after the content of a file, up to the next block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/**
 * The plain files of an archive, in order. Stops at the end of the archive and reads nothing after it.
 * @throws TarError
 */
export async function* readTar(input: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(input);
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, size } = readHeader(header);
    const content = source.chunks(size);
    yield { name, size, content };
    for await (const _ of content); // skips what the caller has not read
    await source.take(tarPadding(size).byteLength);
  }
}

function readHeader(header: Buffer): { name: string; size: number } {
  const sum = Number.parseInt(text(header, 148, 8), 8);
  if (sum !== checksum(header)) throw new TarError('This is not a tar archive, or it is damaged.');
  const name = text(header, 0, 100);
  if (header[156] !== 0x30 && header[156] !== 0) throw new TarError(`${name} is not a plain file`);
  if (text(header, PREFIX_AT, 155) !== '') throw new TarError(`${name} has too long a name`);
  return { name, size: readSize(header) };
}

/** The size as eleven octal digits; a larger one in the form of GNU tar, which every tar reads. */
function writeSize(header: Buffer, size: number): void {
  if (size <= LARGEST_OCTAL) {
    header.write(octal(size, 11), 124);
  } else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
}

function readSize(header: Buffer): number {
  if (header[124] === 0x80) return Number(header.readBigUInt64BE(128));
  const size = Number.parseInt(text(header, 124, 12), 8);
  if (!Number.isSafeInteger(size)) throw new TarError('The archive is damaged.');
  return size;
}

/** The checksum of a header: the sum of its bytes, with spaces in the field of the checksum. */
function checksum(header: Buffer): number {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end).trim();
}

/** Reads a stream by numbers of bytes, independent of its chunks. */
class ByteSource {
  readonly #input: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks(count)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async *chunks(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#rest.byteLength === 0) {
        const { done, value } = await this.#input.next();
        if (done) throw new TarError('The backup ends too early: it was cut short.');
        this.#rest = value;
        continue;
      }
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.byteLength);
      left -= chunk.byteLength;
      yield chunk;
    }
  }
}
