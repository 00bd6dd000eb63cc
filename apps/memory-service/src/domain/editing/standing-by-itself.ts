import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { settingOneApart } from '../consolidation/duplicates/set-apart.ts';
import { checkProject } from '../memory/check-project.ts';
import { versionOf } from '../memory/decision.ts';
import type { Viewer } from '../memory/visibility.ts';
import { actNow, type EditDeps, rederivingAfter } from './edit-deps.ts';
import { checkVersion } from './precondition.ts';
import { readMemory } from './read.ts';

/**
 * The memory of an id, to be changed or deleted. If a memory of another agent absorbed it, it first becomes separate again, so that
 * no memory changes because of the words of another agent.
 * @throws NotFoundError, PreconditionFailedError
 */
export async function standingByItself(
  deps: EditDeps,
  viewer: Viewer,
  { id, ifMatch }: { id: string; ifMatch: string | null },
): Promise<{ id: string; ifMatch: string | null }> {
  const { store } = deps;
  return await untilTaken(async () => {
    const stored = await readMemory(deps, viewer, id);
    const { memory } = stored;
    checkProject(memory, viewer);
    const apart = memory.id === id ? null : await settingOneApart(store, memory, id);
    if (!apart) return { id: memory.id, ifMatch };
    // A reader of this id was shown the version of the survivor.
    checkVersion(stored, ifMatch);
    const { id: survivor, updatedAt } = memory;
    const update = { op: 'update', memory: { ...apart.alone, updatedAt: updatedAt + 1 } } as const;
    const group = {
      expected: [versionOf(memory)],
      changes: [update, ...apart.changes],
      act: actNow(deps, viewer, 'set_apart'),
    };
    const isApart = await rederivingAfter(deps, [survivor], () => store.changeTogether(group));
    return isApart ? { id, ifMatch: null } : STALE;
  });
}
