import { nextTurn } from '../../concurrency/next-turn.ts';
import type { ChangeAct } from '../../memory/change-act.ts';
import { type Decision, type PlannedChange, versionOf } from '../../memory/decision.ts';
import type { Memory } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../../memory/visibility.ts';
import type { ConsolidationStore } from '../consolidation-store.ts';
import { withoutAbsorbed } from './absorb.ts';
import { settingApart } from './set-apart.ts';

/** The memories that are deleted in one turn of the event loop, in about 5 ms. */
const REMOVED_AT_ONCE = 100;

type Whose = {
  readonly authorAgentId: string;
  readonly viewer: Viewer;
  /** Who deletes them; absent: no versions are kept. */
  readonly act?: ChangeAct | undefined;
};

/**
 * Deletes memories of one agent, separate ones and those that another agent's memory absorbed. Memories of other agents that one of
 * them absorbed become separate again. A memory that has changed since it was read is read again first. Resolves to the deleted ids.
 * @param ids ids of memories of that agent
 * @throws UnavailableError when the disk refuses; memories that were deleted before stay deleted
 */
export async function removeWords(store: ConsolidationStore, whose: Whose, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = [];
  for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE) {
    if (start > 0) await nextTurn();
    const batch = ids.slice(start, start + REMOVED_AT_ONCE);
    for (;;) {
      const holders = await holdersOf(store, whose, batch);
      if (holders.length === 0) break;
      gone.push(...(await tryRemove(store, whose, holders)));
    }
  }
  return gone;
}

/** The memories that hold these memories now, each once. */
async function holdersOf(
  store: ConsolidationStore,
  { authorAgentId, viewer }: Whose,
  ids: readonly string[],
): Promise<Memory[]> {
  const found = (await Promise.all(ids.map((id) => store.find(id)))).filter(
    (stored): stored is StoredMemory => stored !== null,
  );
  const holders = new Map(found.map(({ memory }) => [memory.id, memory] as const));
  return [...holders.values()].filter(
    (memory) =>
      isVisibleTo(viewer, memory) && (memory.agentId === authorAgentId || holdsWordsOf(authorAgentId, memory)),
  );
}

function holdsWordsOf(agentId: string, { absorbed = [] }: Memory): boolean {
  return absorbed.some(({ memory }) => memory.agentId === agentId);
}

/** Deletes plain memories together; a survivor may be long and gets a change of its own. */
async function tryRemove(
  store: ConsolidationStore,
  { authorAgentId, act }: Whose,
  holders: readonly Memory[],
): Promise<string[]> {
  const plain = holders.filter(({ absorbed }) => !absorbed);
  const plainIds = plain.map(({ id }) => id);
  const gone: string[] = [];
  if (plain.length > 0 && (await changeIfSame(store, plain, { changes: [{ op: 'delete', ids: plainIds }], act })))
    gone.push(...plainIds);
  for (const holder of holders) {
    if (!holder.absorbed) continue;
    const { ids, changes } = await removing(store, authorAgentId, holder);
    if (await changeIfSame(store, [holder], { changes, act })) gone.push(...ids);
  }
  return gone;
}

async function removing(
  store: ConsolidationStore,
  agentId: string,
  holder: Memory,
): Promise<{ ids: readonly string[]; changes: readonly PlannedChange[] }> {
  if (holder.agentId === agentId) {
    const ids = [holder.id];
    return { ids, changes: [{ op: 'delete', ids }, ...(await settingApart(store, holder)).changes] };
  }
  const theirs = (holder.absorbed ?? []).filter(({ memory }) => memory.agentId === agentId);
  const memory = { ...withoutAbsorbed(holder, theirs), updatedAt: holder.updatedAt + 1 };
  return { ids: theirs.map((one) => one.memory.id), changes: [{ op: 'update', memory }] };
}

async function changeIfSame(
  store: ConsolidationStore,
  memories: readonly Memory[],
  change: Pick<Decision, 'changes' | 'act'>,
): Promise<boolean> {
  return await store.changeTogether({ expected: memories.map(versionOf), ...change });
}
