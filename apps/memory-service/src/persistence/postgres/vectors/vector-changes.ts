import { nextTurn } from '../../../domain/concurrency/next-turn.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import type { OutdatedVectors } from './vector-table.ts';

/** A mark for each so many changes. */
const CHANGES_BETWEEN_MARKS = 100;
/** Digests in one turn of the event loop. */
const DIGESTS_PER_TURN = 1_000;

/** What became of the vectors of a space after which change of its log, as far as the table of a checkpoint does not have it yet. */
export class VectorChanges {
  readonly #indexes: MemoryIndexes;
  /** How many rows there were after which change. */
  #marks: { readonly sequence: number; readonly rows: number }[] = [];
  /** Memories that have lost vectors or text, and after which change at the latest. */
  readonly #outdated = new Map<string, number>();

  constructor(indexes: MemoryIndexes) {
    this.#indexes = indexes;
    // From here on they are noted.
    indexes.rows.outdated();
  }

  /** Ids of memories that have lost vectors or text. */
  get outdated(): readonly string[] {
    return [...this.#outdated.keys()];
  }

  /** Takes note of what is so after a change. @param options.isExact marks the rows of this very change */
  note(sequence: number, { isExact }: { isExact: boolean }): void {
    const outdated = this.#indexes.rows.outdated();
    for (const id of outdated) this.#outdated.set(id, sequence);
    outdated.clear();
    const last = this.#marks.at(-1);
    const rows = this.#indexes.vectors?.length ?? 0;
    if (last && (last.rows === rows || (!isExact && sequence < last.sequence + CHANGES_BETWEEN_MARKS))) return;
    this.#marks.push({ sequence, rows });
  }

  /** A checkpoint has taken out what was lost up to this change. */
  settledUpTo(checkpoint: number): void {
    for (const [id, at] of this.#outdated) if (at <= checkpoint) this.#outdated.delete(id);
  }

  /** How many rows there were after this change at least. Their marks are not needed any more. */
  takeRowsAt(checkpoint: number): number {
    const { length } = this.#marks.filter(({ sequence }) => sequence <= checkpoint);
    const rows = this.#marks[length - 1]?.rows ?? 0;
    this.#marks = this.#marks.slice(length);
    return rows;
  }

  /** The rows are numbered anew. */
  forgetRows(): void {
    this.#marks = [];
  }

  /** The texts that these memories have by now. Before anybody waits for a transaction. */
  async textsOf(ids: readonly string[]): Promise<OutdatedVectors[]> {
    const { rows } = this.#indexes;
    const texts: OutdatedVectors[] = [];
    for (const id of ids) {
      texts.push({ id, digest: this.#indexes.rowsOf(id) ? (rows.textOf(id)?.digest ?? null) : null });
      if (texts.length % DIGESTS_PER_TURN === 0) await nextTurn();
    }
    return texts;
  }
}
