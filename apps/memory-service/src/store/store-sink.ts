import type { Contradiction } from '../domain/contradictions/contradiction.ts';
import type { ChangeAct } from '../domain/memory/change-act.ts';
import type { Expected } from '../domain/memory/decision.ts';
import type { Memory, Strength } from '../domain/memory/memory.ts';
import type { TextReading } from '../search/lexical/text-reading.ts';
import type { RowRange } from '../search/vectors/vector-rows.ts';
import type { ComparedChange } from './changes/change.ts';
import type { StoredComparison } from './indexes/comparisons.ts';
import type { PackedMemory } from './records/packed-memories.ts';

/** What comes with a memory. */
export interface KnownOfMemory {
  /** Absent: the store makes the first one, or leaves what it has. */
  readonly strength?: Readonly<Strength> | undefined;
  /** Of the matrix. null: the vectors must be made again. Absent, in an update: the text stays, and with it the vectors. */
  readonly rows?: RowRange | null | undefined;
  /** Absent: the store reads the text. */
  readonly reading?: TextReading | undefined;
}

/** What a save holds beside a packed memory. */
export interface KnownOfPacked {
  readonly strength: Readonly<Strength>;
  readonly rows: RowRange | null;
  readonly reading: TextReading;
  /** The scorer that has compared it and found no contradiction; null: it waits for a comparison. */
  readonly comparedBy: string | null;
}

/** Takes what a save holds. */
export interface SnapshotSink {
  add(memory: Memory, known?: KnownOfMemory): void;
  /** As `add` and `wasCompared`, of a memory that is unpacked when somebody asks for it. Absent: it has to be unpacked first. */
  addPacked?(memory: PackedMemory, known: KnownOfPacked): void;
  /** What a save holds of the comparisons of a memory; once the memory is there, and all others where it contradicts some. */
  wasCompared(memoryId: string, comparison: StoredComparison): void;
  /** Told of the ids of memories that were deleted before the save. */
  wereDeleted(ids: readonly string[]): void;
}

/**
 * Takes what a save holds, and then the changes of the journal, in order (`applyChange`): an `add` of a known id replaces it, an `update`
 * or `remove` of an unknown one does nothing.
 */
export interface StoreSink extends SnapshotSink {
  update(memory: Memory, known?: KnownOfMemory): void;
  remove(ids: readonly string[]): void;
  /** After an `add` of the journal: terse memories right behind it lose their vectors. */
  cameBetween(id: string): void;
  /** After an `add` or `update` of the journal that brought vectors. @param expected what its group rests on */
  stoodBehind(memory: Memory, expected: readonly Expected[]): void;
  /** Makes changes and keeps the versions before them, where there is an act. */
  acting(act: ChangeAct | undefined, changes: () => void): void;
  /** Whether every memory that a group of changes was planned on is as it was then. */
  isAsExpected(expected: readonly Expected[]): boolean;
  compared(change: ComparedChange): void;
  decided(contradiction: Contradiction): void;
  /** The versions of these memories are gone. */
  erased(ids: readonly string[]): void;
  /** Raises a memory to this strength, unless it is stronger or missing. */
  strengthen(id: string, strength: Readonly<Strength>): void;
}
