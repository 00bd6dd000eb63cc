// Writes an ONNX model: the protocol buffers of onnx.proto3, as far as they are needed here.

export const FLOAT = 1;
export const INT32 = 6;
export const INT64 = 7;
const INT8 = 3;
const FLOAT16 = 10;
const INT4 = 22;

const IR_VERSION = 10;
const OPSETS = [
  ['', 21],
  ['com.microsoft', 1],
];

/** A tensor of float32. */
export const float32 = (dims, values) => ({ dims, type: FLOAT, bytes: bytesOf(Float32Array.from(values)) });
/** A tensor of float16, from its bytes. */
export const float16 = (dims, bytes) => ({ dims, type: FLOAT16, bytes });
export const int64 = (dims, values) => ({ dims, type: INT64, bytes: bytesOf(BigInt64Array.from(values, BigInt)) });
export const int8 = (dims, bytes) => ({ dims, type: INT8, bytes });
/** A tensor of 4-bit numbers, two a byte, the earlier one in the low half. */
export const int4 = (dims, bytes) => ({ dims, type: INT4, bytes });

/** The parts of a graph, collected in the order in which they run. */
export class Graph {
  #nodes = [];
  #tensors = [];

  /** Adds a constant. Returns its name. */
  constant(name, { dims, type, bytes }) {
    this.#tensors.push([...dims.map((dim) => integer(1, dim)), integer(2, type), string(8, name), field(9, bytes)]);
    return name;
  }

  /** Adds an operation with one output or several. Returns the name of the first. */
  add(operator, inputs, output, /** @type {any} */ { domain = '', ...attributes } = {}) {
    const outputs = [output].flat();
    this.#nodes.push([
      ...inputs.map((name) => string(1, name)),
      ...outputs.map((name) => string(2, name)),
      string(3, outputs[0]),
      string(4, operator),
      ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
      string(7, domain),
    ]);
    return outputs[0];
  }

  /**
   * The file.
   * @param inputs [name, element type, names of the dimensions, or their numbers][]
   */
  toBytes({ name, producer, inputs, outputs }) {
    const graph = [
      ...this.#nodes.map((node) => message(1, node)),
      string(2, name),
      ...this.#tensors.map((tensor) => message(5, tensor)),
      ...inputs.map((value) => message(11, valueInfo(value))),
      ...outputs.map((value) => message(12, valueInfo(value))),
    ];
    const opsets = OPSETS.map(([domain, version]) => message(8, [string(1, domain), integer(2, version)]));
    return joined([integer(1, IR_VERSION), string(2, producer), message(7, graph), ...opsets]);
  }
}

function attribute(name, value) {
  if (Number.isInteger(value)) return [string(1, name), integer(3, value), integer(20, 2)];
  return [string(1, name), varint((2 << 3) | 5), bytesOf(Float32Array.of(value)), integer(20, 1)];
}

function valueInfo([name, type, dims]) {
  const shape = dims.map((dim) => message(1, [typeof dim === 'string' ? string(2, dim) : integer(1, dim)]));
  return [string(1, name), message(2, [message(1, [integer(1, type), message(2, shape)])])];
}

const integer = (number, value) => joined([varint(number << 3), varint(value)]);
const string = (number, text) => field(number, Buffer.from(text));
const message = (number, parts) => field(number, joined(parts));
const field = (number, bytes) => joined([varint((number << 3) | 2), varint(bytes.length), bytes]);
const joined = (parts) => Buffer.concat(parts);
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** A whole number from 0 up, seven bits a byte. */
function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
