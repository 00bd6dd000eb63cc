import { NotFoundError } from '@agent-faculties/service-kit';
import { removeWords } from '../consolidation/duplicates/remove-words.ts';
import type { Memory } from '../memory/memory.ts';
import { isChangeableBy, type Viewer } from '../memory/visibility.ts';
import { type Deletion, deletingAct, eraseFromDisk, forget, mayDelete, removeExpired } from './deletion.ts';
import { type EditDeps, rederivingAfter } from './edit-deps.ts';

/** How often to scan: consolidation may move a memory across the position of a scan, and a second scan finds it. */
const SCANS = 2;

/**
 * Deletes the memories of an agent that the caller may see. Resolves to their ids.
 * @throws NotFoundError when there are none
 */
export async function deleteAgentMemories(
  deps: EditDeps,
  viewer: Viewer,
  { authorAgentId, erase }: Pick<Deletion, 'erase'> & { authorAgentId: string },
): Promise<readonly string[]> {
  const whose = { viewer, authorAgentId, act: deletingAct(deps, viewer, { erase }) };
  const gone = new Set<string>(erase ? await idsOnDisk(deps, whose) : []);
  await erasePast(deps, [...gone]);
  for (let scans = 0; scans < SCANS; scans++) {
    const holders = await holdersOfWords(deps, whose);
    const ids = [...holders.keys()];
    const removed = await rederivingAfter(deps, [...holders.values()], () => removeWords(deps.store, whose, ids));
    const found = [...removed, ...(await removePruned(deps, { ...whose, ids }))];
    for (const id of found) gone.add(id);
    if (erase) await erasePast(deps, found);
  }
  if (gone.size === 0) {
    throw new NotFoundError(`Agent '${authorAgentId}' has no memories here: GET /stats lists the agents that have.`, {
      code: 'no_memories_of_agent',
    });
  }
  const ids = [...gone];
  forget(deps, ids);
  if (erase) await eraseFromDisk(deps, ids);
  return ids;
}

/** Ids of the memories of an agent that are on the disk and in no answer any more. Removes its expired ones from the store. */
async function idsOnDisk(deps: EditDeps, whose: { viewer: Viewer; authorAgentId: string }): Promise<readonly string[]> {
  const isTheirs = ({ agentId }: Pick<Memory, 'agentId'>) => agentId === whose.authorAgentId;
  const expired = await removeExpired(
    deps,
    whose.viewer,
    (memory) => isTheirs(memory) || (memory.absorbed ?? []).some((one) => isTheirs(one.memory)),
  );
  return [...expired, ...(await idsInHistory(deps, whose))];
}

/** Takes memories out of the history. A revert that had read it has ended then: the next scan finds what it brought back. */
async function erasePast({ history, locks }: EditDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await history?.erase(ids);
  for (const id of ids) await locks.run(id, async () => {});
}

/** The memories of an agent that are in no answer any more, of which the history has versions that the viewer might have deleted. */
async function idsInHistory(
  { store, history }: EditDeps,
  { viewer, authorAgentId }: { viewer: Viewer; authorAgentId: string },
): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const batch of history?.scan() ?? []) {
    const theirs = batch
      .flatMap(({ before }) => (before ? withAbsorbed(before.memory) : []))
      .filter((memory) => memory.agentId === authorAgentId && mayDelete(viewer, memory));
    for (const { id } of theirs) if ((await store.find(id)) === null) ids.add(id);
  }
  return ids;
}

/**
 * Deletes from the archive the memories of an agent that the caller may see, and those of `ids` that were pruned since they were
 * read. Resolves to the deleted ids.
 */
async function removePruned(
  { archive }: EditDeps,
  { viewer, authorAgentId, ids }: { viewer: Viewer; authorAgentId: string; ids: readonly string[] },
): Promise<readonly string[]> {
  const pruned = ((await archive?.entries()) ?? []).filter(
    (entry) => entry.agentId === authorAgentId && mayDelete(viewer, entry),
  );
  return (await archive?.remove([...ids, ...pruned.map(({ id }) => id)])) ?? [];
}

/** For each memory of an agent that the caller may see, by id, the memory that holds it: itself, or the one that absorbed it. */
async function holdersOfWords(
  deps: EditDeps,
  { viewer, authorAgentId }: { viewer: Viewer; authorAgentId: string },
): Promise<Map<string, string>> {
  const holders = new Map<string, string>();
  for await (const batch of deps.store.scan({ viewer })) {
    const changeable = batch.filter(({ memory }) => isChangeableBy(viewer, memory));
    for (const { memory } of changeable)
      for (const id of await idsHeldBy(deps, memory, authorAgentId)) holders.set(id, memory.id);
  }
  return holders;
}

/** Ids of the memories of an agent that a memory holds: its own, unless it is derived again, or those that it absorbed of that agent. */
async function idsHeldBy(deps: EditDeps, memory: Memory, authorAgentId: string): Promise<readonly string[]> {
  if (memory.agentId === authorAgentId) return (await standsAlone(deps, memory)) ? [memory.id] : [];
  const [, ...absorbed] = withAbsorbed(memory);
  return absorbed.filter(({ agentId }) => agentId === authorAgentId).map(({ id }) => id);
}

/** The memory itself, then those that it absorbed. */
function withAbsorbed(memory: Memory): readonly [Memory, ...Memory[]] {
  return [memory, ...(memory.absorbed ?? []).map((one) => one.memory)];
}

/** Whether a memory is deleted with its agent. A memory that was derived from other agents' memories too is derived again instead. */
async function standsAlone({ store }: EditDeps, { kind, sources }: Memory): Promise<boolean> {
  if (kind === 'episodic') return true;
  const found = await Promise.all(sources.map((id) => store.find(id)));
  return found.every((stored) => stored === null);
}
