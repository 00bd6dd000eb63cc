import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { takeFlatIndex } from '../../search/vectors/faiss-file.ts';
import type { ExpectedRows } from '../../search/vectors/vector-matrix.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import { FAISS_FILE } from '../files/file-names.ts';
import type { MemoriesHeader } from '../snapshot/memories-file.ts';
import { whyNotSaved, whyOfAnotherModel, whyUnreadable } from '../snapshot/saved-vectors.ts';
import type { CheckpointFiles } from './checkpoints.ts';

type Vectors = NonNullable<MemoryIndexes['vectors']>;

export interface LateVectorsOptions {
  readonly model: VectorModel;
  readonly vectors: Vectors;
  readonly indexes: Pick<MemoryIndexes, 'loseVectors'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Vectors of a checkpoint that come after its words: their rows are numbered first, and filled while words are served. */
export class LateVectors {
  readonly #options: LateVectorsOptions;
  /** The checkpoint that the rows are numbered by. */
  #of: { readonly id: string; readonly saved: NonNullable<MemoriesHeader['vectors']> } | null = null;
  #rows: ExpectedRows | null = null;
  #isStopped = false;

  constructor(options: LateVectorsOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Numbers the rows. @returns why the vectors cannot be used, in words for the operator; null where they can */
  expect(saved: MemoriesHeader['vectors'], { id }: CheckpointFiles): string | null {
    const { model, vectors } = this.#options;
    const why = whyOfAnotherModel(saved, model);
    if (why !== null || saved === null) return why;
    try {
      this.#rows = vectors.matrix.expect(saved.rows);
      this.#of = { id, saved };
      return null;
    } catch (error) {
      return whyUnreadable(error);
    }
  }

  /** Fills the rows, where any were numbered and are still to come. @throws what reading the files throws; then it may be done again */
  async take(files: CheckpointFiles | null): Promise<void> {
    if (!this.#rows || !this.#of || this.#isStopped) return;
    if (files?.id !== this.#of.id) return await this.lose('another checkpoint has taken the place of theirs');
    const { bytes } = this.#rows;
    const { dimension, rows } = this.#of.saved;
    const parts = this.#untilStopped(files.read(FAISS_FILE));
    const why = await takeFlatIndex(parts, { dimension, rows, into: bytes }).then(
      ({ sha256 }) => whyNotSaved(sha256, this.#of?.saved ?? null),
      whyUnreadable,
    );
    if (why !== null) await this.lose(why);
    else this.#settle();
  }

  /** The memories wait for new vectors in place of those that are still to come. */
  async lose(why: string): Promise<void> {
    if (!this.#rows || !this.#of || this.#isStopped) return;
    this.#options.log.warn(`vectors are made again in the background: ${why}`);
    await this.#options.indexes.loseVectors(this.#of.saved.rows);
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
    vectors.index.add(0, vectors.matrix.length);
  }
}
