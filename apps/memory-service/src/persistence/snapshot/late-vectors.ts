import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { takeFlatIndex } from '../../search/vectors/faiss/faiss-file.ts';
import type { ExpectedRows } from '../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import { type SavedVectors, tableOf, whyNotSaved, whyOfAnotherModel, whyUnreadable } from './saved-vectors.ts';

/** From so many vectors on they come after the words: 5 MB, which take 20 ms from a file and 50 ms from a database. */
export const LATE_FROM_ROWS = 5_000;

export interface LateVectorsOptions {
  readonly model: VectorModel;
  readonly vectors: NonNullable<MemoryIndexes['vectors']>;
  readonly indexes: Pick<MemoryIndexes, 'loseVectors'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Vectors of a save that come after its words: their rows are numbered first, and filled while words are served. */
export class LateVectors {
  readonly #options: LateVectorsOptions;
  #saved: SavedVectors | null = null;
  #rows: ExpectedRows | null = null;
  #isStopped = false;

  constructor(options: LateVectorsOptions) {
    this.#options = options;
  }

  /** What was saved of the rows that are still to come; null: none are, or nobody wants them any more. */
  get awaited(): SavedVectors | null {
    return this.#rows && !this.#isStopped ? this.#saved : null;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Numbers the rows. @returns why the vectors cannot be used, in words for the operator; null where they can */
  expect(saved: SavedVectors | null): string | null {
    const { model, vectors } = this.#options;
    const why = whyOfAnotherModel(saved, model);
    if (why !== null || saved === null) return why;
    try {
      this.#rows = vectors.matrix.expect(saved.rows);
      this.#saved = saved;
      return null;
    } catch (error) {
      // A copy without them would not be whole.
      if (tableOf(saved) !== null)
        throw new UnavailableError(`The vectors do not fit into memory: ${whyUnreadable(error)}.`);
      return whyUnreadable(error);
    }
  }

  /** Fills the rows from the file of the save that they were numbered by. @throws what its parts throw; then it may be done again */
  async take(parts: AsyncIterable<Buffer>): Promise<void> {
    const saved = this.awaited;
    if (!this.#rows || !saved) return;
    const { dimension, rows } = saved;
    const why = await takeFlatIndex(this.#untilStopped(parts), { dimension, rows, into: this.#rows.bytes }).then(
      ({ sha256 }) => whyNotSaved(sha256, saved),
      whyUnreadable,
    );
    if (why !== null) await this.lose(why);
    else this.#settle();
  }

  /** Fills the rows of one memory. @returns whether they are among those that were numbered; others stay as they are */
  fill({ first, count }: RowRange, vectors: readonly Float32Array[]): boolean {
    if (!this.#rows || first + count > (this.awaited?.rows ?? 0)) return false;
    let at = first * this.#options.model.dimension * Float32Array.BYTES_PER_ELEMENT;
    for (const vector of vectors) {
      this.#rows.bytes.set(bytesOf(vector), at);
      at += vector.byteLength;
    }
    return true;
  }

  /** The memories wait for new vectors in place of those that are still to come. @param filled first rows of those that keep theirs */
  async lose(why: string, filled: ReadonlySet<number> = new Set()): Promise<void> {
    const { indexes, log } = this.#options;
    const saved = this.awaited;
    if (!saved) return;
    let memories = 0;
    await indexes.loseVectors(({ first }) => {
      const isLost = first < saved.rows && !filled.has(first);
      if (isLost) memories++;
      return isLost;
    });
    if (memories > 0) log.warn({ memories }, `vectors are made again in the background: ${why}`);
    this.#settle();
  }

  /** Gives them up with the space: whatever waits for them fails, so that no save takes rows that were not filled. */
  stop(): void {
    this.#isStopped = true;
    this.#rows?.givenUp(new UnavailableError('The space was closed before its vectors were there: try again.'));
  }

  async *#untilStopped(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      if (this.#isStopped) return;
      yield part;
    }
  }

  #settle(): void {
    const { vectors } = this.#options;
    this.#rows?.arrived();
    this.#rows = null;
    vectors.index.noteAppended();
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
