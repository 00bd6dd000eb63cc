const LEAST_BYTES = 64 * 1024;
export const DOUBLE_BYTES = 8;
/** Bytes of the longest varint of a safe integer. */
const VARINT_BYTES = 8;
/** Beyond, shifts would lose bits. */
const LARGEST_SHIFTED = 2 ** 31;

/** How a text is stored; the length in bytes stands above these bits. */
const ASCII = 0;
const UTF8 = 1;
/** For a text with half a surrogate pair, which UTF-8 cannot hold. */
const UTF16 = 2;
const MODES = 4;

/** Puts numbers and texts behind one another. */
export class PackedWriter {
  #bytes = Buffer.allocUnsafe(LEAST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far, not copied; the writer goes on in a new buffer. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(Math.max(LEAST_BYTES, this.#length));
    this.#length = 0;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** @param value a safe integer, 0 or more */
  varint(value: number): void {
    this.#reserve(VARINT_BYTES);
    let left = value;
    for (; left >= LARGEST_SHIFTED; left = Math.floor(left / 128)) this.#bytes[this.#length++] = (left % 128) | 128;
    for (; left >= 128; left >>>= 7) this.#bytes[this.#length++] = (left & 127) | 128;
    this.#bytes[this.#length++] = left;
  }

  double(value: number): void {
    this.#reserve(DOUBLE_BYTES);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  text(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes === text.length) this.#put(text, { bytes, mode: ASCII, encoding: 'latin1' });
    else if (isWellFormed(text)) this.#put(text, { bytes, mode: UTF8, encoding: 'utf8' });
    else this.#put(text, { bytes: 2 * text.length, mode: UTF16, encoding: 'utf16le' });
  }

  /** @param digits of sixteen bytes, in hexadecimal and lower case */
  hex(digits: string): void {
    this.#reserve(digits.length / 2);
    this.#length += this.#bytes.write(digits, this.#length, 'hex');
  }

  #put(text: string, { bytes, mode, encoding }: { bytes: number; mode: number; encoding: BufferEncoding }): void {
    this.varint(bytes * MODES + mode);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(text, this.#length, encoding);
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafe(Math.max(wanted, 2 * this.#bytes.length));
    this.#bytes.copy(longer, 0, 0, this.#length);
    this.#bytes = longer;
  }
}

/** Reads what a `PackedWriter` has put, in the same order. */
export class PackedReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** How many bytes were read. */
  get offset(): number {
    return this.#at;
  }

  byte(): number {
    return this.#bytes[this.#at++] as number;
  }

  varint(): number {
    let value = 0;
    let worth = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 127) * worth;
      if (byte < 128) return value;
      worth *= 128;
    }
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += DOUBLE_BYTES;
    return value;
  }

  text(): string {
    const head = this.varint();
    const mode = head % MODES;
    const start = this.#at;
    this.#at += (head - mode) / MODES;
    if (mode === ASCII) return this.#bytes.toString('latin1', start, this.#at);
    return this.#bytes.toString(mode === UTF8 ? 'utf8' : 'utf16le', start, this.#at);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** @returns its length in UTF-16 code units */
  skipText(): number {
    const head = this.varint();
    const mode = head % MODES;
    const start = this.#at;
    const bytes = (head - mode) / MODES;
    this.#at += bytes;
    if (mode === ASCII) return bytes;
    return mode === UTF16 ? bytes / 2 : unitsOf(this.#bytes, start, this.#at);
  }

  /** @param bytes half as many as there are digits */
  hex(bytes: number): string {
    const start = this.#at;
    this.#at += bytes;
    return this.#bytes.toString('hex', start, this.#at);
  }
}

/** How many UTF-16 code units bytes of UTF-8 stand for: one for each that begins a character, two where it begins one of four bytes. */
function unitsOf(bytes: Buffer, from: number, until: number): number {
  let units = 0;
  for (let at = from; at < until; at++) {
    const byte = bytes[at] as number;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

const HALF_A_PAIR = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !HALF_A_PAIR.test(text);
}
