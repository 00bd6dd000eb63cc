import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { recallText } from '../../domain/memory/memory.ts';
import type { MemoryText } from '../../search/vectors/distant-vectors.ts';
import { takeFlatIndex } from '../../search/vectors/faiss-file.ts';
import { type ExpectedRows, VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import type { SnapshotSink } from '../../store/store-sink.ts';
import { textDigest } from '../../store/text-digest.ts';
import { FAISS_FILE, HISTORY_FILE } from '../files/file-names.ts';
import { loadSnapshot } from '../load-store.ts';
import { type MemoriesHeader, tableOf } from '../snapshot/memories-file.ts';
import { whyNotSaved, whyOfAnotherModel, whyUnreadable } from '../snapshot/saved-vectors.ts';
import type { CheckpointFiles } from './checkpoints.ts';
import { directoryOf, inFolder } from './passing-folder.ts';
import type { SharedVectors } from './vectors/shared-vectors.ts';

/** Memories whose vectors are read from a table together. */
const READ_AT_ONCE = 500;

type Vectors = NonNullable<MemoryIndexes['vectors']>;
type SavedVectors = NonNullable<MemoriesHeader['vectors']>;

export interface LateVectorsOptions {
  readonly model: VectorModel;
  readonly vectors: Vectors;
  readonly indexes: Pick<MemoryIndexes, 'capture' | 'loseVectors' | 'rowsOf' | 'storedOrExpired'>;
  /** Reads those that are in a table of the database. */
  readonly shared: Pick<SharedVectors, 'read'>;
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
      // A copy without them would not be whole.
      if (tableOf(saved) !== null)
        throw new UnavailableError(`The vectors do not fit into memory: ${whyUnreadable(error)}.`);
      return whyUnreadable(error);
    }
  }

  /** Fills the rows, where any were numbered and are still to come. @throws what reading the files throws; then it may be done again */
  async take(files: CheckpointFiles | null): Promise<void> {
    if (!this.#rows || !this.#of || this.#isStopped) return;
    if (!files) return await this.lose('their checkpoint is gone');
    if (files.id !== this.#of.id) return await this.#takeFromLater(files);
    if (tableOf(this.#of.saved) !== null) return await this.#takeFromTable(this.#of.saved);
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
    let inTable: SavedVectors | null = null;
    const findInTable = async (saved: SavedVectors) => {
      inTable = saved;
      return null;
    };
    const add: SnapshotSink['add'] = (memory, _strength, rows) => {
      if (inTable) return;
      const { indexes } = this.#options;
      const own = indexes.rowsOf(memory.id);
      const stored = indexes.storedOrExpired(memory.id)?.memory;
      if (!own || !rows || own.count !== rows.count || !stored || recallText(stored) !== recallText(memory)) return;
      this.#fill(own, [matrix.row(rows.first, rows.count)], filled);
    };
    const why = await inFolder(async (folder) => {
      const packed = await files.copyMemoriesTo(folder);
      for (const name of [FAISS_FILE, HISTORY_FILE]) await files.copyTo(folder, name);
      const sink = { add, wasCompared() {}, wereDeleted() {} };
      const options = {
        directory: directoryOf(folder),
        sink,
        vectors: { model, matrix, findInTable },
        repair: null,
        log,
      };
      return await loadSnapshot(options, packed);
    });
    if (inTable) return await this.#takeFromTable(inTable);
    await this.lose(why ?? 'another checkpoint has taken the place of theirs, and has other texts', filled);
  }

  /** Each memory takes those of the text that it has now. */
  async #takeFromTable(saved: SavedVectors): Promise<void> {
    const { indexes, shared } = this.#options;
    const filled = new Set<number>();
    let batch: { readonly text: MemoryText; readonly rows: RowRange }[] = [];
    const take = async () => {
      const found = await shared.read(
        saved,
        batch.map(({ text }) => text),
      );
      for (const { text, rows } of batch) {
        const vectors = found.get(text.id) ?? [];
        const isWhole = vectors.filter(Boolean).length === rows.count;
        if (isWhole && !this.#isStopped) this.#fill(rows, vectors, filled);
      }
      batch = [];
    };
    for (const { memory, rows } of indexes.capture()) {
      if (this.#isStopped) return;
      if (rows) batch.push({ text: { id: memory.id, digest: textDigest(memory) }, rows });
      if (batch.length === READ_AT_ONCE) await take();
    }
    await take();
    await this.lose('the table of the database lacks them', filled);
  }

  /** Rows that are not among those that were numbered stay as they are. */
  #fill({ first, count }: RowRange, vectors: readonly Float32Array[], filled: Set<number>): void {
    const { dimension } = this.#options.model;
    const start = first * dimension * Float32Array.BYTES_PER_ELEMENT;
    if (!this.#of || first + count > this.#of.saved.rows) return;
    let at = start;
    for (const vector of vectors) {
      this.#rows?.bytes.set(bytesOf(vector), at);
      at += vector.byteLength;
    }
    filled.add(first);
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
