import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import { grown } from '../../search/columns/grown.ts';
import type { NumberedNames } from '../../search/entities/entity-index.ts';

/** Some memories of a save, as bytes. */
export interface PackedBlock {
  /** Makes the memory that begins at an offset, in bytes; each time anew. */
  unpack(offset: number): Memory;
  idOf(offset: number): string;
  /** Reads an id of 32 hexadecimal digits as four numbers of 32 bits. @returns false for one of another form */
  readId(offset: number, into: Int32Array): boolean;
}

type Plain = 'agentId' | 'sessionId' | 'scope' | 'project' | 'role' | 'name' | 'createdAt';

/** The fields of a packed memory that indexes need. Only an episodic memory without links to other memories stays packed. */
export interface PackedMemory extends Pick<Memory, Plain | 'idempotencyKey'> {
  readonly kind: 'episodic';
  readonly named: NumberedNames;
  readonly supersededBy: null;
  readonly consolidatedInto: null;
  /** Of its texts, in UTF-16 code units. */
  readonly characters: number;
  readonly block: PackedBlock;
  /** Where it begins in the block, in bytes. */
  readonly offset: number;
}

/** By ordinal: memories that were not asked for since the start, each of which takes its bytes and no object. */
export class PackedMemories {
  /** Null for one of which nothing is left. */
  readonly #blocks: (PackedBlock | null)[] = [];
  /** By block: how many memories of it are left. */
  readonly #left: number[] = [];
  /** By ordinal: the block + 1, so that 0 means that it is not here. */
  #blockOf = new Int32Array(0);
  #offsets = new Int32Array(0);
  readonly #strengths: (Readonly<Strength> | undefined)[] = [];
  #size = 0;

  add(ordinal: number, { block, offset }: Pick<PackedMemory, 'block' | 'offset'>, strength: Readonly<Strength>): void {
    // Memories come block by block.
    if (this.#blocks.at(-1) !== block) this.#left[this.#blocks.push(block) - 1] = 0;
    this.#blockOf = grown(this.#blockOf, ordinal + 1);
    this.#offsets = grown(this.#offsets, ordinal + 1);
    this.#blockOf[ordinal] = this.#blocks.length;
    this.#offsets[ordinal] = offset;
    this.#strengths[ordinal] = strength;
    this.#size++;
    this.#left[this.#blocks.length - 1] = (this.#left.at(-1) as number) + 1;
  }

  get size(): number {
    return this.#size;
  }

  has(ordinal: number): boolean {
    return (this.#blockOf[ordinal] ?? 0) !== 0;
  }

  /** Undefined for a memory that is not here. */
  idOf(ordinal: number): string | undefined {
    return this.#blocks[(this.#blockOf[ordinal] ?? 0) - 1]?.idOf(this.#offsets[ordinal] as number);
  }

  /** Unpacks it, for good: it is not here any more. Undefined where it was not. */
  take(ordinal: number): StoredMemory | undefined {
    const number = (this.#blockOf[ordinal] ?? 0) - 1;
    if (number < 0) return undefined;
    const memory = (this.#blocks[number] as PackedBlock).unpack(this.#offsets[ordinal] as number);
    const strength = this.#strengths[ordinal] as Readonly<Strength>;
    this.#blockOf[ordinal] = 0;
    this.#strengths[ordinal] = undefined;
    this.#size--;
    const left = (this.#left[number] as number) - 1;
    this.#left[number] = left;
    if (left === 0) this.#blocks[number] = null;
    return { memory, strength };
  }

  /** As they are at this moment, whatever happens later; `at` unpacks what `has` tells of, each time anew. */
  capture(): { has(ordinal: number): boolean; at(ordinal: number): StoredMemory } {
    const blocks = this.#blocks.slice();
    const blockOf = this.#blockOf.slice();
    const offsets = this.#offsets.slice();
    const strengths = this.#strengths.slice();
    return {
      has: (ordinal) => (blockOf[ordinal] ?? 0) !== 0,
      at: (ordinal) => ({
        memory: (blocks[(blockOf[ordinal] as number) - 1] as PackedBlock).unpack(offsets[ordinal] as number),
        strength: strengths[ordinal] as Readonly<Strength>,
      }),
    };
  }
}
