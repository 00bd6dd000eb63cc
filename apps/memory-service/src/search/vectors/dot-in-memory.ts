/** The part of WebAssembly that is used here: Node's types do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Dots };
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => GrowingMemory;
};

/**
 * Dot products of a vector of float32 with one or several, all named by their addresses in a memory. `bytes`: of each vector. The
 * results are the first float64 of the memory, in order.
 */
export interface Dots {
  dot(a: number, b: number, bytes: number): void;
  dots(a: number, b: number, c: number, d: number, e: number, bytes: number): void;
}

export interface GrowingMemory {
  /** All of it. One that was taken before the memory grew stays valid, and is as long as it was. */
  readonly buffer: SharedArrayBuffer;
  /** Throws a RangeError where there is no room. */
  grow(pages: number): void;
}

export const PAGE_BYTES = 65_536;
/** One fewer than there can be, so that the end of a vector is an address too. */
export const MOST_PAGES = 65_535;

// The instructions below, by their numbers in the WebAssembly specification.
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = 0x0b;
const ADD_I32 = 0x6a;
const ADD = 0xa0;
const MULTIPLY = 0xa2;
const ADD_PAIRS = [0xfd, 0xf0, 0x01];
const MULTIPLY_PAIRS = [0xfd, 0xf2, 0x01];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
/** Two float32 at an address, as float64. */
const pairAt = (address: number, offset: number) => [...get(address), 0xfd, 0x5d, 3, offset, 0xfd, 0x5f];
/** One of them. */
const valueAt = (address: number) => [...get(address), 0x2a, 2, 0, 0xbb];
const lane = (pair: number, place: number) => [...get(pair), 0xfd, 0x21, place];
const advance = (address: number, bytes: number) => [...get(address), 0x41, bytes, ADD_I32, ...set(address)];
/** Leaves the block around the loop where the one address is above the other; where it is not below it. */
const LEAVE_IF_ABOVE = [0x4b, 0x0d, 1];
const LEAVE_UNLESS_BELOW = [0x4f, 0x0d, 1];
const REPEAT = [0x0c, 0];
/** Stores a float64 as one of the results. */
const storeResult = (place: number, value: readonly number[]) => [0x41, 0, ...value, 0x39, 3, 8 * place];

/** Vectors that `dots` multiplies with one: their sums do not wait for each other, and all fit the registers. */
export const ROWS_TOGETHER = 4;
/** The bytes of the results at the beginning of the memory; a vector may begin behind them. */
export const RESULT_BYTES = 64;

/**
 * The dot products of one vector with so many rows, two sums at a time: for each row the sums of `dotAt` in the same order, so that
 * results are the same to the bit.
 */
function products(rows: number): number[] {
  const each = (code: (row: number) => readonly number[]) => Array.from({ length: rows }, (_, row) => code(row)).flat();
  // The parameters, then the other variables.
  const [A, BYTES, END_OF_A, PAIR] = [0, 1 + rows, 2 + rows, 3 + rows];
  const address = (row: number) => 1 + row;
  const pairSum = (row: number, half: number) => PAIR + 2 + 2 * row + half;
  const sum = (row: number) => pairSum(rows, 0) + row;
  const addProducts = (row: number, half: number) => [
    ...[...get(pairSum(row, half)), ...get(PAIR + half), ...pairAt(address(row), 8 * half)],
    ...[...MULTIPLY_PAIRS, ...ADD_PAIRS, ...set(pairSum(row, half))],
  ];
  return [
    ...[3, 1, 0x7f, 2 + 2 * rows, 0x7b, rows, 0x7c], // An address, pairs of float64, float64.
    ...[...get(A), ...get(BYTES), ADD_I32, ...set(END_OF_A)],
    ...[...BLOCK, ...LOOP],
    ...[...get(A), 0x41, 16, ADD_I32, ...get(END_OF_A), ...LEAVE_IF_ABOVE],
    ...[...pairAt(A, 0), ...set(PAIR), ...pairAt(A, 8), ...set(PAIR + 1)],
    ...each((row) => [...addProducts(row, 0), ...addProducts(row, 1), ...advance(address(row), 16)]),
    ...[...advance(A, 16), ...REPEAT, END, END],
    ...each((row) => [...lane(pairSum(row, 0), 0), ...set(sum(row))]),
    ...[...BLOCK, ...LOOP],
    ...[...get(A), ...get(END_OF_A), ...LEAVE_UNLESS_BELOW],
    ...each((row) => [
      ...[...get(sum(row)), ...valueAt(A), ...valueAt(address(row)), MULTIPLY, ADD, ...set(sum(row))],
      ...advance(address(row), 4),
    ]),
    ...[...advance(A, 4), ...REPEAT, END, END],
    ...each((row) => {
      const [second, third] = [lane(pairSum(row, 0), 1), lane(pairSum(row, 1), 0)];
      const last = lane(pairSum(row, 1), 1);
      return storeResult(row, [...get(sum(row)), ...second, ADD, ...third, ...last, ADD, ADD]);
    }),
    END,
  ];
}

const text = (name: string) => [name.length, ...Buffer.from(name)];
/** Numbers of more than seven bits, in two bytes. */
const long = (number: number) => [0x80 | (number & 0x7f), number >> 7];
const section = (id: number, content: readonly number[]) => [id, ...long(content.length), ...content];

const NUMBER = 0x7f;
const FUNCTIONS = [
  { name: 'dot', rows: 1 },
  { name: 'dots', rows: ROWS_TOGETHER },
].map(({ name, rows }) => ({ name, parameters: 2 + rows, code: products(rows) }));

const MODULE = new WebAssembly.Module(
  Uint8Array.from([
    ...[0x00, ...Buffer.from('asm'), 1, 0, 0, 0],
    // Their types: of so many int32, nothing.
    ...section(1, [
      FUNCTIONS.length,
      ...FUNCTIONS.flatMap(({ parameters }) => [0x60, parameters, ...new Array(parameters).fill(NUMBER), 0]),
    ]),
    ...section(2, [1, ...text(''), ...text('memory'), 2, 3, 0, 0xff, 0xff, 0x03]), // A shared memory of at most MOST_PAGES.
    ...section(3, [FUNCTIONS.length, ...FUNCTIONS.keys()]),
    ...section(7, [FUNCTIONS.length, ...FUNCTIONS.flatMap(({ name }, number) => [...text(name), 0, number])]),
    ...section(10, [FUNCTIONS.length, ...FUNCTIONS.flatMap(({ code }) => [...long(code.length), ...code])]),
  ]),
);

/** Memory that grows in place, of so many pages at first, and what multiplies vectors in it: in a third of the time that JavaScript takes. */
export function vectorMemory(pages: number): { readonly memory: GrowingMemory } & Dots {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
  const { dot, dots } = new WebAssembly.Instance(MODULE, { '': { memory } }).exports;
  return { memory, dot, dots };
}
