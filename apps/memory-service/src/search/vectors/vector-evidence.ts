import { grown } from '../columns/grown.ts';
import { NONE, type SlotTable } from '../columns/slot-table.ts';
import type { ThreadIndex } from '../threads/thread-index.ts';
import type { VectorRows } from './vector-rows.ts';

/** How much of the previous and of the next memory's vector is mixed into a memory's own; docs/benchmarks/recall.md has the measurement. */
const MIX_PREVIOUS = 0.4;
const MIX_NEXT = 0.2;
/** Neighbours' mean cosine above that of all pairs at which a thread counts as wholly coherent. */
const COHERENT_DIFFERENCE = 0.06;
/** Members looked at to tell how coherent a thread is; bounds the cost for a huge one to some 50 µs. */
const MEMBERS_SAMPLED = 64;
/** Two members are too few to tell whether a thread is closer than usual. */
const MEMBERS_AT_LEAST = 3;
/** Coherence is measured anew once a thread's size has changed by this share. */
const STALE_AFTER = 0.25;

/** Cosines of one question with memories, alone and mixed with their neighbours; and how coherent threads are. */
export class VectorEvidence {
  readonly #slots: SlotTable;
  #vectors: VectorRows;
  #question: Float32Array = new Float32Array(0);
  #questionNumber = 0;
  #cosines = new Float32Array(0);
  #bestRows = new Int32Array(0);
  #answered = new Int32Array(0);
  /** For `answer`: what is compared together. */
  #compared = new Int32Array(0);
  #comparedRows = new Int32Array(0);
  #products = new Float64Array(0);

  constructor(slots: SlotTable, vectors: VectorRows) {
    this.#slots = slots;
    this.#vectors = vectors;
  }

  /** The next calls are about this question; `vector` has unit length. @param vectors all that `noteRows` names, at least */
  ask(vector: Float32Array, vectors: VectorRows): void {
    this.#question = vector;
    this.#vectors = vectors;
    this.#questionNumber++;
    this.#cosines = grown(this.#cosines, this.#slots.size);
    this.#bestRows = grown(this.#bestRows, this.#slots.size);
    this.#answered = grown(this.#answered, this.#slots.size);
  }

  /** Notes the rows that the cosine of a memory is read from. */
  noteRows(slot: number, rows: Set<number>): void {
    const first = this.#firstRowOf(slot);
    if (first === NONE) return;
    for (let row = first; row < first + (this.#slots.rows[slot] as number); row++) rows.add(row);
  }

  /** Notes the rows that all figures of a memory are read from: its own, those beside it, and of its thread unless that was measured. */
  noteRowsAround(slot: number, view: ThreadIndex, rows: Set<number>): void {
    this.noteRows(slot, rows);
    const beside = [this.#lastRowOf(view.previous[slot] as number), this.#firstRowOf(view.next[slot] as number)];
    for (const row of beside) if (row !== NONE) rows.add(row);
    if (!this.#isMeasured(view, view.thread[slot] as number)) {
      for (const row of this.#sampleOf(slot, view)) rows.add(row);
    }
  }

  /**
   * Computes the cosines of these memories that have one row together, which is quicker than as they are asked for.
   * @param viewOf the view of each, for those beside it too
   */
  answer(slots: readonly number[], viewOf?: (slot: number) => ThreadIndex): void {
    const most = 3 * slots.length;
    this.#compared = grown(this.#compared, most);
    this.#comparedRows = grown(this.#comparedRows, most);
    this.#products = grown(this.#products, most);
    let count = 0;
    for (const slot of slots) {
      count = this.#compareLater(slot, count);
      const view = viewOf?.(slot);
      if (!view) continue;
      count = this.#compareLater(view.previous[slot] as number, count);
      count = this.#compareLater(view.next[slot] as number, count);
    }
    this.#vectors.dots(this.#question, this.#comparedRows.subarray(0, count), this.#products);
    for (let place = 0; place < count; place++) {
      const slot = this.#compared[place] as number;
      this.#cosines[slot] = this.#products[place] as number;
      this.#bestRows[slot] = this.#comparedRows[place] as number;
    }
  }

  #compareLater(slot: number, count: number): number {
    if (slot === NONE || this.#answered[slot] === this.#questionNumber || this.#slots.rows[slot] !== 1) return count;
    this.#answered[slot] = this.#questionNumber;
    this.#compared[count] = slot;
    this.#comparedRows[count] = this.#slots.firstRow[slot] as number;
    return count + 1;
  }

  /** The cosine of the best chunk with the question; 0 without a vector. */
  cosineOf(slot: number): number {
    if (this.#answered[slot] === this.#questionNumber) return this.#cosines[slot] as number;
    const first = this.#slots.firstRow[slot] as number;
    let best = first === NONE ? 0 : this.#vectors.dot(this.#question, first);
    let bestRow = first;
    for (let row = first + 1; row < first + (this.#slots.rows[slot] as number); row++) {
      const cosine = this.#vectors.dot(this.#question, row);
      if (cosine > best) {
        best = cosine;
        bestRow = row;
      }
    }
    this.#answered[slot] = this.#questionNumber;
    this.#bestRows[slot] = bestRow;
    this.#cosines[slot] = best;
    return this.#cosines[slot] as number;
  }

  /** Of the best chunk mixed with the last chunk before it and the first after. */
  mixedCosineOf(slot: number, view: ThreadIndex): number {
    const own = this.cosineOf(slot);
    const ownRow = this.#bestRows[slot] as number;
    if (ownRow === NONE) return 0;
    const previous = this.#lastRowOf(view.previous[slot] as number);
    const next = this.#firstRowOf(view.next[slot] as number);
    let sum = own;
    if (previous !== NONE) sum += MIX_PREVIOUS * this.#dotOf(view.previous[slot] as number, previous);
    if (next !== NONE) sum += MIX_NEXT * this.#dotOf(view.next[slot] as number, next);
    const known = view.mixedLength[slot] as number;
    const isKnown = this.#slots.rows[slot] === 1 && !Number.isNaN(known);
    return sum / (isKnown ? known : this.#mixedLengthOf(slot, view, { own: ownRow, previous, next }));
  }

  /**
   * 0..1: 1 where neighbours are much closer to each other than members in general, 0 where the order says nothing or
   * nobody else is there.
   */
  coherenceOf(slot: number, view: ThreadIndex): number {
    const thread = view.thread[slot] as number;
    if (!this.#isMeasured(view, thread)) {
      view.coherence[thread] = this.#measureCoherence(this.#sampleOf(slot, view));
      view.coherenceSize[thread] = view.threadSize[thread] as number;
    }
    return view.coherence[thread] as number;
  }

  #isMeasured(view: ThreadIndex, thread: number): boolean {
    const measuredAt = view.coherenceSize[thread] as number;
    const growth = Math.abs((view.threadSize[thread] as number) - measuredAt);
    return measuredAt !== 0 && growth <= STALE_AFTER * measuredAt;
  }

  /** First rows of members of the thread around a memory, in order. */
  #sampleOf(slot: number, view: ThreadIndex): number[] {
    let at = slot;
    for (let step = 0; step < MEMBERS_SAMPLED / 2 && view.previous[at] !== NONE; step++)
      at = view.previous[at] as number;
    const rows: number[] = [];
    for (let step = 0; step < MEMBERS_SAMPLED && at !== NONE; step++) {
      const row = this.#firstRowOf(at);
      if (row !== NONE) rows.push(row);
      at = view.next[at] as number;
    }
    return rows;
  }

  #measureCoherence(rows: readonly number[]): number {
    const { length } = rows;
    if (length < MEMBERS_AT_LEAST) return 0;
    let neighbours = 0;
    const sum = new Float64Array(this.#question.length);
    for (const [index, row] of rows.entries()) {
      if (index > 0) neighbours += this.#vectors.dotRows(rows[index - 1] as number, row);
      const vector = this.#vectors.row(row);
      for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] as number) + (vector[axis] as number);
    }
    let squared = 0;
    for (let axis = 0; axis < sum.length; axis++) squared += (sum[axis] as number) ** 2;
    // The sum's squared length holds every pair twice and each unit vector with itself once.
    const allPairs = (squared - length) / (length * (length - 1));
    const difference = neighbours / (length - 1) - allPairs;
    return Math.min(Math.max(difference / COHERENT_DIFFERENCE, 0), 1);
  }

  #mixedLengthOf(slot: number, view: ThreadIndex, rows: { own: number; previous: number; next: number }): number {
    const { own, previous, next } = rows;
    let squared = 1;
    if (previous !== NONE) squared += MIX_PREVIOUS ** 2 + 2 * MIX_PREVIOUS * this.#vectors.dotRows(own, previous);
    if (next !== NONE) squared += MIX_NEXT ** 2 + 2 * MIX_NEXT * this.#vectors.dotRows(own, next);
    if (previous !== NONE && next !== NONE) {
      squared += 2 * MIX_PREVIOUS * MIX_NEXT * this.#vectors.dotRows(previous, next);
    }
    // Opposite vectors could cancel each other out; the mix then says nothing.
    const length = Math.fround(Math.sqrt(Math.max(squared, 0.01)));
    if (this.#slots.rows[slot] === 1) view.mixedLength[slot] = length;
    return length;
  }

  /** Dot product of the question with a row of a memory, which mostly is its only one. */
  #dotOf(slot: number, row: number): number {
    return this.#slots.rows[slot] === 1 ? this.cosineOf(slot) : this.#vectors.dot(this.#question, row);
  }

  #firstRowOf(slot: number): number {
    return slot === NONE ? NONE : (this.#slots.firstRow[slot] as number);
  }

  #lastRowOf(slot: number): number {
    const first = this.#firstRowOf(slot);
    return first === NONE ? NONE : first + (this.#slots.rows[slot] as number) - 1;
  }
}
