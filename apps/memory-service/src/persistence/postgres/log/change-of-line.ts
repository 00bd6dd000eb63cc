import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { Change, SingleChange } from '../../../store/changes/change.ts';
import { changeFromWire, type PackedVectors, type ReadSingleChange } from '../../journal/change-line.ts';

/** The change that a line of the log holds. Vectors of another model than this are to be made again. */
export function changeOfLine(body: string, model: VectorModel | null): Change {
  const read = changeFromWire(JSON.parse(body));
  if (read.op !== 'group') return single(read, model);
  return { ...read, changes: read.changes.map((one) => single(one, model)) };
}

function single(read: ReadSingleChange, model: VectorModel | null): SingleChange {
  if (read.op === 'add') {
    const { op, memory, strength } = read;
    return { op, memory, ...(strength && { strength }), vectors: rowsOf(read.vectors, model) };
  }
  if (read.op === 'update') {
    const { op, memory, strength, vectors } = read;
    return {
      op,
      memory,
      ...(strength && { strength }),
      ...(vectors !== undefined && { vectors: rowsOf(vectors, model) }),
    };
  }
  return read;
}

function rowsOf(packed: PackedVectors | null, model: VectorModel | null): Float32Array[] {
  if (!packed || packed.model.id !== model?.id || packed.model.dimension !== model.dimension) return [];
  const { dimension } = model;
  const count = packed.values.length / dimension;
  return Array.from({ length: count }, (_, row) => packed.values.subarray(row * dimension, (row + 1) * dimension));
}
