import { KeyedLock, type Locks } from '../concurrency/keyed-lock.ts';
import type { EntityLinks } from './entity-links.ts';
import { Priming } from './priming.ts';
import { WorkingMemory } from './working-memory.ts';

/**
 * What one process holds beside a store: it ends with the process, and another process has its own. No promise to a caller
 * rests on it. With several processes, a session that always comes to the same one finds its working memory and priming there.
 */
export interface ProcessState {
  /** Lets the second of two who decide about one thing wait, which saves work; a stale decision is refused by the store. */
  readonly locks: Locks;
  readonly workingMemory: WorkingMemory;
  readonly priming: Priming;
}

/** That of a process that has just begun. */
export function emptyState(entities: EntityLinks): ProcessState {
  return { locks: new KeyedLock(), workingMemory: new WorkingMemory(), priming: new Priming({ entities }) };
}
