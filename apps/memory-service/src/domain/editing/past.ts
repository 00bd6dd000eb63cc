import type { Clock } from '@agent-faculties/service-kit';
import { withoutAbsorbed } from '../consolidation/duplicates/absorb.ts';
import type { MemoryHistory, PastVersion } from '../memory/history.ts';
import { NOT_SUPERSEDED } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { isExpired } from '../memory/validity.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';
import { unknownMemory } from './read.ts';

export interface HistoryDeps {
  readonly clock: Clock;
  readonly store: Pick<MemoryStore, 'find'>;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
}

/** A change of a memory, with what the memory was before and after it. */
export interface HistoryEntry {
  readonly version: PastVersion;
  /** null: there was none. */
  readonly before: StoredMemory | null;
  /** null: it was gone. */
  readonly after: StoredMemory | null;
}

/**
 * The changes of a memory of the last days, latest first, as far as the viewer may see them: the memory as it is now, or was last,
 * and as it was before and after the change. The id of a memory that was deleted or absorbed leads to its own changes.
 * @throws NotFoundError when there is nothing that the viewer may see
 */
export async function historyOf(deps: HistoryDeps, viewer: Viewer, id: string): Promise<HistoryEntry[]> {
  const found = await deps.store.find(id);
  const since = deps.clock.now() - (deps.history?.keptMs ?? 0);
  const versions = ((await deps.history?.versionsOf(id)) ?? []).filter(({ at }) => at >= since);
  const last = found ?? lastBefore(versions);
  if (!last || !isVisibleTo(viewer, last.memory) || isExpired(last.memory, deps.clock.now())) throw unknownMemory(id);
  const present = found?.memory.id === id ? found : null;
  const entries: HistoryEntry[] = [];
  for (const [i, version] of versions.entries()) {
    const next = versions[i + 1];
    const after = next ? next.before : present;
    const { before } = version;
    if (!(await isShown(deps, viewer, before)) || !(await isShown(deps, viewer, after)) || before === after) continue;
    entries.unshift({
      version,
      before: before && (await asSeen(deps, viewer, before)),
      after: after && (await asSeen(deps, viewer, after)),
    });
  }
  return entries;
}

/** What a memory was when it was deleted; undefined where it is gone for another reason, as one that has expired. */
function lastBefore(versions: readonly PastVersion[]): StoredMemory | null | undefined {
  return versions.at(-1)?.after === null ? versions.findLast(({ before }) => before !== null)?.before : undefined;
}

/** Whether a viewer may see a memory as it was; a derived one only while every source of it is there and seen, as it has their words. */
async function isShown({ store }: HistoryDeps, viewer: Viewer, stored: StoredMemory | null): Promise<boolean> {
  if (!stored) return true;
  if (!isVisibleTo(viewer, stored.memory)) return false;
  for (const id of stored.memory.sources) {
    const source = await store.find(id);
    if (!source || !isVisibleTo(viewer, source.memory)) return false;
  }
  return true;
}

/** Without the ids, tags and names of memories that the viewer may no longer see. */
async function asSeen(deps: HistoryDeps, viewer: Viewer, { memory, strength }: StoredMemory): Promise<StoredMemory> {
  const isSeen = async (id: string | null) => {
    const stored = id === null ? null : await deps.store.find(id);
    return stored !== null && isVisibleTo(viewer, stored.memory);
  };
  const hidden = [];
  for (const absorbed of memory.absorbed ?? []) if (!(await isSeen(absorbed.memory.id))) hidden.push(absorbed);
  const seen = hidden.length > 0 ? withoutAbsorbed(memory, hidden) : memory;
  const consolidatedInto = (await isSeen(seen.consolidatedInto)) ? seen.consolidatedInto : null;
  const successor = (await isSeen(seen.supersededBy)) ? {} : NOT_SUPERSEDED;
  return { memory: { ...seen, ...successor, consolidatedInto }, strength };
}
