import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { Expected } from '../../domain/memory/decision.ts';
import type { VectorMatrix } from '../../search/vectors/vector-matrix.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
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
    switch (change.op) {
      case 'add':
        this.#sink.add(change.memory, { strength: change.strength ?? undefined, rows: this.#rowsOf(change) });
        this.#sink.cameBetween(change.memory.id);
        this.#sink.stoodBehind(change.memory, expected);
        break;
      case 'update': {
        const rows = this.#rowsOf(change);
        this.#sink.update(change.memory, { strength: change.strength, rows });
        if (rows) this.#sink.stoodBehind(change.memory, expected);
        break;
      }
      case 'delete':
        this.hasDeleted = true;
        this.#sink.remove(change.ids);
        break;
      case 'compared':
        this.#sink.compared(change);
        break;
      case 'decided':
        this.#sink.decided(change.contradiction);
        break;
      case 'strengthened':
        for (const { id, strength } of change.recalled) this.#sink.strengthen(id, strength);
        break;
      case 'erased':
        // Only logs that several processes read have it.
        break;
    }
  }

  #rowsOf({ vectors }: { readonly vectors?: PackedVectors | null | undefined }): RowRange | null | undefined {
    return vectors && this.#append(vectors);
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
