import type { Steps } from '@agent-faculties/service-kit';
import { type Memory, recallText } from '../../domain/memory/memory.ts';
import {
  type IndexedMemory,
  type ReadMemory,
  readTextInSteps,
  type TextReading,
} from '../../search/lexical/text-reading.ts';
import type { PackedMemory } from '../records/packed-memories.ts';

/** What the index of words reads of a memory. */
export function readable(memory: Memory): IndexedMemory {
  return { ...indexed(memory), text: recallText(memory), tags: memory.tags };
}

/** The same without the text, for a memory that was read before. */
export function indexed(memory: Memory | PackedMemory): ReadMemory {
  const { agentId, scope, project, createdAt, name, role } = memory;
  // A derived memory follows nothing and answers nothing: each has a thread of its own.
  const sessionId = memory.kind === 'semantic' ? memory.id : memory.sessionId;
  return { agentId, sessionId, scope, project, createdAt, speaker: name, role };
}

/** Reads what the word index holds of a memory, ahead of the change that adds it. */
export function readingInSteps(memory: Memory): Steps<TextReading> {
  return readTextInSteps(readable(memory));
}
