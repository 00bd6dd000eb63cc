import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import type { Expected } from '../../domain/memory/decision.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import type { EvidenceIndex } from '../../search/evidence-index.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { Records } from '../records/records.ts';
import type { MemoryVectors } from './memory-vectors.ts';
import type { SaidAround } from './said-around.ts';

/** How many memories lose their vectors in one turn of the event loop: about 5 ms. */
const LOST_PER_TURN = 5_000;

interface RowChangesDeps {
  readonly records: Records;
  readonly rows: MemoryVectors;
  readonly saidAround: SaidAround;
  /** The index that has a memory. */
  readonly evidenceOf: (memory: Memory) => Pick<EvidenceIndex, 'setRows'>;
}

/**
 * Changes that give memories vectors or take them away, and nothing else: every other index stays as it is, and so does the order of
 * equal memories in it. A memory from which they are taken gets new ones in the background.
 */
export class RowChanges {
  readonly #deps: RowChangesDeps;

  constructor(deps: RowChangesDeps) {
    this.#deps = deps;
  }

  /** @param rows null: it waits for them */
  set(ordinal: number, rows: RowRange | null): void {
    const { memory } = this.#deps.records.at(ordinal);
    this.#deps.rows.set(ordinal, memory, rows);
    this.#deps.evidenceOf(memory).setRows(ordinal, rows);
  }

  take(ordinals: readonly number[]): void {
    for (const ordinal of ordinals) {
      if (!this.#deps.rows.rowsOf(ordinal)) continue;
      this.#deps.rows.letGo(ordinal);
      this.set(ordinal, null);
    }
  }

  async takeLost(isLost: (rows: RowRange) => boolean): Promise<void> {
    const { records, rows } = this.#deps;
    for (const [index, ordinal] of records.order.snapshot().entries()) {
      if ((index + 1) % LOST_PER_TURN === 0) await nextTurn();
      const own = rows.rowsOf(ordinal);
      if (own && records.has(ordinal) && isLost(own)) this.take([ordinal]);
    }
  }

  /** A memory may have come before one that was told earlier: then that one no longer stands behind the memory in its vectors. */
  cameBetween(id: string): void {
    this.take(this.#deps.saidAround.terseBehind(id));
  }

  /**
   * Vectors of a terse memory have come that were made behind one of these memories. It waits for others where another message stands
   * right before it by now: no change of that one would find the words of this one.
   */
  stoodBehind(memory: Memory, expected: readonly Expected[]): void {
    const { records, saidAround } = this.#deps;
    const ordinal = records.ordinalOf(memory.id);
    if (ordinal !== undefined && saidAround.isBehindAnother(memory, expected)) this.take([ordinal]);
  }
}
