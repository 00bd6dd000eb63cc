import type { Logger } from '@agent-faculties/service-kit';
import { recallText } from '../../../domain/memory/memory.ts';
import type { MemoryText } from '../../../search/vectors/distant-vectors.ts';
import { VectorMatrix } from '../../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../../search/vectors/vector-rows.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import { textDigest } from '../../../store/indexes/text-digest.ts';
import type { SnapshotSink } from '../../../store/store-sink.ts';
import { FAISS_FILE, HISTORY_FILE } from '../../files/file-names.ts';
import { LateVectors, type LateVectorsOptions } from '../../snapshot/late-vectors.ts';
import { loadSnapshot } from '../../snapshot/load-snapshot.ts';
import { type SavedVectors, tableOf } from '../../snapshot/saved-vectors.ts';
import type { SharedVectors } from '../vectors/shared-vectors.ts';
import type { CheckpointFiles } from './checkpoint-files.ts';
import { directoryOf, inFolder } from './passing-folder.ts';

/** Memories whose vectors are read from a table together. */
const READ_AT_ONCE = 500;

export interface LateCheckpointVectorsOptions extends LateVectorsOptions {
  readonly indexes: Pick<MemoryIndexes, 'capture' | 'loseVectors' | 'rowsOf' | 'storedOrExpired'>;
  /** Reads those that are in a table of the database. */
  readonly shared: Pick<SharedVectors, 'read'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Vectors of a checkpoint that come after its words, from the database. */
export class LateCheckpointVectors {
  readonly #options: LateCheckpointVectorsOptions;
  readonly #late: LateVectors;
  /** The checkpoint that the rows are numbered by. */
  #id: string | null = null;

  constructor(options: LateCheckpointVectorsOptions) {
    this.#options = options;
    this.#late = new LateVectors(options);
  }

  get isStopped(): boolean {
    return this.#late.isStopped;
  }

  /** Numbers the rows. @returns why the vectors cannot be used, in words for the operator; null where they can */
  expect(saved: SavedVectors | null, { id }: CheckpointFiles): string | null {
    this.#id = id;
    return this.#late.expect(saved);
  }

  /** Fills the rows, where any were numbered and are still to come. @throws what reading the files throws; then it may be done again */
  async take(files: CheckpointFiles | null): Promise<void> {
    const { awaited } = this.#late;
    if (!awaited) return;
    if (!files) return await this.lose('their checkpoint is gone');
    if (files.id !== this.#id) return await this.#takeFromLater(files);
    if (tableOf(awaited) !== null) return await this.#takeFromTable(awaited);
    await this.#late.take(files.read(FAISS_FILE));
  }

  /** The memories wait for new vectors in place of those that are still to come. @param filled first rows of those that keep theirs */
  async lose(why: string, filled?: ReadonlySet<number>): Promise<void> {
    await this.#late.lose(why, filled);
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
    const add: SnapshotSink['add'] = (memory, { rows } = {}) => {
      if (inTable) return;
      const { indexes } = this.#options;
      const own = indexes.rowsOf(memory.id);
      const stored = indexes.storedOrExpired(memory.id)?.memory;
      if (!own || !rows || own.count !== rows.count || !stored || recallText(stored) !== recallText(memory)) return;
      this.#fill(own, [matrix.row(rows.first, rows.count)], filled);
    };
    const why = await inFolder(async (folder) => {
      const packed = await files.memories(folder);
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
        if (isWhole) this.#fill(rows, vectors, filled);
      }
      batch = [];
    };
    for (const { memory, rows } of indexes.capture()) {
      if (this.isStopped) return;
      if (rows) batch.push({ text: { id: memory.id, digest: textDigest(memory) }, rows });
      if (batch.length === READ_AT_ONCE) await take();
    }
    await take();
    await this.lose('the table of the database lacks them', filled);
  }

  #fill(rows: RowRange, vectors: readonly Float32Array[], filled: Set<number>): void {
    if (this.#late.fill(rows, vectors)) filled.add(rows.first);
  }

  /** Gives them up with the space. */
  stop(): void {
    this.#late.stop();
  }
}
