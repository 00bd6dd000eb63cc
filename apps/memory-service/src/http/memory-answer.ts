import { PreconditionFailedError } from '@agent-faculties/service-kit';
import { entityTag, StaleVersionError } from '../domain/editing/precondition.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { memoryView, touched } from '../wire/memory-view.ts';

/** The answer of an operation that returns one memory. */
export function memoryAnswer(stored: StoredMemory, nowMs: number) {
  return {
    status: 200,
    headers: { ETag: entityTag(stored.memory) },
    body: { memory: memoryView(stored, nowMs) },
    log: touched([stored]),
  } as const;
}

/** Answers an outdated If-Match with the present memory, so that its sender can decide without another request. */
export async function tellingPresent<T>(nowMs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StaleVersionError)) throw error;
    const { present } = error;
    const extra = { etag: entityTag(present.memory), current: memoryView(present, nowMs) };
    throw new PreconditionFailedError(error.message, { extra });
  }
}
