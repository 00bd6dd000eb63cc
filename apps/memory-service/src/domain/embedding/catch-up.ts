import type { Logger } from '@agent-faculties/service-kit';
import { type Decision, versionOf } from '../memory/decision.ts';
import type { Memory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { Viewer } from '../memory/visibility.ts';
import { type MadeVectors, vectorsOfMemory } from './terse.ts';
import type { TextEmbedding } from './text-embedding.ts';

/** The memories without vectors, because these came from another model or were lost. */
export interface VectorBacklog extends Pick<MemoryStore, 'changeTogether' | 'saidBefore'> {
  /** Some of them, except those with these ids; empty when no other memory waits. */
  withoutVectors(count: number, options: { readonly except: ReadonlySet<string> }): Promise<readonly Memory[]>;
  /** How many memories that this agent may see wait. */
  withoutVectorsCount(viewer: Viewer): Promise<number>;
  /** How many vectors the memories that are not PRIVATE have. */
  publicVectorCount(): Promise<number>;
}

/** Texts in the embedder's queue at a time; a query waits for one of them at most. */
const AT_ONCE = 4;
/** Texts between two lines in the log. */
const LOG_EVERY = 1_000;

/** Makes the missing vectors in the background. Resolves to how many it made; stops early when told to. */
export async function catchUp(
  store: VectorBacklog,
  { embedding, log, stopped }: { embedding: TextEmbedding; log: Logger; stopped: () => boolean },
): Promise<number> {
  let made = 0;
  // Ids of memories on whose text the model failed.
  const without = new Set<string>();
  for (;;) {
    const batch = await store.withoutVectors(AT_ONCE, { except: without });
    if (batch.length === 0 || stopped()) break;
    await Promise.all(
      batch.map(async (memory) => {
        const { vectors, expected } = await vectorsOfMemory({ embedding, store }, memory);
        if (vectors.length === 0) without.add(memory.id);
        // A memory that has changed meanwhile is tried again, unless it has vectors by then.
        else await store.changeTogether(madeLater(memory, { vectors, expected }));
      }),
    );
    if (Math.floor((made + batch.length) / LOG_EVERY) > Math.floor(made / LOG_EVERY))
      log.info({ made }, 'making vectors again');
    made += batch.length;
  }
  return made;
}

function madeLater(memory: Memory, { vectors, expected }: MadeVectors): Decision {
  return { expected: [versionOf(memory), ...expected], changes: [{ op: 'update', memory, vectors }] };
}
