import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { recallText } from '../../domain/memory/memory.ts';
import { takeFlatIndex } from '../../search/vectors/faiss-file.ts';
import { type ExpectedRows, VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';
import { FAISS_FILE, HISTORY_FILE } from '../files/file-names.ts';
import { loadSnapshot } from '../load-store.ts';
import type { MemoriesHeader } from '../snapshot/memories-file.ts';
import { whyNotSaved, whyOfAnotherModel, whyUnreadable } from '../snapshot/saved-vectors.ts';
import type { CheckpointFiles } from './checkpoints.ts';
import { directoryOf, inFolder } from './passing-folder.ts';

type Vectors = NonNullable<MemoryIndexes['vectors']>;

export interface LateVectorsOptions {
  readonly model: VectorModel;
  readonly vectors: Vectors;
  readonly indexes: Pick<MemoryIndexes, 'loseVectors' | 'rowsOf' | 'storedOrExpired'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
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
    if (!files) return await this.lose('their checkpoint is gone');
    if (files.id !== this.#of.id) return await this.#takeFromLater(files);
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

  /** The memories wait for new vectors in place of those that are still to come. @param filled first rows of those that keep theirs */
  async lose(why: string, filled: ReadonlySet<number> = new Set()): Promise<void> {
    if (!this.#rows || !this.#of || this.#isStopped) return;
    const { rows } = this.#of.saved;
    let memories = 0;
    await this.#options.indexes.loseVectors(({ first }) => {
      const isLost = first < rows && !filled.has(first);
      if (isLost) memories++;
      return isLost;
    });
    if (memories > 0) this.#options.log.warn({ memories }, `vectors are made again in the background: ${why}`);
    this.#settle();
  }

  /** A checkpoint that has taken the place of theirs has them in other rows: each memory with the same text takes its own from there. */
  async #takeFromLater(files: CheckpointFiles): Promise<void> {
    const { model, vectors, log } = this.#options;
    const matrix = new VectorMatrix(vectors.matrix);
    const filled = new Set<number>();
    const add: SnapshotSink['add'] = (memory, _strength, rows) => {
      const { indexes } = this.#options;
      const own = indexes.rowsOf(memory.id);
      const stored = indexes.storedOrExpired(memory.id)?.memory;
      if (!own || !rows || own.count !== rows.count || !stored || recallText(stored) !== recallText(memory)) return;
      const bytes = bytesOf(matrix.row(rows.first, rows.count));
      const at = own.first * (bytes.length / rows.count);
      if (at + bytes.length > (this.#rows?.bytes.length ?? 0)) return;
      this.#rows?.bytes.set(bytes, at);
      filled.add(own.first);
    };
    const why = await inFolder(async (folder) => {
      const packed = await files.copyMemoriesTo(folder);
      for (const name of [FAISS_FILE, HISTORY_FILE]) await files.copyTo(folder, name);
      const sink = { add, wasCompared() {}, wereDeleted() {} };
      const options = { directory: directoryOf(folder), sink, vectors: { model, matrix }, repair: null, log };
      return await loadSnapshot(options, packed);
    });
    await this.lose(why ?? 'another checkpoint has taken the place of theirs, and has other texts', filled);
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

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
