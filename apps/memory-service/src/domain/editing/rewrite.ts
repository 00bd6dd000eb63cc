import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import { settingApart } from '../consolidation/duplicates/set-apart.ts';
import { rederiving } from '../consolidation/rederive.ts';
import { actOf, type ChangeAct, SAID_AGAIN } from '../memory/change-act.ts';
import { versionOf } from '../memory/decision.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import { isSameValidity } from '../memory/validity.ts';
import type { Viewer } from '../memory/visibility.ts';

export interface Rewriting {
  /** The memory as it was read. */
  readonly before: Memory;
  /** The changed memory, with the same agent and idempotency key. */
  readonly memory: Memory;
  /** The vectors of the new text; empty: they are made in the background; undefined: the text is unchanged. */
  readonly vectors: readonly Float32Array[] | undefined;
  readonly act: ChangeAct;
}

/**
 * Writes a changed memory. Absorbed memories of other agents keep their words, scope and validity and become separate again; memories that
 * were derived from it are derived again.
 * Resolves to false when the memory is no longer as it was read: nothing was written then.
 * @throws UnavailableError when the disk refuses
 */
export async function rewrite(
  { store, now }: { store: ConsolidationStore; now: () => number },
  { before, memory, vectors, act }: Rewriting,
): Promise<boolean> {
  const isOther =
    memory.gist !== before.gist ||
    memory.scope !== before.scope ||
    !isSameValidity(memory, before) ||
    recallText(memory) !== recallText(before);
  const { alone, changes } = isOther ? await settingApart(store, memory) : { alone: memory, changes: [] };
  return await rederiving({ store, now }, [memory.id], () =>
    store.changeTogether({
      expected: [versionOf(before)],
      changes: [{ op: 'update', memory: alone, ...(vectors && { vectors }) }, ...changes],
      act,
    }),
  );
}

/** Writes what a record of another store makes of a memory, on behalf of the agent that sends it. */
export function rewritingAsMerge(
  deps: Parameters<typeof rewrite>[0],
): (rewriting: Omit<Rewriting, 'act'>, viewer: Viewer) => Promise<boolean> {
  return async (rewriting, { agentId }) => {
    const act = actOf('merge', { agentId, at: Math.floor(deps.now()) });
    return await rewrite(deps, { ...rewriting, act });
  };
}

/** Writes what was added to a memory by saying it again, as an edit of who said it. */
export function rewritingAsRepeat(
  deps: Parameters<typeof rewrite>[0],
): (rewriting: Pick<Rewriting, 'before' | 'memory'>, viewer: Viewer) => Promise<boolean> {
  return async (rewriting, { agentId }) => {
    const act = actOf('edit', { agentId, at: Math.floor(deps.now()), reason: SAID_AGAIN });
    return await rewrite(deps, { ...rewriting, vectors: undefined, act });
  };
}
