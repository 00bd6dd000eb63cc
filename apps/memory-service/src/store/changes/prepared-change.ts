import { isLong, readInSteps } from '../../domain/concurrency/reading-steps.ts';
import { type Memory, recallText } from '../../domain/memory/memory.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import { readingInSteps } from '../indexes/indexed-memory.ts';
import type { MemoryIndexes } from '../indexes/memory-indexes.ts';
import { type Applied, applyChange } from './apply-change.ts';
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

function make(indexes: MemoryIndexes, change: SingleChange, beside: Omit<Applied, 'rows'>): void {
  const vectors = 'vectors' in change ? change.vectors : undefined;
  const rows = vectors && indexes.appendVectors(vectors);
  applyChange(indexes, change, { ...beside, rows });
  if (change.op === 'update' && rows === null && vectors?.length) indexes.stopWaitingForVectors(change.memory.id);
}

/** A long text is read before the turn in which everything changes; undefined for a short one. */
async function readAhead(memory: Memory): Promise<TextReading | undefined> {
  const text = recallText(memory);
  return isLong(text) ? await readInSteps(text, readingInSteps(memory)) : undefined;
}
