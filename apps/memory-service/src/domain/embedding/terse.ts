import { type Expected, versionOf } from '../memory/decision.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { directionOf } from './direction.ts';
import type { TextEmbedding } from './text-embedding.ts';

/** A message of so many words tells too little by itself: "20 for all." docs/benchmarks/recall.md says what other numbers do. */
const TERSE_WORDS = 6;
/** Longer ones have more words than blanks tell. */
const TERSE_CHARACTERS = 80;
/** The end of the message before, which fits one chunk with a terse one. */
const WORDS_BEFORE = 60;
const CHARACTERS_BEFORE = 600;

interface Deps {
  readonly embedding: TextEmbedding;
  readonly store: Pick<MemoryStore, 'saidBefore'>;
}

/** Whether a memory is taken together with what was said before it: a few words in a conversation. */
export function isTerse(memory: Memory): boolean {
  if (memory.sessionId === null || memory.kind !== 'episodic') return false;
  const text = recallText(memory).trim();
  return text.length <= TERSE_CHARACTERS && wordsOf(text).length <= TERSE_WORDS;
}

/** Vectors of a memory, and the memories that a decision to store them rests on. */
export interface MadeVectors {
  readonly vectors: readonly Float32Array[];
  readonly expected: readonly Expected[];
}

/**
 * The vectors of a memory, which need not be stored yet: one for each chunk of its text, in order. That of a terse one lies half way
 * to what it means behind the message before it that does not expire: "20 for all." alone is near nothing. Once the message
 * before is changed or deleted, the store takes such vectors no more, and lets go of those that it has.
 * @throws UnavailableError
 */
export async function vectorsOfMemory({ embedding, store }: Deps, memory: Memory): Promise<MadeVectors> {
  const text = recallText(memory);
  const before = isTerse(memory) ? await store.saidBefore(memory) : null;
  if (before === null) return { vectors: await embedding.vectorsOf(text), expected: [] };
  const [own, behind] = await Promise.all([
    embedding.vectorsOf(text),
    embedding.vectorsOf(`${endOf(recallText(before))} ${text}`),
  ]);
  const isOneChunk = own.length === 1 && behind.length === 1;
  return isOneChunk
    ? { vectors: [directionOf([...own, ...behind])], expected: [versionOf(before)] }
    : { vectors: own, expected: [] };
}

function endOf(text: string): string {
  return wordsOf(text.slice(-CHARACTERS_BEFORE)).slice(-WORDS_BEFORE).join(' ');
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+/g) ?? [];
}
