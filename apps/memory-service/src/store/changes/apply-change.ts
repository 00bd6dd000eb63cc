import type { Expected } from '../../domain/memory/decision.ts';
import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { StoreSink } from '../store-sink.ts';
import type { SingleChange } from './change.ts';

type OfMemory = 'add' | 'update';

/** A change, in whatever form its vectors are: as it was decided, or as it is read from a journal. */
export type ApplicableChange =
  | Exclude<SingleChange, { readonly op: OfMemory }>
  | { readonly op: OfMemory; readonly memory: Memory; readonly strength?: Readonly<Strength> | null | undefined };

export interface Applied {
  /** Those of its vectors; null: it has none, or there is no room. Absent: the text stays, and with it the vectors. */
  readonly rows?: RowRange | null | undefined;
  /** Absent: the text is to be read. */
  readonly reading?: TextReading | undefined;
  /** What its group rests on. */
  readonly expected: readonly Expected[];
}

/** Makes one change: when it happens, and again when a start reads it, so that both come to the same. */
export function applyChange(sink: StoreSink, change: ApplicableChange, { rows, reading, expected }: Applied): void {
  switch (change.op) {
    case 'add': {
      const { memory, strength } = change;
      sink.add(memory, { strength: strength ?? undefined, rows, reading });
      sink.cameBetween(memory.id);
      sink.stoodBehind(memory, expected);
      break;
    }
    case 'update': {
      const { memory, strength } = change;
      sink.update(memory, { strength: strength ?? undefined, rows, reading });
      if (rows) sink.stoodBehind(memory, expected);
      break;
    }
    case 'delete':
      sink.remove(change.ids);
      break;
    case 'compared':
      sink.compared(change);
      break;
    case 'decided':
      sink.decided(change.contradiction);
      break;
    case 'erased':
      sink.erased(change.ids);
      break;
    case 'strengthened':
      for (const { id, strength } of change.recalled) sink.strengthen(id, strength);
      break;
  }
}
