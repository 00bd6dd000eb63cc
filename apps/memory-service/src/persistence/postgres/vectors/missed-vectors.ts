import type { DistantVectors, MemoryText } from '../../../search/vectors/distant-vectors.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';

/** The table that is in use, which may be another one after `catchUp`. */
interface TableInUse extends Pick<DistantVectors, 'fetch'> {
  /** Applies what others have written. */
  readonly catchUp: () => Promise<void>;
}

/** Memories whose vectors somebody missed in the table: they may have been changed meanwhile, or their vectors are gone. */
export class MissedVectors {
  readonly #indexes: MemoryIndexes;
  readonly #ids = new Set<string>();

  constructor(indexes: MemoryIndexes) {
    this.#indexes = indexes;
  }

  note(id: string): void {
    this.#ids.add(id);
  }

  /**
   * Takes their rows from those whose vectors are gone; they then wait for new ones.
   * @returns of how many memories they are gone
   */
  async loseGone({ catchUp, fetch }: TableInUse): Promise<number> {
    const ids = [...this.#ids];
    this.#ids.clear();
    const isInTable = (id: string) => (this.#indexes.rowsOf(id)?.first ?? 0) < this.#first;
    const texts = ids.flatMap((id) => (isInTable(id) ? (this.#indexes.rows.textOf(id) ?? []) : []));
    if (texts.length === 0) return 0;
    await catchUp();
    const found = await fetch(texts);
    const gone = this.#rowsGoneOf(texts, found);
    if (gone.size > 0) await this.#indexes.loseVectors(({ first }) => gone.has(first));
    return gone.size;
  }

  /** The first rows of those of these memories that still have their text and not all of their vectors. */
  #rowsGoneOf(texts: readonly MemoryText[], found: ReadonlyMap<string, readonly Float32Array[]>): ReadonlySet<number> {
    const gone = new Set<number>();
    for (const { id, digest } of texts) {
      const rows = this.#indexes.rowsOf(id);
      const isChanged = this.#indexes.rows.textOf(id)?.digest !== digest;
      if (!rows || rows.first >= this.#first || isChanged || isWhole(found.get(id), rows.count)) continue;
      gone.add(rows.first);
    }
    return gone;
  }

  /** The first row that is here, and not in the table. */
  get #first(): number {
    return this.#indexes.vectors?.first ?? 0;
  }
}

function isWhole(vectors: readonly Float32Array[] | undefined, count: number): boolean {
  return Array.from({ length: count }, (_, chunk) => vectors?.[chunk]).every(Boolean);
}
