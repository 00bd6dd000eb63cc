import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import { rederiving } from '../consolidation/rederive.ts';
import { settingApart } from '../consolidation/set-apart.ts';
import { versionOf } from '../memory/decision.ts';
import { type Memory, recallText } from '../memory/memory.ts';

export interface Rewriting {
  /** As it was read. */
  readonly before: Memory;
  /** As it shall be; its agent and idempotency key stay. */
  readonly memory: Memory;
  /** Of the new text; none: to be made in the background; undefined where the text stays. */
  readonly vectors: readonly Float32Array[] | undefined;
}

/**
 * Writes a memory that was changed. What other agents said the same does not change with this one's words or scope and stands by
 * itself again, and what was derived from it is derived again.
 * Resolves to false when the memory is no longer as it was read: nothing was written then.
 * @throws UnavailableError when the disk refuses
 */
export async function rewrite(
  { store, now }: { store: ConsolidationStore; now: () => number },
  { before, memory, vectors }: Rewriting,
): Promise<boolean> {
  const isOther =
    memory.gist !== before.gist || memory.scope !== before.scope || recallText(memory) !== recallText(before);
  const { alone, changes } = isOther ? await settingApart(store, memory) : { alone: memory, changes: [] };
  return await rederiving({ store, now }, [memory.id], () =>
    store.changeTogether({
      expected: [versionOf(before)],
      changes: [{ op: 'update', memory: alone, ...(vectors && { vectors }) }, ...changes],
    }),
  );
}
