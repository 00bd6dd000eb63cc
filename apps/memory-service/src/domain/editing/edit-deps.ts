import type { Clock } from '@agent-faculties/service-kit';
import type { ProcessState } from '../cognition/process-state.ts';
import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import type { PrunedArchive } from '../consolidation/pruning/pruned-archive.ts';
import { rederiving } from '../consolidation/rederive.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import type { TextEmbedding } from '../embedding/text-embedding.ts';
import { actOf, type ChangeAct, type Operation } from '../memory/change-act.ts';
import type { MemoryHistory } from '../memory/history.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { Viewer } from '../memory/visibility.ts';

export interface EditDeps extends Pick<ProcessState, 'locks' | 'workingMemory'> {
  readonly clock: Clock;
  readonly store: MemoryStore & ConsolidationStore & ContradictionStore;
  /** The archive, which deletes reach too; null where nothing is kept on disk. */
  readonly archive: PrunedArchive | null;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  readonly embedding: TextEmbedding;
  /** Saves, where anything is kept on disk. @throws UnavailableError when the disk refuses */
  readonly saveNow: () => Promise<void>;
  /** Called after memories were deleted, so that a save takes them off the disk. */
  readonly saveAfterDelete: () => void;
}

/** What the viewer does now, for the history. */
export function actNow({ clock }: Pick<EditDeps, 'clock'>, { agentId }: Viewer, operation: Operation): ChangeAct {
  return actOf(operation, { agentId, at: Math.floor(clock.now()) });
}

/** Makes a change, and derives again what was derived from these memories. */
export async function rederivingAfter<T>(deps: EditDeps, ids: readonly string[], change: () => Promise<T>): Promise<T> {
  return await rederiving({ store: deps.store, now: () => deps.clock.now() }, ids, change);
}
