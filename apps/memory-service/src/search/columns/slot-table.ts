import type { Role } from '../../domain/memory/memory.ts';
import { NO_PARTITION, type Sight, UNSEEN } from '../partitions.ts';
import type { RowRange } from '../vectors/vector-rows.ts';
import { grown } from './grown.ts';

export const IS_QUESTION = 1;
export const TELLS_TIME = 2;
export const OF_USER = 4;
export const IS_NOTE = 8;

/** By the number that stands for them in a column. */
const ROLES: readonly (Role | null)[] = [null, 'user', 'assistant', 'system'];

/** No agent, no slot, no row, no speaker. */
export const NONE = -1;

export interface SlotContent {
  readonly ordinal: number;
  readonly partition: number;
  readonly createdAt: number;
  readonly speaker: number;
  /** The agent that told it, where that is not the speaker. */
  readonly teller: number;
  readonly role: Role | null;
  readonly flags: number;
  /** Words in the lexical index, repeats included; the days that it names are not among them. */
  readonly terms: number;
  readonly words: number;
}

/**
 * What the indexes of recall know of each memory, by slot: a small integer that, unlike an ordinal, is used again after
 * its memory has gone, so that the columns here and the accumulators of a query stay as short as the store.
 */
export class SlotTable {
  /** Slots in use or waiting to be used again: every slot is below. */
  size = 0;
  ordinal = new Int32Array(0);
  /** NO_PARTITION for an empty slot. */
  partition = new Int32Array(0);
  createdAt = new Float64Array(0);
  speaker = new Int32Array(0);
  teller = new Int32Array(0);
  role = new Uint8Array(0);
  flags = new Uint8Array(0);
  terms = new Int32Array(0);
  words = new Int32Array(0);
  /** First row of its vectors and how many; NONE and 0 without. */
  firstRow = new Int32Array(0);
  rows = new Int32Array(0);

  #slotOfOrdinal = new Int32Array(0); // slot + 1, so that 0 means none
  #slotOfRow = new Int32Array(0);
  readonly #free: number[] = [];

  take(content: SlotContent): number {
    const slot = this.#free.pop() ?? this.size++;
    this.#reserve(slot + 1);
    this.ordinal[slot] = content.ordinal;
    this.partition[slot] = content.partition;
    this.createdAt[slot] = content.createdAt;
    this.speaker[slot] = content.speaker;
    this.teller[slot] = content.teller;
    this.role[slot] = ROLES.indexOf(content.role);
    this.flags[slot] = content.flags;
    this.terms[slot] = content.terms;
    this.words[slot] = content.words;
    this.firstRow[slot] = NONE;
    this.rows[slot] = 0;
    this.#slotOfOrdinal = grown(this.#slotOfOrdinal, content.ordinal + 1);
    this.#slotOfOrdinal[content.ordinal] = slot + 1;
    return slot;
  }

  /** The memory is gone; the slot stays unused until `reuse`, because postings still name it. */
  clear(slot: number): void {
    this.partition[slot] = NO_PARTITION;
    this.#slotOfOrdinal[this.ordinal[slot] as number] = 0;
  }

  reuse(slots: Iterable<number>): void {
    for (const slot of slots) this.#free.push(slot);
  }

  /** NONE for an ordinal that is not indexed. */
  slotOf(ordinal: number): number {
    return (this.#slotOfOrdinal[ordinal] ?? 0) - 1;
  }

  setRows(slot: number, rows: RowRange | null): void {
    this.firstRow[slot] = rows ? rows.first : NONE;
    this.rows[slot] = rows ? rows.count : 0;
    if (!rows) return;
    this.#slotOfRow = grown(this.#slotOfRow, rows.first + rows.count);
    this.#slotOfRow.fill(slot, rows.first, rows.first + rows.count);
  }

  /** The slot of the memory that has this row; NONE if no memory has it any more. */
  slotHolding(row: number): number {
    const slot = this.#slotOfRow[row] ?? NONE;
    const first = this.firstRow[slot] ?? NONE;
    return first !== NONE && row >= first && row < first + (this.rows[slot] as number) ? slot : NONE;
  }

  roleOf(slot: number): Role | null {
    return ROLES[this.role[slot] as number] ?? null;
  }

  /** Epoch milliseconds; null for NONE. */
  saidAt(slot: number): number | null {
    return slot === NONE ? null : (this.createdAt[slot] as number);
  }

  isVisible(slot: number, { partitions }: Sight): boolean {
    return partitions[this.partition[slot] as number] !== UNSEEN;
  }

  /** Order within a thread: by time, then by ordinal. */
  isBefore(a: number, b: number): boolean {
    const difference = (this.createdAt[a] as number) - (this.createdAt[b] as number);
    return difference === 0 ? (this.ordinal[a] as number) < (this.ordinal[b] as number) : difference < 0;
  }

  #reserve(length: number): void {
    if (length <= this.partition.length) return;
    this.ordinal = grown(this.ordinal, length);
    this.partition = grown(this.partition, length);
    this.createdAt = grown(this.createdAt, length);
    this.speaker = grown(this.speaker, length);
    this.teller = grown(this.teller, length);
    this.role = grown(this.role, length);
    this.flags = grown(this.flags, length);
    this.terms = grown(this.terms, length);
    this.words = grown(this.words, length);
    this.firstRow = grown(this.firstRow, length);
    this.rows = grown(this.rows, length);
  }
}
