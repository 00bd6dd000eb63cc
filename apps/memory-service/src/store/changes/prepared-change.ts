import { isLong, readInSteps } from '../../domain/concurrency/reading-steps.ts';
import type { Expected } from '../../domain/memory/decision.ts';
import { type Memory, recallText } from '../../domain/memory/memory.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import { readingInSteps } from '../indexes/indexed-memory.ts';
import type { MemoryIndexes } from '../indexes/memory-indexes.ts';
import type { Change, SingleChange } from './change.ts';

/**
 * Reads the long texts of a change, a piece in each turn of the event loop. Resolves to a function that makes the change in one turn
 * and returns whether it happened: a group does not if something is no longer as expected.
 */
export async function preparedChange(indexes: MemoryIndexes, change: Change): Promise<() => boolean> {
  const { expected, changes, act } =
    change.op === 'group' ? change : { expected: [], changes: [change], act: undefined };
  const readings: (TextReading | undefined)[] = [];
  for (const one of changes) readings.push('memory' in one ? await readAhead(one.memory) : undefined);
  return () => {
    if (!indexes.isAsExpected(expected)) return false;
    indexes.acting(act, () => {
      for (const [at, one] of changes.entries()) make(indexes, one, { reading: readings[at], expected });
    });
    return true;
  };
}

interface Beside {
  readonly reading: TextReading | undefined;
  /** What the group rests on. */
  readonly expected: readonly Expected[];
}

function make(indexes: MemoryIndexes, change: SingleChange, { reading, expected }: Beside): void {
  if (change.op === 'delete') indexes.remove(change.ids);
  else if (change.op === 'compared') indexes.compared(change);
  else if (change.op === 'decided') indexes.decided(change.contradiction);
  else if (change.op === 'erased') indexes.versions.drop(change.ids);
  else if (change.op === 'strengthened') {
    for (const { id, strength } of change.recalled) indexes.strengthen(id, strength);
  } else if (change.op === 'add') {
    const { memory, strength, vectors } = change;
    indexes.add(memory, { strength, rows: indexes.appendVectors(vectors), reading });
    indexes.cameBetween(memory.id);
    indexes.stoodBehind(memory, expected);
  } else {
    const { memory, strength, vectors } = change;
    const rows = vectors && indexes.appendVectors(vectors);
    indexes.update(memory, { strength, rows, reading });
    if (rows === null && vectors?.length) indexes.stopWaitingForVectors(memory.id);
    if (rows) indexes.stoodBehind(memory, expected);
  }
}

/** A long text is read before the turn in which everything changes; undefined for a short one. */
async function readAhead(memory: Memory): Promise<TextReading | undefined> {
  const text = recallText(memory);
  return isLong(text) ? await readInSteps(text, readingInSteps(memory)) : undefined;
}
