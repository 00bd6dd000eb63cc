import { KeyedLock, type Locks } from '../concurrency/keyed-lock.ts';
import type { EntityLinks } from './entity-links.ts';
import { Priming } from './priming.ts';
import { WorkingMemory } from './working-memory.ts';

/**
 * State of one process beside a store. It ends with the process, and each process has its own; no promise to a caller rests on it.
 * With several processes, a session finds its working memory and priming only if its requests always reach the same process.
 */
export interface ProcessState {
  /** Lets the second of two decisions about one thing wait, which saves work; the store refuses a stale decision anyway. */
  readonly locks: Locks;
  readonly workingMemory: WorkingMemory;
  readonly priming: Priming;
}

/** The state of a new process. */
export function emptyState(entities: EntityLinks): ProcessState {
  return { locks: new KeyedLock(), workingMemory: new WorkingMemory(), priming: new Priming({ entities }) };
}
