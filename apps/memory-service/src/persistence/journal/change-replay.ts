import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { Expected } from '../../domain/memory/decision.ts';
import type { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import { applyChange } from '../../store/changes/apply-change.ts';
import type { StoreSink } from '../../store/store-sink.ts';
import type { PackedVectors, ReadChange, ReadSingleChange } from './change-line.ts';

/** Makes the changes of a journal again, as they were made when they were written. */
export class ChangeReplay {
  /** Why vectors of the journal have to be made again, for the operator; null: they need not be. */
  vectorsLost: string | null = null;
  /** Whether a change has deleted something. */
  hasDeleted = false;
  readonly #sink: StoreSink;
  readonly #vectors: { readonly model: VectorModel; readonly matrix: VectorMatrix } | null;

  /** @param about.vectors the model of this start; null without embeddings */
  constructor({ sink, vectors }: { sink: StoreSink; vectors: { model: VectorModel; matrix: VectorMatrix } | null }) {
    this.#sink = sink;
    this.#vectors = vectors;
  }

  apply(change: ReadChange): void {
    if (change.op !== 'group') this.#applyOne(change, []);
    else if (this.#sink.isAsExpected(change.expected)) {
      this.#sink.acting(change.act, () => {
        for (const one of change.changes) this.#applyOne(one, change.expected);
      });
    }
  }

  #applyOne(change: ReadSingleChange, expected: readonly Expected[]): void {
    if (change.op === 'delete') this.hasDeleted = true;
    const vectors = 'vectors' in change ? change.vectors : undefined;
    applyChange(this.#sink, change, { rows: vectors && this.#append(vectors), expected });
  }

  #append({ model, values }: PackedVectors): RowRange | null {
    if (!this.#vectors) return null;
    const { model: own, matrix } = this.#vectors;
    if (model.id !== own.id || model.dimension !== own.dimension) {
      this.vectorsLost ??= `the journal holds vectors of the model ${model.id}`;
      return null;
    }
    const count = values.length / model.dimension;
    if (!matrix.hasRoomFor(count)) {
      this.vectorsLost ??= '--max-memories leaves room for fewer of them';
      return null;
    }
    return { first: matrix.append(values), count };
  }
}
